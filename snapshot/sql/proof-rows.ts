import { join } from 'node:path';
import type { ProvenTable, TreeTable } from '../format/versions/proof-trees.ts';
import { CHANGE_COLUMNS } from './compare.ts';
import { sqlLiteral } from './connection.ts';
import { rowJson } from './row-json.ts';
import { hashedColumns } from './tables.ts';

/** The connection to DuckDB that a proof needs. */
export interface KeyedConnection {
  all(sql: string, values: string[]): Promise<Record<string, unknown>[]>;
}

/** A row as its leaf has it. */
export interface ProvenRow {
  /** Place in key order, from 0. */
  index: number;
  /** RFC 8785. */
  row: string;
}

/** Rows of a table by SQL on columns of its key, or of few rows. DuckDB skips row groups by their ranges. */
export async function provenRows(
  connection: KeyedConnection,
  { directory }: { directory: string },
  table: ProvenTable,
  [condition, ...values]: [string, ...string[]],
): Promise<ProvenRow[]> {
  // A version that was published before a column was added lacks it.
  const described = await connection.all(`DESCRIBE SELECT * FROM ${sourceOf(directory, table)}`, []);
  const held = new Set(described.map(({ column_name }) => column_name));
  const columns = hashedColumns(table).filter((column) => held.has(column));
  const found = await connection.all(
    `SELECT file_row_number::DOUBLE AS place, ${rowJson(table, columns)} AS "row"
     FROM ${sourceOf(directory, table, true)} WHERE ${condition} ORDER BY file_row_number`,
    values,
  );
  return found.map(({ place, row }) => ({ index: Number(place), row: String(row) }));
}

/** Stored changes that lie side by side in `changes.parquet`. */
export interface ChangeRows {
  /** Place of the first one, from 0. */
  first: number;
  /** RFC 8785. */
  rows: string[];
}

/** Where the stored changes of a trial are, or would be: how many come before, and how many there are. One column is read. */
export async function changePlaces(
  connection: KeyedConnection,
  directory: string,
  canonicalId: string,
): Promise<{ before: number; own: number }> {
  const [found] = await connection.all(
    `SELECT count(*) FILTER (canonical_id < $1)::DOUBLE AS before, count(*) FILTER (canonical_id = $1)::DOUBLE AS own
     FROM ${sourceOf(directory, 'changes')} WHERE canonical_id <= $1`,
    [canonicalId],
  );
  return { before: Number(found?.before), own: Number(found?.own) };
}

/** Stored changes from `first` up to and without `end`. */
export async function changeRows(
  connection: KeyedConnection,
  directory: string,
  first: number,
  end: number,
): Promise<ChangeRows> {
  const found = await connection.all(
    `SELECT ${rowJson('changes', CHANGE_COLUMNS)} AS "row" FROM ${sourceOf(directory, 'changes', true)}
     WHERE file_row_number BETWEEN ${first} AND ${end - 1} ORDER BY file_row_number`,
    [],
  );
  return { first, rows: found.map(({ row }) => String(row)) };
}

/** SQL that reads the one file of a table; `place` adds the number of each row in it, from 0, as `file_row_number`. */
export function sourceOf(directory: string, table: TreeTable, place = false): string {
  return `read_parquet(${sqlLiteral(join(directory, `${table}.parquet`))}${place ? ', file_row_number = true' : ''})`;
}
