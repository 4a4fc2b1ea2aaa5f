import type { RegistryId } from '../../../contract/ids.ts';
import type { RegistryDate } from '../../../snapshot-format/registration.ts';
import type { Database } from '../../store/database.ts';
import { type PartColumns, PartCursor, streamParts } from './part-cursor.ts';

/** What a row of `trials` and of `registrations` both hold, as JSON; columns as in pipeline/store/schema.sql. */
export interface CommonRow {
  title: string | null;
  official_title: string | null;
  acronym: string | null;
  status: string;
  recruitment_status: string;
  status_basis: string;
  phase: string;
  study_type: string;
  sponsor_name: string | null;
  sponsor_class: string;
  enrollment_count: number | null;
  enrollment_type: string | null;
  enrollment_note: string | null;
  countries: string[];
  conditions: string[];
  interventions: { type: string | null; name: string | null; other_names: string[]; description: string | null }[];
  primary_endpoints: { measure: string; time_frame: string | null }[];
  start_date: RegistryDate | null;
  primary_completion_date: RegistryDate | null;
  completion_date: RegistryDate | null;
  first_posted_date: RegistryDate | null;
  last_updated_date: RegistryDate | null;
  results_posted_date: RegistryDate | null;
  results_available: boolean;
  results_basis: string;
}

/** What a trial has of its own, as a row of `trials` holds it. */
export interface TrialHead {
  canonical_id: string;
  aliases: string[];
}

export interface RegistrationRow extends CommonRow {
  registry: RegistryId;
  id: string;
  url: string;
  aliases: string[];
  payload_sha256: string;
  retrieved_at: string;
  source_version: string | null;
  status_raw: string | null;
  phase_raw: string | null;
  study_type_raw: string | null;
  sponsor_class_raw: string | null;
  enrollment_raw: string | null;
  countries_raw: string[];
  /** As JSON. */
  eligibility: string | null;
}

export interface IdentifierPart {
  registry: RegistryId;
  registrationId: string;
  type: string;
  value: string;
  role: 'own' | 'alias' | 'declared';
  suspect: boolean;
  inIndex: boolean;
  /** Trial that holds the record that this identifier resolves to. */
  canonicalId: string | null;
}

export interface LinkRow {
  link_id: string;
  from_registry: RegistryId;
  from_id: string;
  to_registry: RegistryId;
  to_id: string;
  kind: 'explicit-cross-reference' | 'shared-identifier';
  rule: string;
  field: string;
  raw_value: string;
  to_field: string | null;
  to_raw_value: string | null;
  identifier_type: string;
  identifier_value: string;
  direction: 'one-way' | 'mutual' | 'shared';
  verdict: 'accepted' | 'rejected';
  reason: string | null;
  conflict: boolean;
}

export interface RelationPart {
  kind: 'related';
  reason: string;
  from: string;
  to: string;
  canonicalId: string | null;
  linkId: string;
}

/** Everything that the snapshot's tables say of one trial. */
export interface TrialParts {
  row: number;
  trial: TrialHead;
  /** What the trial says: of a trial of one registration that registration itself (publish/trials.sql). */
  merged: CommonRow;
  /** In the order of REGISTRY_IDS. */
  registrations: RegistrationRow[];
  identifiers: IdentifierPart[];
  links: LinkRow[];
  relations: RelationPart[];
}

const MERGED = 0;
const LINK = 1;

/** The trials that are asked for in result order, each with all its parts; a few thousand parts are held at once. */
export async function* streamTrials(database: Database): AsyncGenerator<TrialParts> {
  const beside = [await database.secondConnection(), await database.secondConnection()] as const;
  try {
    const identifiers = new PartCursor(streamParts(beside[0], 'identifier-parts.sql'));
    const others = new PartCursor(streamParts(beside[1], 'other-parts.sql'));
    let open: TrialParts | null = null;
    for await (const [rows, bodies, texts] of streamParts(database, 'registration-parts.sql')) {
      await identifiers.readThrough(rows!.at(-1) as number);
      await others.readThrough(rows!.at(-1) as number);
      for (const [place, row] of (rows as number[]).entries()) {
        const part = JSON.parse(bodies![place] as string) as Part;
        part.registration.eligibility = texts![place] as string | null;
        if (open !== null && open.row === row) {
          open.registrations.push(part.registration);
          continue;
        }
        if (open !== null) yield open;
        open = trialOf(row, part);
        addParts(open, identifiers, others);
      }
    }
    if (open !== null) yield open;
  } finally {
    for (const connection of beside) connection.close();
  }
}

interface Part {
  trial: TrialHead;
  registration: RegistrationRow;
}

function trialOf(row: number, { trial, registration }: Part): TrialParts {
  return { row, trial, merged: registration, registrations: [registration], identifiers: [], links: [], relations: [] };
}

function addParts(parts: TrialParts, identifiers: PartCursor, others: PartCursor): void {
  const { canonical_id } = parts.trial;
  identifiers.take(parts.row, (columns, place) => parts.identifiers.push(identifierAt(columns, place, canonical_id)));
  others.take(parts.row, (columns, place) => {
    const kind = columns[1]![place];
    const body: unknown = JSON.parse(columns[2]![place] as string);
    if (kind === MERGED) parts.merged = body as CommonRow;
    else if (kind === LINK) parts.links.push(body as LinkRow);
    else parts.relations.push(body as RelationPart);
  });
}

function identifierAt(columns: PartColumns, place: number, canonicalId: string): IdentifierPart {
  return {
    registry: columns[1]![place] === true ? 'isrctn' : 'clinicaltrials_gov',
    registrationId: columns[2]![place] as string,
    type: columns[3]![place] as string,
    value: columns[4]![place] as string,
    role: columns[5]![place] as IdentifierPart['role'],
    suspect: columns[6]![place] as boolean,
    inIndex: columns[7]![place] as boolean,
    canonicalId: columns[8]![place] === true ? canonicalId : (columns[9]![place] as string | null),
  };
}
