import { join } from 'node:path';
import { toIso } from '../../board-server/store/instants.ts';
import { WorkerPool } from '../../server-kit/threads/worker-pool.ts';
import * as client from './client.ts';
import { claimRequest } from './connection.ts';
import type { FillFeedData } from './fill-feed-worker.ts';
import { closedLoop, type HttpLoad, type RatedLoad } from './latency.ts';
import { scratchFolder, startMeasuredServer } from './process.ts';
import { machine, note, number, writeResults } from './report.ts';

export const BOARD_HELP = `       npm run bench -- board [--events 1000000] [--seconds 5] [--json]

Writes durable claims over HTTP with limits off. Then reads pages of a feed of --events events at more places than the
server keeps pages. Each measurement follows a warm-up with the same requests.
`;

const WRITE_CONNECTIONS = 32;
const READ_CONNECTIONS = 8;
/** More pages than the server remembers, so that each is read from the file. */
const FEED_PAGES = 20_000;
const STEADY_PER_SECOND = 1000;
/** Warm-up as a multiple of the measured time: code is compiled, and the check of a large file that runs after a start ends. */
const WARM_UP = 6;

export interface BoardResults {
  machine: ReturnType<typeof machine>;
  claims: HttpLoad;
  feed: HttpLoad & { events: number };
  /** At a rate that is equal in every run. */
  steady: RatedLoad;
  memory: { rssMb: number | null; privateMb: number | null };
}

export async function benchBoard(events: number, seconds: number, json: boolean): Promise<void> {
  await using folder = await scratchFolder('board');
  const results = await measure(folder.path, events, seconds);
  await writeResults(`board-${events}`, results);
  process.stdout.write(json ? `${JSON.stringify(results)}\n` : table(results));
}

async function measure(root: string, events: number, seconds: number): Promise<BoardResults> {
  note(`writing claims for ${seconds} s`);
  const empty = {
    DATA_DIR: join(root, 'claims'),
    BOARD_DB: join(root, 'claims.sqlite'),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'info',
  };
  const writer = await startMeasuredServer('board-server/main.ts', empty);
  await measureClaims(writer.url, seconds, 'warm-up');
  const claims = await measureClaims(writer.url, seconds, 'slice');
  await writer.stop();

  const path = join(root, 'feed.sqlite');
  note(`filling a feed with ${events} events`);
  const times = await fillFeed({ path, events });
  note('reading feed pages');
  const full = { DATA_DIR: join(root, 'feed'), BOARD_DB: path, RATE_LIMITS: 'off', LOG_LEVEL: 'info' };
  const reader = await startMeasuredServer('board-server/main.ts', full);
  const paths = Array.from({ length: FEED_PAGES }, (_, page) => {
    const since = times[Math.floor((page / FEED_PAGES) * times.length)] as number;
    return `/api/v1/changes?since=${encodeURIComponent(toIso(since))}&limit=50`;
  });
  // In a process of its own: other work of this one, e.g. reading the server's log, would count as the server's delay.
  const read = (some: string[], forSeconds: number): Promise<HttpLoad> =>
    client.closedLoop({ origin: reader.url, paths: some, connections: READ_CONNECTIONS, seconds: forSeconds });
  await read(paths, WARM_UP * seconds);
  const feed = await read(paths, seconds);
  const target = { origin: reader.url, paths, connections: READ_CONNECTIONS, seconds };
  const steady = await client.openLoopAt(target, STEADY_PER_SECOND);
  const memory = reader.memory();
  await reader.stop();
  return { machine: machine(), claims, feed: { ...feed, events }, steady, memory };
}

/** Date of each event of the feed, in milliseconds. */
async function fillFeed(data: FillFeedData): Promise<Float64Array> {
  const module = new URL('fill-feed-worker.ts', import.meta.url);
  await using worker = new WorkerPool<FillFeedData, Float64Array>(module, 'fill');
  return await worker.run(data);
}

/** `scope` separates the claims of two measurements, because an equal claim would be refused. */
function measureClaims(origin: string, seconds: number, scope: string): Promise<HttpLoad> {
  const load = { connections: WRITE_CONNECTIONS, seconds, isGood: (status: number) => status === 201 };
  return closedLoop(origin, load, (number) => claimRequest(scope, number));
}

function table({ machine: where, claims, feed, steady, memory }: BoardResults): string {
  const row = (name: string, load: HttpLoad): string =>
    `| ${name} | ${number(load.requestsPerSecond, 0)} | ${number(load.p50Ms)} | ${number(load.p99Ms)} | ${load.failed} |`;
  return `${[
    `board server on ${where.cores} x ${where.cpu}, ${where.memoryGb} GB, Node ${where.node}; the load on the same cores`,
    '',
    '| over HTTP | a second | p50, ms | p99, ms | failed |',
    '|---|---|---|---|---|',
    row(`durable claims, ${WRITE_CONNECTIONS} connections`, claims),
    row(`feed pages of 50 in ${feed.events} events, ${READ_CONNECTIONS} connections`, feed),
    row(`the same, ${steady.offeredPerSecond} offered a second`, steady),
    '',
    `Memory of the board server after the reads: RSS ${number(memory.rssMb, 0)} MB, private ${number(memory.privateMb, 0)} MB.`,
  ].join('\n')}\n`;
}
