import type { Database, JsonRow } from '../store/database.ts';
import { hashedColumns } from '../store/snapshot-tables.ts';
import { COMPARED, type ComparedTable } from './compare.ts';

/** One value that differs; `field` is the column's name in the Parquet table. */
export interface FieldChange {
  field: string;
  old: unknown;
  new: unknown;
}

export interface TrialEntry {
  canonicalId: string;
  title: string | null;
  registrations: string[];
}
export interface ChangedTrial {
  canonicalId: string;
  title: string | null;
  fields: FieldChange[];
}
export interface MergedTrial {
  /** The id that became an alias. */
  canonicalId: string;
  into: string;
}
export interface SplitTrial extends TrialEntry {
  outOf: string[];
}
export interface RegistrationEntry {
  registry: string;
  id: string;
  title: string | null;
}
export interface ChangedRegistration extends RegistrationEntry {
  /** False when the registry's record is the same and only its reading differs. */
  payloadChanged: boolean;
  fields: FieldChange[];
}
export interface LinkEntry {
  linkId: string;
  from: string;
  to: string;
  kind: string;
  rule: string;
  verdict: string;
}
export interface ChangedLink extends LinkEntry {
  fields: FieldChange[];
}

/** Lists of a diff by group and name, each ordered by key. */
export interface DiffLists {
  trials: {
    added: TrialEntry[];
    removed: TrialEntry[];
    changed: ChangedTrial[];
    merged: MergedTrial[];
    split: SplitTrial[];
  };
  registrations: { added: RegistrationEntry[]; removed: RegistrationEntry[]; changed: ChangedRegistration[] };
  links: { gained: LinkEntry[]; lost: LinkEntry[]; changed: ChangedLink[] };
}

interface ListSpec {
  group: keyof DiffLists;
  name: string;
  sql: string;
}

const TRIAL_ENTRY = `'canonicalId': t.canonical_id, 'title': t.title,
  'registrations': list_filter([t.ctgov_id, t.isrctn_id], lambda id: id IS NOT NULL)`;
const REGISTRATION_ENTRY = `'registry': t.registry, 'id': t.id, 'title': t.title`;
const LINK_ENTRY = `'linkId': t.link_id, 'from': t.from_id, 'to': t.to_id, 'kind': t.kind, 'rule': t.rule,
  'verdict': t.verdict`;

/** Every list, in the order in which it is printed. */
export const LIST_SPECS: readonly ListSpec[] = [
  {
    group: 'trials',
    name: 'added',
    sql: oneSided('trials', 'b', TRIAL_ENTRY, 'WHERE s.in_b AND NOT s.in_a AND s.k NOT IN (SELECT k FROM split)'),
  },
  {
    group: 'trials',
    name: 'removed',
    sql: oneSided('trials', 'a', TRIAL_ENTRY, 'WHERE s.in_a AND NOT s.in_b AND s.k NOT IN (SELECT k FROM merged)'),
  },
  { group: 'trials', name: 'changed', sql: bothSided('trials', `'canonicalId': t.canonical_id, 'title': t.title`) },
  {
    group: 'trials',
    name: 'merged',
    sql: `SELECT to_json({'canonicalId': k, 'into': into_id})::VARCHAR AS entry FROM merged ORDER BY k`,
  },
  {
    group: 'trials',
    name: 'split',
    sql: oneSided('trials', 'b', `${TRIAL_ENTRY}, 'outOf': m.out_of`, 'JOIN split m ON m.k = s.k'),
  },
  { group: 'registrations', name: 'added', sql: oneSided('registrations', 'b', REGISTRATION_ENTRY, onlyIn('b')) },
  { group: 'registrations', name: 'removed', sql: oneSided('registrations', 'a', REGISTRATION_ENTRY, onlyIn('a')) },
  {
    group: 'registrations',
    name: 'changed',
    sql: bothSided('registrations', `${REGISTRATION_ENTRY}, 'payloadChanged': o.payload_sha256 <> t.payload_sha256`),
  },
  { group: 'links', name: 'gained', sql: oneSided('links', 'b', LINK_ENTRY, onlyIn('b')) },
  { group: 'links', name: 'lost', sql: oneSided('links', 'a', LINK_ENTRY, onlyIn('a')) },
  { group: 'links', name: 'changed', sql: bothSided('links', LINK_ENTRY) },
];

/** Entries of one list as JSON texts, ordered by key, at most `limit` (null: all). Needs the tables of compareTable. */
export async function* listEntries(db: Database, spec: ListSpec, limit: number | null): AsyncGenerator<string> {
  const query = limit === null ? spec.sql : `${spec.sql} LIMIT ${limit}`;
  for await (const rows of db.stream(query)) {
    for (const row of rows as (JsonRow & { entry: string })[]) yield row.entry;
  }
}

function onlyIn(side: 'a' | 'b'): string {
  return side === 'a' ? 'WHERE s.in_a AND NOT s.in_b' : 'WHERE s.in_b AND NOT s.in_a';
}

/** Rows of one snapshot that the other lacks. */
function oneSided(table: ComparedTable, side: 'a' | 'b', entry: string, condition: string): string {
  return `SELECT to_json({${entry}})::VARCHAR AS entry
    FROM ${table}_states s JOIN ${table}_${side} t ON ${keyOf(table, 't')} = s.k ${condition} ORDER BY s.k`;
}

/** Rows that stand in both snapshots with different values; `o` is the old row, `t` the new one. */
function bothSided(table: ComparedTable, entry: string): string {
  const changes = hashedColumns(table).map(
    (column) => `CASE WHEN o."${column}" IS DISTINCT FROM t."${column}"
      THEN {'field': '${column}', 'old': to_json(o."${column}"), 'new': to_json(t."${column}")} END`,
  );
  return `SELECT to_json({${entry}, 'fields': list_filter([${changes.join(', ')}], lambda f: f IS NOT NULL)})::VARCHAR AS entry
    FROM ${table}_states s
    JOIN ${table}_a o ON ${keyOf(table, 'o')} = s.k
    JOIN ${table}_b t ON ${keyOf(table, 't')} = s.k
    WHERE s.in_a AND s.in_b ORDER BY s.k`;
}

function keyOf(table: ComparedTable, alias: string): string {
  return table === 'registrations' ? `${alias}.registry || ' ' || ${alias}.id` : `${alias}.${COMPARED[table]}`;
}
