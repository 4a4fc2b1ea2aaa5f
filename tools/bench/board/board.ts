import { join } from 'node:path';
import { toIso } from '../../../board-server/store/instants.ts';
import * as client from '../client.ts';
import { claimRequest } from '../connection.ts';
import { closedLoop, type HttpLoad, measureHttp, type RatedLoad } from '../latency.ts';
import { scratchFolder, startMeasuredServer } from '../process.ts';
import { machine, note, number, writeResults } from '../report.ts';
import { fillBoard } from './fill.ts';
import { readsOf } from './reads.ts';
import { type Sizes, sizesOf } from './sizes.ts';
import { measureSubscriptions, type SubscriptionResults } from './subscriptions.ts';

export const BOARD_HELP = `       npm run bench -- board [--events 1000000] [--seconds 5] [--json]

Writes durable claims to an empty board over HTTP with limits off. Then fills a board with --events events, findings, claims,
messages and research objects in proportion, reads pages of its feed at more places than the server keeps pages, measures each
kind of read on one connection for a fifth of --seconds, and delivers one event to every webhook subscription.
`;

const WRITE_CONNECTIONS = 32;
const READ_CONNECTIONS = 8;
/** More pages than the server remembers, so that each is read from the file. */
const FEED_PAGES = 20_000;
const STEADY_PER_SECOND = 1000;
/** Warm-up as a multiple of the measured time: code is compiled, and the check of a large file that runs after a start ends. */
const WARM_UP = 6;
const SHARE_OF_SECONDS = 0.2;

export interface BoardResults {
  machine: ReturnType<typeof machine>;
  sizes: Sizes;
  claims: HttpLoad;
  feed: HttpLoad;
  /** Feed pages at a rate that is equal in every run. */
  steady: RatedLoad;
  /** By kind of read, one connection. */
  reads: Record<string, HttpLoad>;
  memory: { rssMb: number | null; privateMb: number | null };
  subscriptions: SubscriptionResults;
}

export async function benchBoard(events: number, seconds: number, json: boolean): Promise<void> {
  await using folder = await scratchFolder('board');
  const claims = await measureClaims(folder.path, seconds);
  const results = { machine: machine(), claims, ...(await measureFilled(folder.path, sizesOf(events), seconds)) };
  await writeResults(`board-${events}`, results);
  process.stdout.write(json ? `${JSON.stringify(results)}\n` : table(results));
}

function settingsOf(root: string, name: string): Record<string, string> {
  return { DATA_DIR: join(root, name), BOARD_DB: join(root, `${name}.sqlite`), RATE_LIMITS: 'off', LOG_LEVEL: 'info' };
}

async function measureClaims(root: string, seconds: number): Promise<HttpLoad> {
  note(`writing claims for ${seconds} s`);
  await using server = await startMeasuredServer('board-server/main.ts', settingsOf(root, 'claims'));
  const load = { connections: WRITE_CONNECTIONS, seconds, isGood: (status: number) => status === 201 };
  // Another scope for each of them: an equal claim would be refused.
  const write = (scope: string): Promise<HttpLoad> =>
    closedLoop(server.url, load, (number) => claimRequest(scope, number));
  await write('warm-up');
  return await write('slice');
}

async function measureFilled(
  root: string,
  sizes: Sizes,
  seconds: number,
): Promise<Omit<BoardResults, 'machine' | 'claims'>> {
  const settings = settingsOf(root, 'filled');
  note(`filling a board with ${sizes.events} events`);
  const filled = await fillBoard(settings.BOARD_DB!, sizes);
  const server = await startMeasuredServer('board-server/main.ts', settings);
  note('reading feed pages');
  const paths = Array.from({ length: FEED_PAGES }, (_, page) => {
    const since = filled.times[Math.floor((page / FEED_PAGES) * filled.times.length)] as number;
    return `/api/v1/changes?since=${encodeURIComponent(toIso(since))}&limit=50`;
  });
  // In a process of its own: other work of this one, e.g. reading the server's log, would count as the server's delay.
  const target = { origin: server.url, paths, connections: READ_CONNECTIONS, seconds };
  await client.closedLoop({ ...target, seconds: WARM_UP * seconds });
  const feed = await client.closedLoop(target);
  const steady = await client.openLoopAt(target, STEADY_PER_SECOND);
  const reads: Record<string, HttpLoad> = {};
  for (const [name, some] of Object.entries(readsOf(filled, sizes.agents))) {
    note(`reading: ${name}`);
    await measureHttp(server.url, some, 1, seconds * SHARE_OF_SECONDS);
    reads[name] = await measureHttp(server.url, some, 1, seconds * SHARE_OF_SECONDS);
  }
  const memory = server.memory();
  await server.stop();
  note(`one event for ${sizes.webhooks} subscriptions`);
  const subscriptions = await measureSubscriptions(settings.BOARD_DB!, sizes.webhooks);
  return { sizes, feed, steady, reads, memory, subscriptions };
}

function table({ machine: where, sizes, claims, feed, steady, reads, memory, subscriptions }: BoardResults): string {
  const sized = Object.entries(sizes).map(([name, size]) => `${size} ${name}`);
  const row = (name: string, { requestsPerSecond, p50Ms, p99Ms, failed }: HttpLoad): string =>
    `| ${name} | ${number(requestsPerSecond, 0)} | ${number(p50Ms)} | ${number(p99Ms)} | ${failed} |`;
  const { seconds, cpuSeconds, grownMb, writes } = subscriptions;
  return `${[
    `board of ${sized.join(', ')} on ${where.cores} x ${where.cpu}, ${where.memoryGb} GB, Node ${where.node}; the load on the same cores`,
    '',
    '| over HTTP | a second | p50, ms | p99, ms | failed |',
    '|---|---|---|---|---|',
    row(`durable claims on an empty board, ${WRITE_CONNECTIONS} connections`, claims),
    row(`feed pages of 50, ${READ_CONNECTIONS} connections`, feed),
    row(`the same, ${steady.offeredPerSecond} offered a second`, steady),
    ...Object.entries(reads).map(([name, load]) => row(name, load)),
    '',
    `Memory of the board server after the reads: RSS ${number(memory.rssMb, 0)} MB, private ${number(memory.privateMb, 0)} MB.`,
    `One event to all ${sizes.webhooks} subscriptions in ${number(seconds)} s (${number(cpuSeconds)} s of CPU, ${number(grownMb, 0)} MB more memory); writes meanwhile p50 ${number(writes.p50Ms)} ms, p99 ${number(writes.p99Ms)} ms.`,
  ].join('\n')}\n`;
}
