import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import { rowLeaf } from '../../../snapshot/sql/row-json.ts';
import { columnList, hashedColumns, TABLE_SPECS } from '../../../snapshot/sql/tables.ts';
import type { Connection } from '../../store/database.ts';
import { rootInOrder } from './table-root.ts';

/**
 * Root of the canonical ids in the working database, as `tables.canonical_ids.root` of a snapshot with the same ids. A run that ended
 * at the gate has left its ids there, so they need not be the parent's. A root that was kept for the same rows is not computed
 * again: 630,000 ids take 1.7 s of CPU.
 */
export async function ledgerRoot(db: Connection): Promise<string> {
  const state = await stateOf(db);
  const kept = await db.one(`SELECT root FROM kept_roots WHERE table_name = '${KEPT}' AND form = ${sqlLiteral(state)}`);
  if (kept !== null) return String(kept.root);
  const columns = hashedColumns('canonical_ids');
  const rows = `SELECT ${columnList(TABLE_SPECS.canonical_ids.key)}, ${rowLeaf('canonical_ids', columns)} AS row_hash FROM canonical_ids`;
  return (await rootInOrder(db, 'canonical_ids', rows)).root;
}

/** Keeps the root of the canonical ids as they are now, for the next `ledgerRoot`. */
export async function keepLedgerRoot(db: Connection, root: string): Promise<void> {
  const state = sqlLiteral(await stateOf(db));
  await db.run(
    `DELETE FROM kept_roots WHERE table_name = '${KEPT}';
     INSERT INTO kept_roots VALUES ('${KEPT}', ${state}, ${sqlLiteral(root)})`,
  );
}

const KEPT = 'canonical_ids';

/** Changes with any row, and with the library that hashes them here. */
async function stateOf(db: Connection): Promise<string> {
  const row = await db.one(
    `SELECT concat_ws(' ', version(), count(*), sum(hash(${columnList(hashedColumns('canonical_ids'))})::HUGEINT)) AS state
     FROM canonical_ids`,
  );
  return String(row?.state);
}
