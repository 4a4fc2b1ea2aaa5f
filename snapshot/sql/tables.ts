import { join } from 'node:path';
import { type DescribedColumn, SNAPSHOT_TABLE_DESCRIPTIONS } from '../../contract/fields/snapshot-tables.ts';
import { SNAPSHOT_TABLES, type SnapshotTable } from '../format/versions/manifest.ts';
import { sqlLiteral } from './connection.ts';
import { instantText, ORIGIN_COLUMNS, parquetType } from './fields.ts';

/** How one table of a snapshot is written, ordered and hashed. */
export interface TableSpec {
  /** Columns in the order of the Parquet file. */
  columns: readonly string[];
  /** Columns that order the rows. */
  key: readonly string[];
  /** Table or view of the working database; null for the payloads, which are not in it. */
  source: string | null;
}

function specOf(table: SnapshotTable): TableSpec {
  const { columns, sortedBy } = SNAPSHOT_TABLE_DESCRIPTIONS[table];
  const source = table === 'trials' ? 'merged_trials' : table === 'raw' ? null : table;
  return { columns: columns.map(({ name }) => name), key: sortedBy, source };
}

/** The tables of a snapshot. A table without a natural key is ordered by all its columns. */
export const TABLE_SPECS = Object.fromEntries(SNAPSHOT_TABLES.map((table) => [table, specOf(table)])) as Readonly<
  Record<SnapshotTable, TableSpec>
>;

/** Column names for a SELECT list or an ORDER BY. */
export function columnList(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}

/** SELECT list that makes the columns of a Parquet table from rows of its source in the working database. */
export function writtenColumns(table: SnapshotTable): string {
  return SNAPSHOT_TABLE_DESCRIPTIONS[table].columns
    .map((column) => `${writtenValue(column)} AS "${column.name}"`)
    .join(', ');
}

function writtenValue({ name, type, follows }: DescribedColumn): string {
  // A month is filled up to its first day.
  if (type === 'day') return `CAST(rpad("${follows}"."date", 10, '-01') AS DATE)`;
  return type === 'instant' ? `CAST("${name}" AS ${parquetType(type)})` : `"${name}"`;
}

/** SQL of a Parquet table with its instants as text, as working tables have them. */
export function withInstantsAsText(table: SnapshotTable, source: string): string {
  const instants = SNAPSHOT_TABLE_DESCRIPTIONS[table].columns.filter(({ type }) => type === 'instant');
  const texts = instants.map(({ name }) => `${instantText(`"${name}"`)} AS "${name}"`);
  return texts.length === 0 ? source : `(SELECT * REPLACE (${texts.join(', ')}) FROM ${source})`;
}

/** Columns whose values make up the root: all but run times, and payloads, whose checksum is hashed. */
export function hashedColumns(table: SnapshotTable): string[] {
  const columns: readonly DescribedColumn[] = SNAPSHOT_TABLE_DESCRIPTIONS[table].columns;
  return columns.filter(({ hashed }) => hashed !== false).map(({ name }) => name);
}

/** Columns by which two snapshots are compared: the hashed ones but those that follow from another one of the row. */
export function comparedColumns(table: SnapshotTable): string[] {
  const columns: readonly DescribedColumn[] = SNAPSHOT_TABLE_DESCRIPTIONS[table].columns;
  return columns.filter(({ hashed, follows }) => hashed !== false && follows === undefined).map(({ name }) => name);
}

/** A value of a row by which two snapshots are compared, as differences name it. */
export interface ComparedField {
  field: string;
  column: string;
  /** Name of the member of the column's value, where each is compared on its own. */
  member: string | null;
}

/** What is compared of a row: its compared columns, then of `origins` each merged column (`origins.phase`). */
export function comparedFields(table: SnapshotTable): ComparedField[] {
  const columns = comparedColumns(table);
  const own = columns.filter((column) => column !== 'origins');
  const members = own.length === columns.length ? [] : ORIGIN_COLUMNS.map(({ column }) => column);
  return [
    ...own.map((column) => ({ field: column, column, member: null })),
    ...members.map((member) => ({ field: `origins.${member}`, column: 'origins', member })),
  ];
}

/** SQL that reads a table of a snapshot directory. */
export function parquetSource(dir: string, table: SnapshotTable): string {
  const files = table === 'raw' ? join('raw', 'part-*.parquet') : `${table}.parquet`;
  return `read_parquet(${sqlLiteral(join(dir, files))})`;
}

/**
 * SQL that reads columns of a snapshot's payloads. The part files may also hold payloads of records that were later
 * changed or removed; a payload belongs to the snapshot when a registration names it.
 */
export function payloadSource(dir: string, columns: readonly string[]): string {
  return `(SELECT ${columnList(columns)} FROM ${parquetSource(dir, 'raw')}
    SEMI JOIN (SELECT registry, id, payload_sha256 FROM ${parquetSource(dir, 'registrations')}) named
      USING (registry, id, payload_sha256))`;
}

/** The table that a file of the snapshot belongs to; null for any other file. */
export function tableOfFile(path: string): SnapshotTable | null {
  if (/^raw\/part-\d{4,}\.parquet$/.test(path)) return 'raw';
  return SNAPSHOT_TABLES.find((table) => table !== 'raw' && path === `${table}.parquet`) ?? null;
}
