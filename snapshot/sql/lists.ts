import { COMPARED, type ComparedTable } from './compare.ts';
import { type ComparedField, comparedFields } from './tables.ts';

/**
 * One value that differs; `field` is the column's name in the Parquet table; or `identifiers.` and the registry's field, with
 * the identifiers that are gone from it and those that are new; or `origins.` and a merged column that comes from another registry.
 */
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
  /** Links that the later snapshot accepts and the earlier did not, between a registration of it and one of another trial. */
  causes: MergeCause[];
}
export interface MergeCause {
  linkId: string;
  rule: string;
  from: string;
  to: string;
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
  /** False when the registry's record is equal and only its reading differs. */
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

export interface ListSpec {
  group: keyof DiffLists;
  name: string;
  /**
   * A query over the tables that `compareSnapshots` leaves, with one row for each entry: `k` orders them, `entry` is
   * JSON text, and filters read `ids` (one text), `registries` and `fields` (lists).
   */
  sql: string;
}

/** How an entry of a table's lists is made from a row `t`; `o` is the earlier row of a changed one. */
interface EntryForm {
  entry: string;
  ids: readonly string[];
  registries: string;
  /** For a changed row. */
  registriesOfBoth: string;
}

const FORMS: Record<ComparedTable, EntryForm> = {
  trials: {
    entry: `'canonicalId': t.canonical_id, 'title': t.title`,
    ids: ['canonical_id', 'ctgov_id', 'isrctn_id'],
    registries: 't.registries',
    registriesOfBoth: 'list_distinct(list_concat(o.registries, t.registries))',
  },
  registrations: {
    entry: `'registry': t.registry, 'id': t.id, 'title': t.title`,
    ids: ['id'],
    registries: '[t.registry]',
    registriesOfBoth: '[t.registry]',
  },
  links: {
    entry: `'linkId': t.link_id, 'from': t.from_id, 'to': t.to_id, 'kind': t.kind, 'rule': t.rule, 'verdict': t.verdict`,
    ids: ['link_id', 'from_id', 'to_id'],
    registries: 'list_distinct([t.from_registry, t.to_registry])',
    registriesOfBoth: 'list_distinct([o.from_registry, o.to_registry, t.from_registry, t.to_registry])',
  },
};
const REGISTRATIONS = `'registrations': list_filter([t.ctgov_id, t.isrctn_id], lambda id: id IS NOT NULL)`;

/** Every list, in the order in which it is printed. */
export const LIST_SPECS: readonly ListSpec[] = [
  {
    group: 'trials',
    name: 'added',
    sql: oneSided('trials', 'b', `${onlyIn('b')} AND s.k NOT IN (SELECT k FROM split)`, REGISTRATIONS),
  },
  {
    group: 'trials',
    name: 'removed',
    sql: oneSided('trials', 'a', `${onlyIn('a')} AND s.k NOT IN (SELECT k FROM merged)`, REGISTRATIONS),
  },
  { group: 'trials', name: 'changed', sql: bothSided('trials') },
  {
    group: 'trials',
    name: 'merged',
    sql: `SELECT m.k AS k, to_json({'canonicalId': m.k, 'into': m.into_id, 'causes': coalesce(c.causes, [])})::VARCHAR AS entry,
      concat_ws(' ', m.k, m.into_id, t.ctgov_id, t.isrctn_id) AS ids, t.registries AS registries,
      []::VARCHAR[] AS fields
      FROM merged m JOIN trials_kept_a t ON t.canonical_id = m.k LEFT JOIN (${mergeCauses()}) c ON c.canonical_id = m.k`,
  },
  {
    group: 'trials',
    name: 'split',
    sql: oneSided('trials', 'b', 'JOIN split m ON m.k = s.k', `${REGISTRATIONS}, 'outOf': m.out_of`),
  },
  { group: 'registrations', name: 'added', sql: oneSided('registrations', 'b', onlyIn('b')) },
  { group: 'registrations', name: 'removed', sql: oneSided('registrations', 'a', onlyIn('a')) },
  {
    group: 'registrations',
    name: 'changed',
    sql: bothSided(
      'registrations',
      `'payloadChanged': o.payload_sha256 <> t.payload_sha256`,
      'coalesce((SELECT i.fields FROM identifier_changes i WHERE i.k = s.k), [])',
    ),
  },
  { group: 'links', name: 'gained', sql: oneSided('links', 'b', onlyIn('b')) },
  { group: 'links', name: 'lost', sql: oneSided('links', 'a', onlyIn('a')) },
  { group: 'links', name: 'changed', sql: bothSided('links') },
];

/** Of each earlier trial the links that are newly accepted between one of its registrations and another trial's. */
function mergeCauses(): string {
  return `SELECT canonical_id,
      list({'linkId': link_id, 'rule': rule, 'from': from_id, 'to': to_id} ORDER BY link_id) AS causes
    FROM (SELECT canonical_id, [ctgov_id, isrctn_id] AS members, unnest([ctgov_id, isrctn_id]) AS member FROM trials_kept_a)
    JOIN (
      SELECT n.*, unnest([n.from_id, n.to_id]) AS one_end, unnest([n.to_id, n.from_id]) AS other_end
      FROM links_kept_b n LEFT JOIN links_kept_a b USING (link_id)
      WHERE n.verdict = 'accepted' AND b.verdict IS DISTINCT FROM 'accepted'
    ) ON one_end = member AND NOT coalesce(list_contains(members, other_end), false)
    GROUP BY canonical_id`;
}

function onlyIn(side: 'a' | 'b'): string {
  return side === 'a' ? 'WHERE s.in_a AND NOT s.in_b' : 'WHERE s.in_b AND NOT s.in_a';
}

/** Rows of one snapshot that the other lacks. */
function oneSided(table: ComparedTable, side: 'a' | 'b', condition: string, more?: string): string {
  const { entry, ids, registries } = FORMS[table];
  return `SELECT s.k AS k, to_json({${[entry, more].filter(Boolean).join(', ')}})::VARCHAR AS entry,
    concat_ws(' ', ${columnsOf('t', ids)}) AS ids, ${registries} AS registries, []::VARCHAR[] AS fields
    FROM ${table}_states s JOIN ${table}_kept_${side} t ON ${keyOf(table, 't')} = s.k ${condition}`;
}

/** Rows of both snapshots with different values; `moreFields` is SQL of a list of differences beside the row's own. */
function bothSided(table: ComparedTable, more?: string, moreFields = '[]'): string {
  const { entry, ids, registriesOfBoth } = FORMS[table];
  const changes = comparedFields(table).map((compared) => {
    const [old, fresh] = [comparedValue(compared, 'o'), comparedValue(compared, 't')];
    return `CASE WHEN ${old} IS DISTINCT FROM ${fresh}
      THEN {'field': '${compared.field}', 'old': to_json(${old}), 'new': to_json(${fresh})} END`;
  });
  return `SELECT k, to_json(entry)::VARCHAR AS entry, ids, registries,
    list_transform(entry.fields, lambda f: f.field) AS fields
    FROM (
      SELECT s.k AS k,
        {${[entry, more].filter(Boolean).join(', ')}, 'fields': list_concat(list_filter([${changes.join(', ')}], lambda f: f IS NOT NULL), ${moreFields})} AS entry,
        concat_ws(' ', ${columnsOf('o', ids)}, ${columnsOf('t', ids)}) AS ids, ${registriesOfBoth} AS registries
      FROM ${table}_states s
      JOIN ${table}_kept_a o ON ${keyOf(table, 'o')} = s.k
      JOIN ${table}_kept_b t ON ${keyOf(table, 't')} = s.k
      WHERE s.in_a AND s.in_b
    )`;
}

/** SQL of a compared value of the row `alias`. */
export function comparedValue({ column, member }: ComparedField, alias: string): string {
  return `${alias}."${column}"${member === null ? '' : `."${member}"`}`;
}

function columnsOf(alias: string, columns: readonly string[]): string {
  return columns.map((column) => `${alias}.${column}`).join(', ');
}

export function keyOf(table: ComparedTable, alias: string): string {
  return table === 'registrations' ? `${alias}.registry || ' ' || ${alias}.id` : `${alias}.${COMPARED[table]}`;
}
