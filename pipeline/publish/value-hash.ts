import { createHash } from 'node:crypto';
import { type Manifest, SNAPSHOT_TABLES, type SnapshotTable } from '../../snapshot-format/manifest.ts';
import { columnList, hashedColumns, parquetSource, payloadSource, TABLE_SPECS } from '../../snapshot-sql/tables.ts';
import type { Connection } from '../store/database.ts';
import { sha256 } from './durable.ts';

export interface TableValues {
  rows: number;
  valueHash: string;
}

/**
 * SHA-256 over the SHA-256 of each row's JSON (columns in file order, without run times), rows in key order. The rows
 * come from the Parquet files, so that publish and verify hash the same bytes. Equal rows may come in any order. A
 * column that the file lacks is left out, so that older snapshots can still be verified.
 */
export async function hashTable(db: Connection, dir: string, table: SnapshotTable): Promise<TableValues> {
  const described = await db.all(`DESCRIBE SELECT * FROM ${parquetSource(dir, table)}`);
  const held = new Set(described.map((row) => row.column_name));
  const hashed = hashedColumns(table).filter((column) => held.has(column));
  // A payload in two parts is one row.
  const source = table === 'raw' ? `(SELECT DISTINCT * FROM ${payloadSource(dir, hashed)})` : parquetSource(dir, table);
  return hashInOrder(
    db,
    table,
    `SELECT ${columnList(TABLE_SPECS[table].key)}, ${rowHash(hashed)} AS row_hash FROM ${source}`,
  );
}

/** SQL of the SHA-256 of a row's JSON. */
export function rowHash(columns: readonly string[]): string {
  return `sha256(to_json({${columns.map((column) => `'${column}': "${column}"`).join(', ')}})::VARCHAR)`;
}

/** The value hash of a table whose keys and row hashes `rows` selects. */
export async function hashInOrder(db: Connection, table: SnapshotTable, rows: string): Promise<TableValues> {
  const order = `${columnList(TABLE_SPECS[table].key)}, row_hash`;
  const { characters, sha256: valueHash } = await hashJoined(db, { text: 'row_hash', from: `(${rows})`, order });
  return { rows: characters / ROW_HASH_CHARACTERS, valueHash };
}

const ROW_HASH_CHARACTERS = 64;
/** Number of texts that DuckDB joins into one; reading each on its own takes three times as long. */
const JOINED = 4096;

/** SHA-256 of concatenated ASCII texts in the order of the SQL `order`, and their number of characters. */
export async function hashJoined(
  db: Connection,
  { text, from, order }: { text: string; from: string; order: string },
): Promise<{ characters: number; sha256: string }> {
  const hash = createHash('sha256');
  let characters = 0;
  const packs = db.streamColumns(
    `SELECT string_agg(part, '' ORDER BY place)
     FROM (SELECT ${text} AS part, row_number() OVER (ORDER BY ${order}) AS place FROM ${from})
     GROUP BY place // ${JOINED} ORDER BY min(place)`,
  );
  for await (const [joined] of packs) {
    for (const some of joined as string[]) {
      hash.update(some, 'latin1');
      characters += some.length;
    }
  }
  return { characters, sha256: hash.digest('hex') };
}

/** Hash of a snapshot's content, without when and where it was made: equal for equal inputs, rules and code. */
export function contentHash(
  manifest: Pick<Manifest, 'formatVersion' | 'rules' | 'asOf' | 'corpus'>,
  valueHashes: Readonly<Record<SnapshotTable, string>>,
): string {
  const { formatVersion, rules, asOf, corpus } = manifest;
  const tables = SNAPSHOT_TABLES.map((table) => [table, valueHashes[table]]);
  return sha256(JSON.stringify([formatVersion, rules.sha256, asOf, corpus, tables]));
}

/** Value hash of each table of a manifest. */
export function valueHashes(tables: Manifest['tables']): Record<SnapshotTable, string> {
  return Object.fromEntries(SNAPSHOT_TABLES.map((table) => [table, tables[table].valueHash])) as Record<
    SnapshotTable,
    string
  >;
}
