import { z } from 'zod';
import type { Board } from '../store/board.ts';
import { closeVersion, openQueries, openVersion } from './news-store.ts';

/** Queries that the gateway is given at once. */
const QUERIES_AT_ONCE = 50;

/** What the gateway has the index answer for subscriptions: which trials of each query changed in a version. */
export interface AskedOfIndex {
  /** Null where nothing is asked. */
  version: string | null;
  parent: string | null;
  queries: { key: string; query: Record<string, string> }[];
}

/** What it found: for each query the JSON to deliver, or null where nothing is to be delivered. */
export const foundSchema = z.object({
  version: z.string(),
  found: z.array(z.object({ key: z.string(), data: z.string().nullable() })).max(QUERIES_AT_ONCE),
});

/** The oldest version with queries that have no answer yet; versions that have none are marked as done on the way. */
export async function askedOfIndex(board: Board): Promise<AskedOfIndex> {
  for (;;) {
    const open = await openVersion(board.read);
    if (open === undefined) return { version: null, parent: null, queries: [] };
    const { version, parent } = open;
    const asked = await openQueries(board.read, open, QUERIES_AT_ONCE);
    if (asked.length > 0) {
      const queries = asked.map(({ key, query }) => ({ key, query: JSON.parse(query) as Record<string, string> }));
      return { version, parent, queries };
    }
    await board.write((tx) => closeVersion(tx, version));
  }
}
