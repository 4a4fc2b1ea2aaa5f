import { join } from 'node:path';
import { CHANGES_FILE } from '../../snapshot/format/versions/change.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { CHANGE_COLUMNS, CHANGE_KEY, type DiffTotals, makeStoredChanges } from '../../snapshot/sql/compare.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import { rowLeaf } from '../../snapshot/sql/row-json.ts';
import { columnList } from '../../snapshot/sql/tables.ts';
import type { Effects } from '../effects.ts';
import type { Connection } from '../store/database.ts';
import { writeDescribedParquet } from '../store/described-parquet.ts';
import { withScratchDatabase } from '../store/scratch-database.ts';
import { type FileSum, settleFile } from './durable.ts';
import { withTreeFile } from './identity/proof-trees.ts';
import { type LeafTree, rootOfHashes, type TableValues } from './identity/table-root.ts';

/** What the comparison may hold while the serving image is made beside it; the rest spills to disk. */
const MEMORY_LIMIT = '700MB';
/** Rows in a row group of the changes: one trial's are read from few groups. */
const ROWS_PER_GROUP = 4096;

/** Null without a parent. */
export type StoredChangesOf = Pick<Manifest, 'changes'> & {
  storedChanges: NonNullable<Manifest['storedChanges']> | null;
  /** The tree of the rows, where they are stored. */
  trees: FileSum[];
};

/** A snapshot before its manifest is there. */
export interface NewSnapshot {
  dir: string;
  corpus: Manifest['corpus'];
}

/**
 * Writes what differs from the parent into the new snapshot, and counts it. Between two corpora it is counted only: every row would be there twice.
 */
export async function writeChanges(
  { from, to }: { from: { dir: string; manifest: Pick<Manifest, 'corpus'> }; to: NewSnapshot },
  effects: Effects,
): Promise<StoredChangesOf> {
  return withScratchDatabase(async (db) => {
    await db.run(`SET memory_limit = ${sqlLiteral(MEMORY_LIMIT)}`);
    const totals = await makeStoredChanges(db, from.dir, to.dir);
    const changes = trialCounts(totals);
    if (from.manifest.corpus !== to.corpus) return { changes, storedChanges: null, trees: [] };
    // With two threads the row groups could be written in another order.
    await db.run('SET threads = 1');
    await writeDescribedParquet(db, {
      table: 'changes',
      rows: `SELECT ${columnList(CHANGE_COLUMNS)} FROM stored_changes ORDER BY ${columnList(CHANGE_KEY)}`,
      path: join(to.dir, CHANGES_FILE),
      options: `ROW_GROUP_SIZE ${ROWS_PER_GROUP}`,
    });
    const table = await settleFile(to.dir, CHANGES_FILE, effects);
    const hash = (tree: LeafTree): Promise<TableValues> => rootOfChanges(db, changesIn(to.dir), tree);
    const { values, file } = await withTreeFile(to.dir, 'changes', hash, effects);
    return { changes, storedChanges: { ...values, bytes: table.bytes, files: [table] }, trees: [file] };
  });
}

export function trialCounts({ trials }: DiffTotals): NonNullable<Manifest['changes']> {
  const { added, changed, removed, merged, split } = trials;
  return { added, changed, removed, merged, split };
}

/** SQL of the stored changes of a directory. */
export function changesIn(dir: string): string {
  return `read_parquet(${sqlLiteral(join(dir, CHANGES_FILE))})`;
}

/** Rows and root of changes in their order, from SQL that gives their columns. */
export function rootOfChanges(db: Connection, source: string, tree?: LeafTree): Promise<TableValues> {
  const from = `(SELECT ${columnList(CHANGE_KEY)}, ${rowLeaf('changes', CHANGE_COLUMNS)} AS row_hash FROM ${source})`;
  return rootOfHashes(db, { from, order: `${columnList(CHANGE_KEY)}, row_hash` }, tree);
}
