import { indexNewTexts } from '../full-text.ts';
import type { Session } from '../session.ts';

/** What texts are found by. It is made from the tables of the texts and differs between stores, so that it is not copied. */
const INDEXES = ['claims_search', 'claims_scope', 'messages_search', 'findings_search'];
const SEARCHED = new Set(['claims', 'messages', 'findings']);

/** Makes the texts of a whole board searchable; runs in a transaction. */
export async function rebuildSearch(session: Session): Promise<void> {
  for (const index of INDEXES) {
    const { rows } = await session.send('SELECT to_regclass($1) IS NOT NULL AS found', [index]);
    if ((rows as { found: boolean }[])[0]!.found) await session.send(`DELETE FROM ${index}`);
  }
  await indexNewTexts(session, 0, SEARCHED);
}
