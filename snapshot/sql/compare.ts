import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { SNAPSHOT_TABLE_DESCRIPTIONS } from '../../contract/fields/snapshot-tables.ts';
import type { snapshotDiffSchema } from '../../contract/schemas/trials/snapshot-diff.ts';
import type { SqlConnection } from './connection.ts';
import { parquetType } from './fields.ts';
import { rowJson, valueJson, wholeRowJson, withEscapes } from './row-json.ts';
import { columnList, comparedColumns, comparedFields, parquetSource, TABLE_SPECS } from './tables.ts';

const { columns: CHANGES, sortedBy } = SNAPSHOT_TABLE_DESCRIPTIONS.changes;
/** Columns of `changes.parquet`, in the order of the file. */
export const CHANGE_COLUMNS: readonly string[] = CHANGES.map(({ name }) => name);
/** Columns that order the changes totally, nulls last: those of one trial lie side by side. */
export const CHANGE_KEY: readonly string[] = sortedBy;

/** Exact, even when lists are cut. from - removed - merged + added + split = to. */
export type DiffTotals = z.infer<typeof snapshotDiffSchema>['totals'];
export type DiffEntry = z.infer<typeof snapshotDiffSchema>['entries'][number];

/**
 * Tables whose rows have a key, with the SQL of a row's key and of its state: rows of equal states are equal. A changed record has another
 * checksum, so no registry text can be crafted to look unchanged; trials follow their registrations for the same reason.
 */
const KEYED = {
  registrations: {
    key: "registry || ' ' || id",
    state: (hash: string) => `md5_number(payload_sha256 || ' ' || ${hash})`,
    orDiffering: '',
  },
  trials: {
    key: 'canonical_id',
    state: (hash: string) => hash,
    orDiffering: ['a', 'b'].map(trialsOfDiffering).join('\n'),
  },
  links: { key: 'link_id', state: (hash: string) => hash, orDiffering: '' },
} as const;
type KeyedTable = keyof typeof KEYED;

function trialsOfDiffering(side: string): string {
  return `UNION SELECT canonical_id FROM trials_${side}
    WHERE 'clinicaltrials_gov ' || ctgov_id IN (FROM registrations_differing)
      OR 'isrctn ' || isrctn_id IN (FROM registrations_differing)`;
}

/** Tables of what registrations state, with the columns of a statement's value and the SQL of the registry's field. */
const STATED = {
  identifiers: { value: ['role', 'type', 'value'], field: 'field' },
  publications: {
    value: TABLE_SPECS.publications.columns.filter(
      (column) => !['registry', 'registration_id', 'ordinal'].includes(column),
    ),
    field: 'NULL::VARCHAR',
  },
} as const;
type StatedTable = keyof typeof STATED;

/**
 * Compares the tables of two snapshot directories, and leaves what differs in temporary tables of the connection, which `diffLists` and
 * `makeStoredChanges` read. Throws when the totals do not add up.
 */
export async function compareSnapshots(db: SqlConnection, dirA: string, dirB: string): Promise<DiffTotals> {
  for (const table of ['registrations', 'trials', 'links', 'identifiers', 'publications', 'signals'] as const) {
    await db.run(sideOf(table, 'a', dirA));
    await db.run(sideOf(table, 'b', dirB));
  }
  for (const table of Object.keys(KEYED) as KeyedTable[]) await compareRows(db, table);
  await db.run(await sql('trial-moves'));
  await compareStatements(db, 'identifiers');
  const row = await db.one(await sql('totals'));
  const totals = JSON.parse(String(row?.totals)) as DiffTotals;
  for (const [table, counts] of Object.entries(totals)) assertAddsUp(table, counts);
  return totals;
}

/** SQL of all entries of the lists of the snapshots that were compared on the connection. */
export function diffLists(): Promise<string> {
  return sql('diff-lists');
}

/**
 * Compares a snapshot with its parent and leaves the table `stored_changes`, with the columns of `changes.parquet`: all that the lists of a
 * comparison have, the publications, and all values of rows on one side only.
 */
export async function makeStoredChanges(db: SqlConnection, dirA: string, dirB: string): Promise<DiffTotals> {
  const totals = await compareSnapshots(db, dirA, dirB);
  await compareStatements(db, 'publications');
  await db.run(await sql('holders'));
  const rows = Object.fromEntries(
    Object.keys(KEYED).map((table) => [
      `${table}_row`,
      wholeRowJson(table as KeyedTable, comparedColumns(table as KeyedTable), 't'),
    ]),
  );
  await db.run(await sql('stored-changes', rows));
  const values: Record<string, string> = {
    old: `${withEscapes('"old"')} AS "old"`,
    new: `${withEscapes('"new"')} AS "new"`,
    related: 'coalesce(related, []) AS related',
  };
  const columns = CHANGE_COLUMNS.map((column) => values[column] ?? `"${column}"`);
  await db.run(`CREATE TEMP VIEW stored_changes AS SELECT ${columns.join(', ')} FROM found_changes`);
  return totals;
}

/** SQL of this folder, with values in the places of their names. */
async function sql(name: string, values: Readonly<Record<string, string>> = {}): Promise<string> {
  const text = await readFile(new URL(`${name}.sql`, import.meta.url), 'utf8');
  return Object.entries(values).reduce((filled, [place, value]) => filled.replaceAll(`{${place}}`, () => value), text);
}

/** A view of a table in a directory; a snapshot that is older than a column has null in it. */
function sideOf(table: KeyedTable | StatedTable | 'signals', side: 'a' | 'b', dir: string): string {
  const typed = SNAPSHOT_TABLE_DESCRIPTIONS[table].columns.map(
    ({ name, type }) => `NULL::${parquetType(type)} AS "${name}"`,
  );
  return `CREATE TEMP VIEW ${table}_${side} AS SELECT ${columnList(comparedColumns(table))} FROM (
    (SELECT ${typed.join(', ')} LIMIT 0) UNION ALL BY NAME (FROM ${parquetSource(dir, table)}))`;
}

async function compareRows(db: SqlConnection, table: KeyedTable): Promise<void> {
  const { key, state, orDiffering } = KEYED[table];
  const fields = comparedFields(table).map((compared, place) => {
    const { field, column, member } = compared;
    const valueIn = (alias: string): string => `${alias}."${column}"${member === null ? '' : `."${member}"`}`;
    return `CASE WHEN ${valueIn('o')} IS DISTINCT FROM ${valueIn('t')} THEN {'place': ${place}, 'field': '${field}',
      'old': ${valueJson(table, compared, 'o')}, 'new': ${valueJson(table, compared, 't')}} END`;
  });
  const hash = `hash(${columnList(comparedColumns(table))})`;
  const values = { key, state: state(hash), or_differing: orDiffering, fields: fields.join(', ') };
  await db.run(await sql('compare', { table, ...values }));
}

async function compareStatements(db: SqlConnection, table: StatedTable): Promise<void> {
  const { value, field } = STATED[table];
  const values = { table, field, columns: columnList(value), value: rowJson(table, value) };
  await db.run(await sql('statements', values));
}

function assertAddsUp(table: string, counts: Readonly<Record<string, number>>): void {
  const { from = 0, to = 0, removed = 0, lost = 0, merged = 0, added = 0, gained = 0, split = 0 } = counts;
  const computed = from - removed - lost - merged + added + gained + split;
  if (computed === to) return;
  throw new Error(
    `the diff of ${table} does not add up: ${computed} by its parts, ${to} in the later snapshot; a key is there twice, so verify both snapshots`,
  );
}
