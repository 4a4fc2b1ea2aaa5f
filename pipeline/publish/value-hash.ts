import { createHash } from 'node:crypto';
import { type Manifest, SNAPSHOT_TABLES, type SnapshotTable } from '../../snapshot-format/manifest.ts';
import type { Database } from '../store/database.ts';
import { columnList, hashedColumns, parquetSource, TABLE_SPECS } from '../store/snapshot-tables.ts';
import { sha256 } from './durable.ts';

export interface TableValues {
  rows: number;
  valueHash: string;
}

/**
 * SHA-256 over the SHA-256 of each row's JSON (columns in file order, run times left out), rows in key order. Read from
 * the Parquet files themselves, so that publish and verify hash the same thing. Equal rows need no order among them. A
 * column that the file does not have yet is left out, so that snapshots made before it came stay verifiable.
 */
export async function hashTable(db: Database, dir: string, table: SnapshotTable): Promise<TableValues> {
  const described = await db.all(`DESCRIBE SELECT * FROM ${parquetSource(dir, table)}`);
  const held = new Set(described.map((row) => row.column_name));
  const hashed = hashedColumns(table).filter((column) => held.has(column));
  const columns = hashed.map((column) => `'${column}': "${column}"`);
  const hash = createHash('sha256');
  let rows = 0;
  const query = `SELECT sha256(to_json({${columns.join(', ')}})::VARCHAR) AS row_hash
    FROM ${parquetSource(dir, table)} ORDER BY ${columnList(TABLE_SPECS[table].key)}, row_hash`;
  for await (const chunk of db.stream(query)) {
    for (const row of chunk) hash.update(row.row_hash as string);
    rows += chunk.length;
  }
  return { rows, valueHash: hash.digest('hex') };
}

/** What a snapshot holds, apart from when and where it was made: equal for equal inputs, rules and code. */
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
