import { readFile } from 'node:fs/promises';
import { SNAPSHOT_TABLE_DESCRIPTIONS } from '../../contract/fields/snapshot-tables.ts';
import { type ComparedSide, type ComparedTable, compareSnapshots, type DiffTotals } from './compare.ts';
import type { SqlConnection } from './connection.ts';
import { comparedValue, keyOf } from './lists.ts';
import { rowJson, valueJson, wholeRowJson, withEscapes } from './row-json.ts';
import { columnList, comparedColumns, comparedFields, parquetSource, TABLE_SPECS } from './tables.ts';

const { columns, sortedBy } = SNAPSHOT_TABLE_DESCRIPTIONS.changes;
/** Columns of `changes.parquet`, in the order of the file. */
export const CHANGE_COLUMNS: readonly string[] = columns.map(({ name }) => name);
/** Columns that order the changes totally, nulls last: those of one trial lie side by side. */
export const CHANGE_KEY: readonly string[] = sortedBy;

const NOTHING = Object.fromEntries(
  columns.map(({ name, type }) => [name, type === 'texts' ? '[]::VARCHAR[]' : 'NULL::VARCHAR']),
);

/**
 * Compares a snapshot with its parent and leaves the table `stored_changes` in the connection: every difference that a
 * comparison lists, beside them the publications, and of rows on one side only all values. So changes that follow on each
 * other can be added up to the comparison of any two snapshots (compose-changes.ts).
 */
export async function makeStoredChanges(db: SqlConnection, from: ComparedSide, to: ComparedSide): Promise<DiffTotals> {
  const totals = await compareSnapshots(db, from, to);
  if (areEqual(from, to)) {
    const none = CHANGE_COLUMNS.map((column) => `${NOTHING[column]} AS "${column}"`);
    await db.run(`CREATE TEMP TABLE stored_changes AS SELECT ${none.join(', ')} LIMIT 0`);
    return totals;
  }
  await findStatedChanges(db, from, to);
  const holders = await readFile(new URL('holders.sql', import.meta.url), 'utf8');
  await db.run(holders);
  await db.run(
    `CREATE TEMP TABLE stored_changes AS
     SELECT * REPLACE (${withEscapes('"old"')} AS "old", ${withEscapes('"new"')} AS "new") FROM (${[
       ...trialChanges(),
       ...registrationChanges(),
       ...linkChanges(),
       ...statedChanges(),
       ...signalChanges(from, to),
     ].join(' UNION ALL ')})`,
  );
  return totals;
}

const TABLES = ['trials', 'registrations', 'links', 'identifiers', 'publications', 'signals'] as const;

function areEqual(from: ComparedSide, to: ComparedSide): boolean {
  return TABLES.every((table) => from.manifest.tables[table].root === to.manifest.tables[table].root);
}

/** SQL of rows of `stored_changes`; columns that are not given are null. */
function changes(kind: string, values: Readonly<Record<string, string>>, from: string): string {
  const given: Readonly<Record<string, string>> = { ...NOTHING, ...values, kind };
  return `SELECT ${CHANGE_COLUMNS.map((column) => `${given[column]} AS "${column}"`).join(', ')} FROM ${from}`;
}

/** Rows of `table` on one side, as `t`, with their state as `s`. */
function oneSided(table: ComparedTable, side: 'a' | 'b'): string {
  const only = side === 'a' ? 's.in_a AND NOT s.in_b' : 's.in_b AND NOT s.in_a';
  return `${table}_states s JOIN ${table}_kept_${side} t ON ${keyOf(table, 't')} = s.k AND ${only}`;
}

/** Rows of both sides that differ, as `o` and `t`. */
function bothSided(table: ComparedTable): string {
  return `${table}_states s JOIN ${table}_kept_a o ON ${keyOf(table, 'o')} = s.k AND s.in_a AND s.in_b
    JOIN ${table}_kept_b t ON ${keyOf(table, 't')} = s.k`;
}

/** Rows of both sides that differ, one for each value that does, as `d` with the members of the row `t` that `more` names. */
function differences(table: ComparedTable, more: readonly string[]): string {
  const each = comparedFields(table).map((compared) => {
    const [old, fresh] = [comparedValue(compared, 'o'), comparedValue(compared, 't')];
    return `CASE WHEN ${old} IS DISTINCT FROM ${fresh} THEN {'field': '${compared.field}',
      'old': ${valueJson(table, compared, 'o')}, 'new': ${valueJson(table, compared, 't')}} END`;
  });
  return `(SELECT ${columnList(more)}, unnest(d, recursive := true) FROM (
    SELECT ${more.map((column) => `t."${column}"`).join(', ')}, unnest(list_filter([${each.join(', ')}], lambda f: f IS NOT NULL)) AS d
    FROM ${bothSided(table)}))`;
}

const wholeRow = (table: ComparedTable, alias: string): string => wholeRowJson(table, comparedColumns(table), alias);

