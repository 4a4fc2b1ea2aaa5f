import { join } from 'node:path';
import type { z } from 'zod';
import { DESIGN_MEMBERS, OWN_FIELDS, SHOWN_FIELDS, type ValueOf } from '../../../contract/fields/field-shapes.ts';
import type { RECORD_COLUMNS } from '../../../contract/fields/registry-fields.ts';
import type { RegistryId } from '../../../contract/ids.ts';
import type { linkSchema, relationSchema } from '../../../contract/schemas/trials/trial.ts';
import type { IdentifierRole } from '../../../snapshot/format/registration.ts';
import { jsonObject, RECORD_FIELDS } from '../../../snapshot/sql/fields.ts';
import type { Connection } from '../../store/database.ts';
import { queryText, streamByRow } from './image-tables.ts';

/** Columns that identify a registration, as in contract/fields/registry-fields.ts. */
type RegistrationRecord = { [N in keyof typeof RECORD_COLUMNS]: ValueOf<(typeof RECORD_COLUMNS)[N]> };

/** What the citation of a trial names: its title, else its official title, and the date of the last update. */
interface Named {
  name: string | null;
  updated: string | null;
}

export interface RegistrationRow extends Named {
  record: RegistrationRecord;
  sponsorCodes: string[];
  /** Members of JSON objects: the fields that a trial shows too, and those that only a registration shows, of its design and others. */
  common: string;
  own: string;
  design: string;
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

/** Everything in the snapshot's tables about one trial. */
export interface TrialParts extends Named {
  row: number;
  canonicalId: string;
  aliases: string[];
  /** The trial's fields; for a trial of one registration, that registration's own (publish/trials.sql). */
  common: string;
  /** In the order of REGISTRY_IDS. */
  registrations: RegistrationRow[];
  identifiers: IdentifierPart[];
  links: z.infer<typeof linkSchema>[];
  relations: z.infer<typeof relationSchema>[];
  /** Publications that the registrations list, each as JSON, by registration and place in its record. */
  publications: string[];
  /** Records that its registrations superseded and that count no more, each in the form of a trial. */
  superseded: TrialParts[];
}

/** A row of trial-parts.sql. */
interface Part {
  kind: 'registration' | 'superseded' | 'merged' | 'identifier' | 'link' | 'relation' | 'publication';
  body: string;
  /** The columns `common`, `own`, `design` and `eligibility`. */
  texts: (string | null)[];
}

/** The trials in result order, each with all its parts. Needs `openTrialTables`; `scratch` is an existing folder. */
export async function* streamTrials(connection: Connection, scratch: string): AsyncGenerator<TrialParts> {
  const isOfDesign = ({ name, json }: (typeof OWN_FIELDS)[number]): boolean =>
    DESIGN_MEMBERS.some((member) => member === (json ?? name).split('.')[0]);
  const sql = await queryText('trial-parts.sql', {
    record: jsonObject('r', RECORD_FIELDS),
    common: jsonObject('r', SHOWN_FIELDS),
    own: jsonObject(
      'r',
      OWN_FIELDS.filter((field) => !isOfDesign(field)),
    ),
    design: jsonObject('r', OWN_FIELDS.filter(isOfDesign)),
    merged: jsonObject('t', SHOWN_FIELDS),
  });
  const trials = streamByRow(connection, sql, join(scratch, 'trial-parts'), ['kind', 'key']);
  for await (const { row, parts } of trials) {
    const read = parts.map(([kind, , body, ...texts]) => ({ kind, body, texts }) as Part);
    yield trialOf(row, read);
  }
}

function trialOf(row: number, parts: readonly Part[]): TrialParts {
  const of = (kind: Part['kind']): readonly Part[] => parts.filter((part) => part.kind === kind);
  const parsed = <T>(kind: Part['kind']): T[] => of(kind).map(({ body }) => JSON.parse(body) as T);
  const registrations = of('registration').map(registrationOf);
  const [first] = registrations;
  if (first === undefined) throw new Error(`row ${row} has parts but no registration`);
  const identifiers = parsed<IdentifierPart>('identifier');
  const links = parsed<TrialParts['links'][number]>('link');
  const relations = parsed<TrialParts['relations'][number]>('relation');
  const [{ name, updated, common } = first] = of('merged').map(registrationOf);
  const head = { row, canonicalId: first.canonicalId, aliases: first.trialAliases };
  const superseded = of('superseded')
    .map(registrationOf)
    .map((former): TrialParts => {
      const { id } = former.record;
      return {
        ...head,
        ...former,
        registrations: [former],
        identifiers: identifiers.filter(({ registrationId }) => registrationId === id),
        links: links.filter(({ from, to }) => [from, to].includes(id)),
        relations: relations.filter(({ from, to }) => [from, to].includes(id)),
        publications: [],
        superseded: [],
      };
    });
  const isFormer = (id: string): boolean => superseded.some(({ registrations: [former] }) => former!.record.id === id);
  return {
    ...head,
    ...{ name, updated, common, registrations, links, relations, superseded },
    identifiers: identifiers.filter(({ registrationId }) => !isFormer(registrationId)),
    publications: of('publication').map(({ body }) => body),
  };
}

function registrationOf({ body, texts }: Part): RegistrationRow & { canonicalId: string; trialAliases: string[] } {
  const [common, own, design, eligibility] = texts.map((text) => text && asServed(text));
  return {
    ...JSON.parse(body),
    common: membersOf(common),
    own: membersOf(own),
    design: membersOf(design),
    eligibility: eligibility ?? null,
  };
}

function membersOf(object: string | null | undefined): string {
  return object?.slice(1, -1) ?? '';
}

/** A number that has a fraction of nothing as DuckDB writes it. Only a key of an object stands between quotation marks before a colon. */
const WHOLE_NUMBER = /(?<="\w+":-?\d+)\.0(?=[,}])/g;

/** The JSON of DuckDB as JSON.stringify writes it: `40` for `40.0`, and control characters with small letters. */
export function asServed(json: string): string {
  if (json.includes('\\u')) return JSON.stringify(JSON.parse(json));
  return json.includes('.0') ? json.replace(WHOLE_NUMBER, '') : json;
}
