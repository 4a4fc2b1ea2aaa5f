import type { z } from 'zod';
import type { CommonFields, OwnFields } from '../../../contract/fields/field-shapes.ts';
import { REGISTRY_IDS, type RegistryId } from '../../../contract/ids.ts';
import type {
  conflictSchema,
  identifierSchema,
  registrationBriefSchema,
  TrialListItem,
  TrialRecord,
} from '../../../contract/schemas/trials/trial.ts';
import { COMPARED_FIELDS, compareStated, type StatedValue } from '../../../snapshot/format/field-comparison.ts';
import type { IdentifierPart, RegistrationRow, TrialParts } from './trial-parts.ts';

type Identifier = z.infer<typeof identifierSchema>;
type Brief = z.infer<typeof registrationBriefSchema>;
/** A trial as JSON texts, from which a response is joined; contract/schemas/trials/trial.ts has their shape. */
export interface TrialTexts {
  /** The list item without `registrations` and `eligibilityText`, and without its closing brace. */
  head: string;
  /** An array of registrations without the fields that they state. */
  brief: string;
  /** An array of registrations without the members of their fields in DESIGN_MEMBERS, each on a line. */
  full: string;
  /** Those members, for each registration a line. */
  design: string;
  /** A string or null. */
  eligibility: string;
  /** An array of the publications that the registrations list; empty where there are none. */
  publications: string;
  /** An array of the records that the trial's registrations superseded, each as a trial is served; empty where there are none. */
  superseded: string;
}

const REGISTRY_NAMES: Record<RegistryId, string> = {
  clinicaltrials_gov: 'ClinicalTrials.gov',
  isrctn: 'ISRCTN registry',
};

/** The record that every interface serves, from the tables' rows of one trial. */
export function presentTrial(parts: TrialParts): TrialTexts {
  const { canonicalId, aliases, registrations } = parts;
  const head: Omit<
    TrialListItem,
    'registrations' | 'eligibilityText' | 'canonicalId' | 'aliases' | keyof CommonFields
  > = {
    registries: REGISTRY_IDS.filter((id) => registrations.some(({ record }) => record.registry === id)),
    identifiers: presentIdentifiers(parts.identifiers, canonicalId),
    evidence: parts.links,
    relations: parts.relations,
    conflicts: conflictsBetween(registrations),
    citation: citation(parts),
  };
  return {
    head: `{${members({ canonicalId, aliases })},${parts.common},${members(head)}`,
    brief: JSON.stringify(registrations.map(presentBrief)),
    full: `[${registrations.map(fullText).join('\n,')}]`,
    design: registrations.map(({ design }) => design).join('\n'),
    // ClinicalTrials.gov's text if it has one: registrations come in the order of REGISTRY_IDS.
    eligibility: registrations.find(({ eligibility }) => eligibility !== null)?.eligibility ?? 'null',
    publications: parts.publications.length === 0 ? '' : `[${parts.publications.join(',')}]`,
    superseded: parts.superseded.length === 0 ? '' : JSON.stringify(parts.superseded.map(supersededRecord)),
  };
}

function supersededRecord(parts: TrialParts): TrialRecord {
  const { head, full, eligibility } = presentTrial(parts);
  const [former] = parts.registrations as [RegistrationRow];
  const [registration] = JSON.parse(full) as TrialRecord['registrations'];
  const { registry, supersededBy } = former.record;
  return {
    ...(JSON.parse(`${head}}`) as TrialRecord),
    registrations: [{ ...registration!, fields: fieldsOf(former) }],
    eligibilityText: JSON.parse(eligibility),
    supersededBy: { registry, id: supersededBy!, canonicalId: parts.canonicalId },
  };
}

/** The members of an object as JSON, without its braces. */
function members(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}

function presentBrief({ record }: RegistrationRow): Brief {
  const { registry, id, url, retrievedAt, payloadSha256 } = record;
  return { registry, id, url, retrievedAt, checksum: `sha256:${payloadSha256}` };
}

function fullText(row: RegistrationRow): string {
  const { sourceVersion, aliases } = row.record;
  return `{${members({ ...presentBrief(row), sourceVersion, aliases })},"fields":{${row.common},${row.own}}}`;
}

function fieldsOf({ common, own, design }: RegistrationRow): CommonFields & OwnFields {
  return JSON.parse(`{${common},${own},${design}}`) as CommonFields & OwnFields;
}

const ROLE_STRENGTH = { own: 0, alias: 1, declared: 2, repaired: 3, related: 4 } as const;

/** One entry per (type, value): its strongest role, all registrations that state it, and the trial that holds it. */
function presentIdentifiers(stated: IdentifierPart[], canonicalId: string): Identifier[] {
  const byValue = new Map<string, Identifier>();
  for (const part of stated) {
    const key = `${part.type} ${part.value}`;
    // An earlier number that others list too means none of them.
    const ownTrial = part.role === 'own' || (part.role === 'alias' && part.inIndex) ? canonicalId : null;
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

/**
 * Names every registration, the last update and the latest retrieval; `verifyAt` is ClinicalTrials.gov's page if the
 * trial has one.
 */
function citation({ name, updated, registrations }: TrialParts): { text: string; verifyAt: string } {
  const records = registrations.map(({ record }) => record);
  const sources = records.map(({ registry, id }) => `${REGISTRY_NAMES[registry]} ${id}`).join('; ');
  const retrieved = records
    .map(({ retrievedAt }) => retrievedAt)
    .sort()
    .at(-1)!;
  const title = (name ?? 'untitled').replace(/\.$/, '');
  return {
    text: `${sources}: ${title}. Last updated ${updated ?? 'date not stated'}; retrieved ${retrieved.slice(0, 10)}.`,
    verifyAt: records[0]!.url,
  };
}

type Conflict = z.infer<typeof conflictSchema>;
type ShownValue = Conflict['values'][number]['value'];

const IN_CONFLICTS = COMPARED_FIELDS.filter(({ field }) => field.inConflicts === true);

/** Fields that both registrations of a trial state, with different values; none for a trial of one registration. */
function conflictsBetween([first, second]: readonly RegistrationRow[]): Conflict[] {
  if (first === undefined || second === undefined) return [];
  const [ofFirst, ofSecond] = [fieldsOf(first), fieldsOf(second)];
  return IN_CONFLICTS.flatMap((field) => {
    const [one, other] = [field.statedIn(ofFirst), field.statedIn(ofSecond)];
    if (one === null || other === null || compareStated(field, one, other).verdict !== 'differs') return [];
    const statedBy = ({ record: { registry, id } }: RegistrationRow, value: StatedValue) => ({
      registry,
      id,
      value: value as ShownValue,
    });
    return [{ field: field.name, values: [statedBy(first, one), statedBy(second, other)] }];
  });
}
