import type { z } from 'zod';
import { REGISTRY_IDS, type RegistryId } from '../../../contract/ids.ts';
import type {
  identifierSchema,
  linkSchema,
  RegistrationFieldsRecord,
  registrationBriefSchema,
  registrationSchema,
  TrialListItem,
} from '../../../contract/schemas/trial.ts';
import { conflictsBetween } from './conflicts.ts';
import type { CommonRow, IdentifierPart, LinkRow, RegistrationRow, TrialParts } from './trial-parts.ts';

type Identifier = z.infer<typeof identifierSchema>;
type Link = z.infer<typeof linkSchema>;
type Brief = z.infer<typeof registrationBriefSchema>;
type Full = z.infer<typeof registrationSchema>;
type CommonFields = Pick<
  TrialListItem,
  | 'title'
  | 'officialTitle'
  | 'acronym'
  | 'status'
  | 'recruitmentStatus'
  | 'statusBasis'
  | 'phase'
  | 'studyType'
  | 'sponsor'
  | 'enrollment'
  | 'countries'
  | 'conditions'
  | 'interventions'
  | 'primaryEndpoints'
  | 'dates'
  | 'resultsAvailable'
  | 'resultsBasis'
>;

/** A trial in the four slices that a response is joined from; contract/schemas/trial.ts is their shape. */
export interface PresentedTrial {
  head: Omit<TrialListItem, 'registrations' | 'eligibilityText'>;
  brief: Brief[];
  full: Full[];
  eligibility: string | null;
}

const REGISTRY_NAMES: Record<RegistryId, string> = {
  clinicaltrials_gov: 'ClinicalTrials.gov',
  isrctn: 'ISRCTN registry',
};

/** Maps the tables' rows of one trial to the record that every door serves. */
export function presentTrial(parts: TrialParts): PresentedTrial {
  const { trial, registrations } = parts;
  const full = registrations.map(presentRegistration);
  return {
    head: {
      canonicalId: trial.canonical_id,
      aliases: trial.aliases,
      ...commonFields(trial),
      registries: REGISTRY_IDS.filter((id) => registrations.some(({ registry }) => registry === id)),
      identifiers: presentIdentifiers(parts.identifiers, trial.canonical_id),
      evidence: parts.links.map(presentLink),
      relations: parts.relations,
      conflicts: conflictsBetween(
        registrations,
        full.map(({ fields }) => fields),
      ),
      citation: citation(parts),
    },
    brief: full.map(({ registry, id, url, retrievedAt, checksum }) => ({ registry, id, url, retrievedAt, checksum })),
    full,
    // ClinicalTrials.gov's where it states any: registrations come in the order of REGISTRY_IDS.
    eligibility: registrations.find((row) => row.eligibility_text !== null)?.eligibility_text ?? null,
  };
}

function presentRegistration(row: RegistrationRow): Full {
  return {
    registry: row.registry,
    id: row.id,
    url: row.url,
    retrievedAt: row.retrieved_at,
    checksum: `sha256:${row.payload_sha256}`,
    sourceVersion: row.source_version,
    aliases: row.aliases,
    fields: registrationFields(row),
  };
}

/** What one registry says, with its raw values. */
export function registrationFields(row: RegistrationRow): RegistrationFieldsRecord {
  return {
    ...commonFields(row),
    statusRaw: row.status_raw,
    phaseRaw: row.phase_raw,
    studyTypeRaw: row.study_type_raw,
    sponsorClassRaw: row.sponsor_class_raw,
    enrollmentRaw: row.enrollment_raw,
    countriesRaw: row.countries_raw,
  };
}

/** The columns are written from the same vocabularies that the schema checks; a test parses every produced document. */
function commonFields(row: CommonRow): CommonFields {
  return {
    title: row.title,
    officialTitle: row.official_title,
    acronym: row.acronym,
    status: row.status as CommonFields['status'],
    recruitmentStatus: row.recruitment_status as CommonFields['recruitmentStatus'],
    statusBasis: row.status_basis,
    phase: row.phase as CommonFields['phase'],
    studyType: row.study_type as CommonFields['studyType'],
    sponsor: { name: row.sponsor_name, class: row.sponsor_class as CommonFields['sponsor']['class'] },
    enrollment: {
      count: row.enrollment_count,
      type: row.enrollment_type as CommonFields['enrollment']['type'],
      note: row.enrollment_note,
    },
    countries: row.countries,
    conditions: row.conditions,
    interventions: row.interventions.map(({ type, name, other_names, description }) => ({
      type,
      name,
      otherNames: other_names,
      description,
    })),
    primaryEndpoints: row.primary_endpoints.map(({ measure, time_frame }) => ({ measure, timeFrame: time_frame })),
    dates: {
      start: row.start_date,
      primaryCompletion: row.primary_completion_date,
      completion: row.completion_date,
      firstPosted: row.first_posted_date,
      lastUpdated: row.last_updated_date,
      resultsPosted: row.results_posted_date,
    },
    resultsAvailable: row.results_available,
    resultsBasis: row.results_basis,
  };
}

const ROLE_STRENGTH = { own: 0, alias: 1, declared: 2 } as const;

/** One entry per (type, value): its strongest role, everyone who states it, and the trial that holds it. */
function presentIdentifiers(stated: IdentifierPart[], canonicalId: string): Identifier[] {
  const byValue = new Map<string, Identifier>();
  for (const part of stated) {
    const key = `${part.type} ${part.value}`;
    const ownTrial = part.role === 'declared' ? null : canonicalId;
    const known = byValue.get(key);
    if (known === undefined) {
      byValue.set(key, {
        type: part.type,
        value: part.value,
        inIndex: part.inIndex,
        suspect: part.suspect,
        role: part.role,
        declaredBy: [part.registrationId],
        canonicalId: part.canonicalId ?? ownTrial,
      });
      continue;
    }
    if (!known.declaredBy.includes(part.registrationId)) known.declaredBy.push(part.registrationId);
    if (ROLE_STRENGTH[part.role] < ROLE_STRENGTH[known.role]) known.role = part.role;
    known.inIndex ||= part.inIndex;
    known.suspect ||= part.suspect;
    known.canonicalId ??= part.canonicalId ?? ownTrial;
  }
  return [...byValue.values()];
}

function presentLink(row: LinkRow): Link {
  return {
    linkId: row.link_id,
    kind: row.kind,
    rule: row.rule,
    from: row.from_id,
    to: row.to_id,
    field: row.field,
    rawValue: row.raw_value,
    toField: row.to_field,
    toRawValue: row.to_raw_value,
    identifier: { type: row.identifier_type, value: row.identifier_value },
    direction: row.direction,
    verdict: row.verdict,
    reason: row.reason,
    conflict: row.conflict,
  };
}

/** Names every registration, the last update and the latest retrieval; `verifyAt` is ClinicalTrials.gov's page where held. */
function citation({ trial, registrations }: TrialParts): { text: string; verifyAt: string } {
  const [first] = registrations as [RegistrationRow];
  const sources = registrations.map(({ registry, id }) => `${REGISTRY_NAMES[registry]} ${id}`).join('; ');
  const title = trial.title ?? trial.official_title ?? 'untitled';
  const retrieved = registrations
    .map((registration) => registration.retrieved_at)
    .sort()
    .at(-1) as string;
  const updated = trial.last_updated_date?.date ?? 'date not stated';
  return {
    text: `${sources}: ${title.replace(/\.$/, '')}. Last updated ${updated}; retrieved ${retrieved.slice(0, 10)}.`,
    verifyAt: first.url,
  };
}
