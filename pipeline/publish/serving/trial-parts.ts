import { join } from 'node:path';
import type { z } from 'zod';
import {
  type CommonFields,
  OWN_FIELDS,
  type OwnFields,
  SHOWN_FIELDS,
  type ValueOf,
} from '../../../contract/fields/field-shapes.ts';
import type { RECORD_COLUMNS } from '../../../contract/fields/registry-fields.ts';
import type { RegistryId } from '../../../contract/ids.ts';
import type { linkSchema, relationSchema } from '../../../contract/schemas/trials/trial.ts';
import type { IdentifierRole } from '../../../snapshot/format/registration.ts';
import { jsonObject, RECORD_FIELDS } from '../../../snapshot/sql/fields.ts';
import type { Database } from '../../store/database.ts';
import { partsQuery, streamSortedParts } from './sorted-parts.ts';

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

type Link = z.infer<typeof linkSchema>;
type Relation = z.infer<typeof relationSchema>;

/** Everything in the snapshot's tables about one trial. */
export interface TrialParts {
  row: number;
  trial: TrialHead;
  /** The trial's fields; for a trial of one registration, that registration's own (publish/trials.sql). */
  merged: CommonFields;
  /** In the order of REGISTRY_IDS. */
  registrations: RegistrationRow[];
  identifiers: IdentifierPart[];
  links: Link[];
  relations: Relation[];
  /** Publications that the registrations list, each as JSON, by registration and place in its record. */
  publications: string[];
  /** Records that its registrations superseded and that count no more, each in the form of a trial. */
  superseded: TrialParts[];
}

/** A row of trial-parts.sql. */
interface Part {
  kind: 'registration' | 'superseded' | 'merged' | 'identifier' | 'link' | 'relation' | 'publication';
  body: string;
  eligibility: string | null;
}

/** The trials in result order, each with all its parts. Needs `openTrialTables`; `scratch` is an existing folder. */
export async function* streamTrials(database: Database, scratch: string): AsyncGenerator<TrialParts> {
  const sql = await partsQuery('trial-parts.sql', {
    record: jsonObject('r', RECORD_FIELDS),
    common: jsonObject('r', SHOWN_FIELDS),
    own: jsonObject('r', OWN_FIELDS),
    merged: jsonObject('t', SHOWN_FIELDS),
  });
  let open: { row: number; parts: Part[] } = { row: -1, parts: [] };
  for await (const columns of streamSortedParts(database, sql, join(scratch, 'trial-parts'), ['kind', 'key'])) {
    const [rows, kinds, , bodies, texts] = columns as [number[], Part['kind'][], string[], string[], (string | null)[]];
    for (const [place, row] of rows.entries()) {
      if (open.row !== row) {
        if (open.parts.length > 0) yield trialOf(open);
        open = { row, parts: [] };
      }
      open.parts.push({ kind: kinds[place]!, body: bodies[place]!, eligibility: texts[place]! });
    }
  }
  if (open.parts.length > 0) yield trialOf(open);
}

function trialOf({ row, parts }: { row: number; parts: readonly Part[] }): TrialParts {
  const of = (kind: Part['kind']): readonly Part[] => parts.filter((part) => part.kind === kind);
  const [first, ...others] = of('registration').map(registrationOf);
  if (first === undefined) throw new Error(`row ${row} has parts but no registration`);
  const [merged = first.registration.common] = of('merged').map(({ body }) => JSON.parse(body) as CommonFields);
  const identifiers = of('identifier').map(({ body }) => JSON.parse(body) as IdentifierPart);
  const links = of('link').map(({ body }) => JSON.parse(body) as Link);
  const relations = of('relation').map(({ body }) => JSON.parse(body) as Relation);
  const { trial } = first;
  const none = { publications: [], superseded: [] };
  const superseded = of('superseded')
    .map(registrationOf)
    .map(
      ({ registration }): TrialParts => ({
        ...{ row, trial, merged: registration.common, registrations: [registration], ...none },
        identifiers: identifiers.filter(({ registrationId }) => registrationId === registration.id),
        links: links.filter(({ from, to }) => [from, to].includes(registration.id)),
        relations: relations.filter(({ from, to }) => [from, to].includes(registration.id)),
      }),
    );
  const isFormer = (id: string): boolean => superseded.some(({ registrations: [former] }) => former!.id === id);
  return {
    ...{ row, trial, merged, links, relations, superseded },
    registrations: [first, ...others].map(({ registration }) => registration),
    identifiers: identifiers.filter(({ registrationId }) => !isFormer(registrationId)),
    publications: of('publication').map(({ body }) => body),
  };
}

function registrationOf({ body, eligibility }: Part): { trial: TrialHead; registration: RegistrationRow } {
  const { trial, record, common, own } = JSON.parse(body) as {
    trial: TrialHead;
    record: RegistrationRecord;
    common: CommonFields;
    own: OwnFields;
  };
  return { trial, registration: { ...record, common, own, eligibility } };
}
