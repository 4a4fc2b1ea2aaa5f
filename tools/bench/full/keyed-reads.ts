import { closedLoop, longLoop } from '../client.ts';
import type { HttpLoad, Latency } from '../latency.ts';
import type { MeasuredServer } from '../process.ts';
import { type Queries, searchPaths } from '../queries.ts';
import { ALL_LABELS, read, startIndexServer } from './index-servers.ts';
import type { Room } from './stages.ts';

/** Reads of one trial by its registrations. */
export const KEYED_READS = {
  'detail, raw payloads': (id: string) => `/api/v1/trials/${id}?includeRaw=true`,
  'related, declared': (id: string) => `/api/v1/trials/${id}/related?include=declared`,
} as const;
export type KeyedRead = keyof typeof KEYED_READS;
const NAMES = Object.keys(KEYED_READS) as KeyedRead[];

/** Searches that are due a second, alone and beside as many keyed reads. */
const BESIDE_PER_SECOND = 500;

export interface KeyedReadFigures {
  /** One connection. */
  single: HttpLoad;
  many: HttpLoad;
  beside: { perSecond: number; searchAlone: Latency; search: Latency; read: Latency };
}

/** Each kind of read on a server of its own: one client, sixteen, and beside searches at a steady rate. */
export async function measureKeyedReads(
  room: Room,
  { queries, ids }: { queries: Queries; ids: string[] },
  { seconds, connections }: { seconds: number; connections: number },
): Promise<Record<KeyedRead, KeyedReadFigures>> {
  const found: Partial<Record<KeyedRead, KeyedReadFigures>> = {};
  for (const name of NAMES) {
    await using server = await startIndexServer(room);
    const paths = ids.map(KEYED_READS[name]);
    await read(`${server.url}${ALL_LABELS}`);
    const target = { origin: server.url, paths, seconds };
    const single = await closedLoop({ ...target, connections: 1 });
    const many = await closedLoop({ ...target, connections });
    found[name] = {
      single,
      many,
      beside: await besideSearches(server, paths, { queries, seconds, connections }),
    };
  }
  return found as Record<KeyedRead, KeyedReadFigures>;
}

async function besideSearches(
  server: MeasuredServer,
  reads: string[],
  { queries, seconds, connections }: { queries: Queries; seconds: number; connections: number },
): Promise<KeyedReadFigures['beside']> {
  const searches = searchPaths(queries.mixed);
  const both = searches.flatMap((path, place) => [path, reads[place % reads.length] as string]);
  const target = { origin: server.url, connections, seconds };
  const alone = await longLoop(
    { ...target, paths: searches },
    BESIDE_PER_SECOND,
    searches.map(() => 'search'),
  );
  const kinds = both.map((_, place) => (place % 2 === 0 ? 'search' : 'read'));
  const mixed = await longLoop({ ...target, paths: both }, 2 * BESIDE_PER_SECOND, kinds);
  const latencies = { searchAlone: alone.kinds.search!, search: mixed.kinds.search!, read: mixed.kinds.read! };
  return { perSecond: BESIDE_PER_SECOND, ...latencies };
}
