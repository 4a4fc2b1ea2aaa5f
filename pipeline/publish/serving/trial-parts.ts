import { join } from 'node:path';
import {
  type CommonFields,
  OWN_FIELDS,
  type OwnFields,
  SHOWN_FIELDS,
  type ValueOf,
} from '../../../contract/fields/field-shapes.ts';
import type { RECORD_COLUMNS } from '../../../contract/fields/registry-fields.ts';
import type { RegistryId } from '../../../contract/ids.ts';
import type { RELATION_KINDS } from '../../../contract/vocabularies.ts';
import type { IdentifierRole } from '../../../snapshot/format/registration.ts';
import { jsonObject, RECORD_FIELDS } from '../../../snapshot/sql/fields.ts';
import type { Database } from '../../store/database.ts';
import { type PartColumns, PartCursor, partsQuery, streamParts, streamSortedParts } from './parts.ts';

/** Columns that only a trial has, as in a row of `trials`. */
export interface TrialHead {
  canonical_id: string;
  aliases: string[];
}

/** Columns that identify a registration, as in contract/fields/registry-fields.ts. */
type RegistrationRecord = { [N in keyof typeof RECORD_COLUMNS]: ValueOf<(typeof RECORD_COLUMNS)[N]> };

export interface RegistrationRow extends RegistrationRecord {
  /** Fields that a trial shows too. */
  common: CommonFields;
  /** Fields that only a registration shows. */
  own: OwnFields;
  /** As JSON. */
  eligibility: string | null;
}

export interface IdentifierPart {
  registry: RegistryId;
  registrationId: string;
  type: string;
  value: string;
  role: IdentifierRole;
  suspect: boolean;
  inIndex: boolean;
  /** The trial with the record that this identifier resolves to. */
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
  kind: (typeof RELATION_KINDS)[number];
  reason: string;
  from: string;
  to: string;
  canonicalId: string | null;
  linkId: string;
}

/** Everything in the snapshot's tables about one trial. */
export interface TrialParts {
  row: number;
  trial: TrialHead;
  /** The trial's fields; for a trial of one registration, that registration's own (publish/trials.sql). */
  merged: CommonFields;
  /** In the order of REGISTRY_IDS. */
  registrations: RegistrationRow[];
  identifiers: IdentifierPart[];
  links: LinkRow[];
  relations: RelationPart[];
  /** Publications that the registrations list, each as JSON, by registration and place in its record. */
  publications: string[];
}

const MERGED = 0;
const LINK = 1;

/**
 * The trials of shown_rows in result order, each with all its parts. Holds a few thousand parts at once. `scratch` is an
 * existing folder.
 */
export async function* streamTrials(database: Database, scratch: string): AsyncGenerator<TrialParts> {
  const connected = () => database.secondConnection();
  const beside = [await connected(), await connected(), await connected()] as const;
  try {
    const identifiers = new PartCursor(streamParts(beside[0], 'identifier-parts.sql'));
    const others = new PartCursor(streamParts(beside[1], 'other-parts.sql', { common: jsonObject('t', SHOWN_FIELDS) }));
    let open: TrialParts | null = null;
    const listed = await partsQuery('publication-parts.sql');
    const folder = join(scratch, 'publication-parts');
    const publications = new PartCursor(streamSortedParts(beside[2], listed, folder, ['registry', 'ordinal']));
    const sql = await partsQuery('registration-parts.sql', REGISTRATION_JSON);
    const registrations = streamSortedParts(database, sql, join(scratch, 'registration-parts'));
    for await (const [rows, bodies, texts] of registrations) {
      await identifiers.readThrough(rows!.at(-1) as number);
      await others.readThrough(rows!.at(-1) as number);
      await publications.readThrough(rows!.at(-1) as number);
      for (const [place, row] of (rows as number[]).entries()) {
        const { trial, common, own, registration: record } = JSON.parse(bodies![place] as string) as Part;
        const registration = { ...record, common, own, eligibility: texts![place] as string | null };
        if (open !== null && open.row === row) {
          open.registrations.push(registration);
          continue;
        }
        if (open !== null) yield open;
        const none = { identifiers: [], links: [], relations: [], publications: [] };
        open = { row, trial, merged: common, registrations: [registration], ...none };
        addParts(open, identifiers, others);
        publications.take(row, (columns, place) => open?.publications.push(columns[1]![place] as string));
      }
    }
    if (open !== null) yield open;
  } finally {
    for (const connection of beside) connection.close();
  }
}

interface Part {
  trial: TrialHead;
  registration: RegistrationRecord;
  common: CommonFields;
  own: OwnFields;
}

const REGISTRATION_JSON = {
  record: jsonObject('r', RECORD_FIELDS),
  common: jsonObject('r', SHOWN_FIELDS),
  own: jsonObject('r', OWN_FIELDS),
};

function addParts(parts: TrialParts, identifiers: PartCursor, others: PartCursor): void {
  const { canonical_id } = parts.trial;
  identifiers.take(parts.row, (columns, place) => parts.identifiers.push(identifierAt(columns, place, canonical_id)));
  others.take(parts.row, (columns, place) => {
    const kind = columns[1]![place];
    const body: unknown = JSON.parse(columns[2]![place] as string);
    if (kind === MERGED) parts.merged = body as CommonFields;
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
