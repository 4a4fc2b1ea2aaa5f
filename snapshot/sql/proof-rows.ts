import { join } from 'node:path';
import { canonicalJson } from '../../contract/canonical-json.ts';
import type { Manifest } from '../format/versions/manifest.ts';
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

/** What of one column, or of several narrow ones, a row group may hold before compression where it is read at once. */
const READ_AT_ONCE_BYTES = 48 * 2 ** 20;

/** Of each column of a table's file that is hashed, the bytes of its largest chunk before compression. */
type ColumnSizes = ReadonlyMap<string, number>;

const sizesOf = new WeakMap<Manifest, Map<ProvenTable, ColumnSizes>>();

/**
 * Rows of a table by SQL on columns of its key, or of few rows. DuckDB skips row groups by their ranges; of one that it reads it unpacks
 * the whole of each column, 200 MB together in the widest table, which takes 0.2 s. So columns are read in batches, which keeps the
 * memory of a look-up small.
 */
export async function provenRows(
  connection: KeyedConnection,
  snapshot: { directory: string; manifest: Manifest },
  table: ProvenTable,
  [condition, ...values]: [string, ...string[]],
): Promise<ProvenRow[]> {
  const rows = new Map<number, Record<string, unknown>>();
  const sizes = await columnSizes(connection, snapshot, table);
  for (const columns of batches(sizes)) {
    const found = await connection.all(
      `SELECT file_row_number::DOUBLE AS place, ${rowJson(table, columns)} AS members
       FROM ${sourceOf(snapshot.directory, table, true)} WHERE ${condition}`,
      values,
    );
    for (const { place, members: part } of found)
      rows.set(Number(place), { ...rows.get(Number(place)), ...(JSON.parse(String(part)) as object) });
  }
  return [...rows].sort(([a], [b]) => a - b).map(([index, members]) => ({ index, row: canonicalJson(members) }));
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

/** Whole rows are among the values of these columns, so each is read on its own. */
const WIDE_COLUMNS = ['old', 'new'];

/** Stored changes from `first` up to and without `end`. */
export async function changeRows(
  connection: KeyedConnection,
  directory: string,
  first: number,
  end: number,
): Promise<ChangeRows> {
  const narrow = CHANGE_COLUMNS.filter((column) => !WIDE_COLUMNS.includes(column));
  const rows: object[] = [];
  for (const columns of [narrow, ...WIDE_COLUMNS.map((column) => [column])]) {
    const found = await connection.all(
      `SELECT ${rowJson('changes', columns)} AS members FROM ${sourceOf(directory, 'changes', true)}
       WHERE file_row_number BETWEEN ${first} AND ${end - 1} ORDER BY file_row_number`,
      [],
    );
    for (const [place, { members }] of found.entries())
      rows[place] = { ...rows[place], ...(JSON.parse(String(members)) as object) };
  }
  return { first, rows: rows.map(canonicalJson) };
}

/** SQL that reads the one file of a table; `place` adds the number of each row in it, from 0, as `file_row_number`. */
export function sourceOf(directory: string, table: TreeTable, place = false): string {
  return `read_parquet(${sqlLiteral(join(directory, `${table}.parquet`))}${place ? ', file_row_number = true' : ''})`;
}

/** In the order of the table. An older snapshot may lack a column. */
async function columnSizes(
  connection: KeyedConnection,
  { directory, manifest }: { directory: string; manifest: Manifest },
  table: ProvenTable,
): Promise<ColumnSizes> {
  const ofManifest = sizesOf.get(manifest) ?? new Map<ProvenTable, ColumnSizes>();
  sizesOf.set(manifest, ofManifest);
  const held = ofManifest.get(table);
  if (held !== undefined) return held;
  const found = await connection.all(
    `SELECT name, max(bytes)::DOUBLE AS bytes FROM (
       SELECT split_part(path_in_schema, ', ', 1) AS name, row_group_id, sum(total_uncompressed_size) AS bytes
       FROM parquet_metadata(${sqlLiteral(join(directory, `${table}.parquet`))}) GROUP BY ALL
     ) GROUP BY name`,
    [],
  );
  const bytesOf = new Map(found.map(({ name, bytes }) => [String(name), Number(bytes)]));
  const sizes = new Map(
    hashedColumns(table).flatMap((column) => {
      const bytes = bytesOf.get(column);
      return bytes === undefined ? [] : [[column, bytes] as const];
    }),
  );
  ofManifest.set(table, sizes);
  return sizes;
}

/** The columns, divided by size. There is one batch at least, which tells where the rows are. */
function batches(sizes: ColumnSizes): string[][] {
  const made: string[][] = [[]];
  let bytes = 0;
  for (const [column, size] of sizes) {
    if (made.at(-1)!.length > 0 && bytes + size > READ_AT_ONCE_BYTES) {
      made.push([]);
      bytes = 0;
    }
    made.at(-1)!.push(column);
    bytes += size;
  }
  return made;
}
