import type { Connection } from '../../store/database.ts';
import { rootOfRows } from './table-root.ts';

/**
 * Root of the canonical ids in the working database, as `tables.canonical_ids.root` of a snapshot with the same ids. A run that ended
 * at the gate has left its ids there, so they need not be the parent's.
 */
export async function ledgerRoot(db: Connection): Promise<string> {
  return (await rootOfRows(db, 'canonical_ids', 'canonical_ids')).root;
}
