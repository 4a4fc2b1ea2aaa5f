import { sha256 } from '../../../server-kit/hashing.ts';
import { type Manifest, SNAPSHOT_TABLES, type SnapshotTable } from '../../../snapshot/format/versions/manifest.ts';
import { RootOfLeaves } from '../../../snapshot/proof/merkle.ts';
import { rowLeaf } from '../../../snapshot/sql/row-json.ts';
import { columnList, hashedColumns, parquetSource, payloadSource, TABLE_SPECS } from '../../../snapshot/sql/tables.ts';
import type { Connection } from '../../store/database.ts';

export interface TableValues {
  rows: number;
  /** Root of the Merkle tree over the rows in key order, lower-case hex. */
  root: string;
}

/** What takes the leaves of a table in key order and knows their root; one may keep them as well. */
export type LeafTree = Pick<RootOfLeaves, 'size' | 'add' | 'root'>;

/**
 * Root of the Merkle tree over a table's rows in key order, without run times (docs/snapshots.md#hashes). The rows come from the
 * Parquet files, so that publish and verify hash the same bytes. Equal rows may come in any order. A column that the file
 * lacks is left out, so that a snapshot without a field that was added later can be verified.
 */
export async function rootOfTable(
  db: Connection,
  dir: string,
  table: SnapshotTable,
  tree?: LeafTree,
): Promise<TableValues> {
  const described = await db.all(`DESCRIBE SELECT * FROM ${parquetSource(dir, table)}`);
  const held = new Set(described.map((row) => row.column_name));
  const hashed = hashedColumns(table).filter((column) => held.has(column));
  // A payload in two parts is one row.
  const source = table === 'raw' ? `(SELECT DISTINCT * FROM ${payloadSource(dir, hashed)})` : parquetSource(dir, table);
  return rootOfRows(db, table, source, hashed, tree);
}

/** The root of the rows of a table that `source` gives, SQL of a table with its columns. */
export function rootOfRows(
  db: Connection,
  table: SnapshotTable,
  source: string,
  columns: readonly string[] = hashedColumns(table),
  tree?: LeafTree,
): Promise<TableValues> {
  const key = columnList(TABLE_SPECS[table].key);
  const from = `(SELECT ${key}, ${rowLeaf(table, columns)} AS row_hash FROM ${source})`;
  return rootOfHashes(db, { from, order: `${key}, row_hash` }, tree);
}

/**
 * Root of the canonical ids in the working database, as `tables.canonical_ids.root` of a snapshot with the same ids. A run that ended
 * at the gate has left its ids there, so they need not be the parent's.
 */
export async function ledgerRoot(db: Connection): Promise<string> {
  return (await rootOfRows(db, 'canonical_ids', 'canonical_ids')).root;
}

/** Number of hashes that DuckDB joins into one text; reading each on its own takes three times as long. */
const JOINED = 4096;

/** Root over the column `row_hash`, in hex, of the rows `from` in the order of the SQL `order`. */
export async function rootOfHashes(
  db: Connection,
  { from, order }: { from: string; order: string },
  tree: LeafTree = new RootOfLeaves(),
): Promise<TableValues> {
  const packs = db.streamColumns(
    `SELECT string_agg(part, '' ORDER BY place)
     FROM (SELECT row_hash AS part, row_number() OVER (ORDER BY ${order}) AS place FROM ${from})
     GROUP BY place // ${JOINED} ORDER BY min(place)`,
  );
  for await (const [joined] of packs) {
    for (const some of joined as string[]) tree.add(Buffer.from(some, 'hex'));
  }
  return { rows: tree.size, root: tree.root().toString('hex') };
}

/** Form of the content hash; that of the snapshot may change without it. */
const CONTENT_FORM = 3;

/** Hash of a snapshot's content, without when and where it was made: equal for equal inputs, rules and code. */
export function contentHash(
  { rules, asOf, corpus }: Pick<Manifest, 'rules' | 'asOf' | 'corpus'>,
  roots: Readonly<Record<SnapshotTable, string>>,
): string {
  const tables = SNAPSHOT_TABLES.map((table) => [table, roots[table]]);
  return sha256(JSON.stringify([CONTENT_FORM, rules.sha256, asOf, corpus, tables]));
}

/** Root of each table of a manifest. */
export function rootsOf(tables: Manifest['tables']): Record<SnapshotTable, string> {
  return Object.fromEntries(SNAPSHOT_TABLES.map((table) => [table, tables[table].root])) as Record<
    SnapshotTable,
    string
  >;
}
