import { join } from 'node:path';
import { type HttpLoad, measureHttp } from '../latency.ts';
import { scratchFolder, startMeasuredServer } from '../process.ts';
import { machine, note, number, writeResults } from '../report.ts';
import { fillBoard } from './fill.ts';
import { readsOf } from './reads.ts';
import { type Sizes, sizesOf } from './sizes.ts';
import { measureSubscriptions, type SubscriptionResults } from './subscriptions.ts';

export const BOARD_SCALE_HELP = `       npm run bench -- board-scale [--events 1000000] [--seconds 5] [--json]

Fills a board with --events events, findings, claims, messages and research objects in proportion, and 10,000 webhook
subscriptions. Then measures each kind of read on one connection after a warm-up, for a fifth of --seconds but at least a
second, and delivers one event to every subscription.
`;

const SHARE_OF_SECONDS = 0.2;

export interface ScaleResults {
  machine: ReturnType<typeof machine>;
  sizes: Sizes;
  fillSeconds: number;
  readyMs: number;
  reads: Record<string, HttpLoad>;
  memory: { rssMb: number | null; privateMb: number | null };
  subscriptions: SubscriptionResults;
}

export async function benchBoardScale(events: number, seconds: number, json: boolean): Promise<void> {
  await using folder = await scratchFolder('scale');
  const results = await measure(folder.path, sizesOf(events), Math.max(1, seconds * SHARE_OF_SECONDS));
  await writeResults(`board-scale-${events}`, results);
  process.stdout.write(json ? `${JSON.stringify(results)}\n` : table(results));
}

async function measure(root: string, sizes: Sizes, seconds: number): Promise<ScaleResults> {
  const path = join(root, 'board.sqlite');
  note(`filling a board with ${sizes.events} events`);
  const started = performance.now();
  const filled = await fillBoard(path, sizes);
  const fillSeconds = (performance.now() - started) / 1000;
  const environment = { DATA_DIR: join(root, 'data'), BOARD_DB: path, RATE_LIMITS: 'off', LOG_LEVEL: 'info' };
  const server = await startMeasuredServer('board-server/main.ts', environment);
  const reads: Record<string, HttpLoad> = {};
  for (const [name, paths] of Object.entries(readsOf(filled, sizes.agents))) {
    note(`reading: ${name}`);
    await measureHttp(server.url, paths, 1, seconds);
    reads[name] = await measureHttp(server.url, paths, 1, seconds);
  }
  const memory = server.memory();
  await server.stop();
  note(`one event for ${sizes.webhooks} subscriptions`);
  const subscriptions = await measureSubscriptions(path);
  return { machine: machine(), sizes, fillSeconds, readyMs: server.readyMs, reads, memory, subscriptions };
}

function table({ machine: where, sizes, fillSeconds, readyMs, reads, memory, subscriptions }: ScaleResults): string {
  const sized = Object.entries(sizes).map(([name, size]) => `${size} ${name}`);
  const { deliveries, seconds, cpuSeconds, grownMb, writes } = subscriptions;
  return `${[
    `board of ${sized.join(', ')} on ${where.cores} x ${where.cpu}, ${where.memoryGb} GB, Node ${where.node}`,
    '',
    '| over HTTP, 1 connection | p50, ms | p99, ms | reads | failed |',
    '|---|---|---|---|---|',
    ...Object.entries(reads).map(
      ([name, load]) => `| ${name} | ${number(load.p50Ms)} | ${number(load.p99Ms)} | ${load.count} | ${load.failed} |`,
    ),
    '',
    `Filled in ${number(fillSeconds, 0)} s; from start to listening ${number(readyMs, 0)} ms. After the reads: RSS ${number(memory.rssMb, 0)} MB, private ${number(memory.privateMb, 0)} MB.`,
    `One event to all subscriptions: ${deliveries} deliveries in ${number(seconds)} s (${number(cpuSeconds)} s of CPU, ${number(grownMb, 0)} MB more memory); writes meanwhile p50 ${number(writes.p50Ms)} ms, p99 ${number(writes.p99Ms)} ms.`,
  ].join('\n')}\n`;
}
