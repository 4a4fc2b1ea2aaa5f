import { SEARCHED } from '../migrations/0004-search.ts';
import type { Session } from '../session.ts';

/** Makes the texts of a whole board searchable; runs in a transaction. */
export async function rebuildSearch(session: Session): Promise<void> {
  if (session.dialect === 'postgres') return;
  for (const { index } of SEARCHED) await session.send(`INSERT INTO ${index} (${index}) VALUES ('rebuild')`);
}