function trialChanges(): string[] {
  const own = { canonical_id: 's.k', title: 't.title' };
  const [old, fresh] = [
    { ...own, old: wholeRow('trials', 't') },
    { ...own, new: wholeRow('trials', 't') },
  ];
  return [
    changes(
      `CASE WHEN m.k IS NULL THEN 'trial-removed' ELSE 'trial-merged' END`,
      { ...old, related: `coalesce(string_split(m.into_id, ', '), [])` },
      `${oneSided('trials', 'a')} LEFT JOIN merged m ON m.k = s.k`,
    ),
    changes(
      `CASE WHEN m.k IS NULL THEN 'trial-added' ELSE 'trial-split' END`,
      { ...fresh, related: 'coalesce(m.out_of, [])' },
      `${oneSided('trials', 'b')} LEFT JOIN split m ON m.k = s.k`,
    ),
    changes(`'trial-changed'`, FIELD_OF_TRIAL, differences('trials', ['canonical_id', 'title'])),
  ];
}

const FIELD = { field: 'field', old: '"old"', new: '"new"', title: 'title' };
const FIELD_OF_TRIAL = { canonical_id: 'canonical_id', ...FIELD };

function registrationChanges(): string[] {
  const own = { registry: 't.registry', registration_id: 't.id', canonical_id: 'h.canonical_id', title: 't.title' };
  const held = 'LEFT JOIN holders h ON h.id = t.id';
  return [
    changes(
      `'registration-removed'`,
      { ...own, old: wholeRow('registrations', 't') },
      `${oneSided('registrations', 'a')} ${held}`,
    ),
    changes(
      `'registration-added'`,
      { ...own, new: wholeRow('registrations', 't') },
      `${oneSided('registrations', 'b')} ${held}`,
    ),
    changes(
      `'registration-changed'`,
      { registry: 't.registry', registration_id: 't.id', canonical_id: 'h.canonical_id', ...FIELD },
      `${differences('registrations', ['registry', 'id', 'title'])} t ${held}`,
    ),
  ];
}

function linkChanges(): string[] {
  const own = {
    canonical_id: 'coalesce(h.canonical_id, g.canonical_id)',
    item: 't.link_id',
    related: 'CASE WHEN g.canonical_id <> h.canonical_id THEN [g.canonical_id] ELSE [] END',
  };
  const held = 'LEFT JOIN holders h ON h.id = t.from_id LEFT JOIN holders g ON g.id = t.to_id';
  const row = wholeRow('links', 't');
  return [
    changes(`'link-lost'`, { ...own, old: row }, `${oneSided('links', 'a')} ${held}`),
    changes(`'link-gained'`, { ...own, new: row }, `${oneSided('links', 'b')} ${held}`),
    // Both rows whole: they are small, and name both ends.
    changes(`'link-changed'`, { ...own, old: wholeRow('links', 'o'), new: row }, `${bothSided('links')} ${held}`),
  ];
}

/**
 * Tables of what registrations state, compared by value: the order and number of equal statements do not count. A row's
 * value is JSON of these columns.
 */
const STATED = {
  identifier: { table: 'identifiers', value: ['role', 'type', 'value'], field: 'field' },
  publication: {
    table: 'publications',
    value: TABLE_SPECS.publications.columns.filter(
      (column) => !['registry', 'registration_id', 'ordinal'].includes(column),
    ),
    field: 'NULL::VARCHAR',
  },
} as const;

/** Makes `<kind>_moves`: values that registrations state on one side only. */
async function findStatedChanges(db: SqlConnection, from: ComparedSide, to: ComparedSide): Promise<void> {
  const find = await readFile(new URL('stated-changes.sql', import.meta.url), 'utf8');
  for (const [kind, { table, value, field }] of Object.entries(STATED)) {
    const isSame = from.manifest.tables[table].root === to.manifest.tables[table].root;
    const source = ({ dir }: ComparedSide): string =>
      isSame ? `(FROM ${parquetSource(dir, table)} LIMIT 0)` : parquetSource(dir, table);
    const filled = find
      .replaceAll('{kind}', kind)
      .replaceAll('{source_a}', source(from))
      .replaceAll('{source_b}', source(to))
      .replaceAll('{field}', field)
      .replaceAll('{columns}', columnList(value))
      .replaceAll('{value}', rowJson(table, value));
    await db.run(filled);
  }
}

function statedChanges(): string[] {
  return Object.keys(STATED).map((kind) =>
    changes(
      `CASE WHEN m.gone THEN '${kind}-lost' ELSE '${kind}-gained' END`,
      {
        ...{ canonical_id: 'h.canonical_id', registry: 'm.registry', registration_id: 'm.registration_id' },
        ...{
          field: 'm.field',
          old: 'CASE WHEN m.gone THEN m.stated END',
          new: 'CASE WHEN NOT m.gone THEN m.stated END',
        },
      },
      `${kind}_moves m LEFT JOIN holders h ON h.id = m.registration_id`,
    ),
  );
}

/** Feed items are compared by id. */
function signalChanges(from: ComparedSide, to: ComparedSide): string[] {
  const [a, b] = [from, to].map(({ dir }) => `(SELECT id FROM ${parquetSource(dir, 'signals')})`);
  return [
    changes(`'signal-lost'`, { item: 'id' }, `(FROM ${a} ANTI JOIN ${b} USING (id))`),
    changes(`'signal-gained'`, { item: 'id' }, `(FROM ${b} ANTI JOIN ${a} USING (id))`),
  ];
}
