import { join } from 'node:path';
import { canonicalJson } from '../proof/canonical-json.ts';
import type { Manifest } from '../snapshot-format/manifest.ts';
import type { ProvenTable } from '../snapshot-format/proof-trees.ts';
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

const batchesOf = new WeakMap<Manifest, Map<ProvenTable, string[][]>>();

/**
 * Rows of a table by SQL on columns of its key, or of few rows. DuckDB skips row groups by their ranges; of one that it reads it unpacks
 * the whole of each column, 200 MB together in the widest table. So columns are read in batches, which keeps the memory of a
 * look-up small.
 */
export async function provenRows(
  connection: KeyedConnection,
  snapshot: { directory: string; manifest: Manifest },
  table: ProvenTable,
  [condition, ...values]: [string, ...string[]],
): Promise<ProvenRow[]> {
  const rows = new Map<number, Record<string, unknown>>();
  for (const columns of await batches(connection, snapshot, table)) {
    const found = await connection.all(
      `SELECT file_row_number::DOUBLE AS place, ${rowJson(table, columns)} AS members
       FROM ${sourceOf(snapshot.directory, table, true)} WHERE ${condition}`,
      values,
    );
    for (const { place, members } of found)
      rows.set(Number(place), { ...rows.get(Number(place)), ...(JSON.parse(String(members)) as object) });
  }
  return [...rows].sort(([a], [b]) => a - b).map(([index, members]) => ({ index, row: canonicalJson(members) }));
}

/** SQL that reads the one file of a table; `place` adds the number of each row in it, from 0, as `file_row_number`. */
export function sourceOf(directory: string, table: ProvenTable, place = false): string {
  return `read_parquet(${sqlLiteral(join(directory, `${table}.parquet`))}${place ? ', file_row_number = true' : ''})`;
}

/** The hashed columns that the file has, divided by the size of their largest chunk. */
async function batches(
  connection: KeyedConnection,
  { directory, manifest }: { directory: string; manifest: Manifest },
  table: ProvenTable,
): Promise<string[][]> {
  const known = batchesOf.get(manifest) ?? new Map<ProvenTable, string[][]>();
  batchesOf.set(manifest, known);
  const held = known.get(table);
  if (held !== undefined) return held;
  const sizes = await connection.all(
    `SELECT name, max(bytes)::DOUBLE AS bytes FROM (
       SELECT split_part(path_in_schema, ', ', 1) AS name, row_group_id, sum(total_uncompressed_size) AS bytes
       FROM parquet_metadata(${sqlLiteral(join(directory, `${table}.parquet`))}) GROUP BY ALL
     ) GROUP BY name`,
    [],
  );
  const bytesOf = new Map(sizes.map(({ name, bytes }) => [String(name), Number(bytes)]));
  const made: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const column of hashedColumns(table)) {
    const size = bytesOf.get(column);
    // An older snapshot may lack a column.
    if (size === undefined) continue;
    if (bytes + size > READ_AT_ONCE_BYTES) {
      made.push([]);
      bytes = 0;
    }
    made.at(-1)!.push(column);
    bytes += size;
  }
  known.set(table, made);
  return made;
}
