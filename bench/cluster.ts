import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { Cluster } from '../cluster/cluster.ts';
import { plainPostgres } from '../cluster/plain-postgres.ts';
import { freePorts } from '../cluster/ports.ts';
import { missingPackages } from '../cluster/programs.ts';
import { Storm } from '../cluster/storm.ts';
import * as client from './client.ts';
import { Followers } from './cluster-followers.ts';
import { claimRequest } from './connection.ts';
import { closedLoop, type HttpLoad } from './latency.ts';
import { scratchFolder, startMeasuredServer } from './process.ts';
import { machine, note, number, writeResults } from './report.ts';

export const CLUSTER_HELP = `       npm run bench -- cluster [--seconds 5] [--followers 10000] [--json]

Durable claims a second on SQLite, on one PostgreSQL and on a cluster of three with a synchronous standby; reads by number
of gateways; followers of the feed held by two gateways; the pause when the primary dies. Needs the Debian packages of
\`npm run cluster\`.
`;

const WRITE_CONNECTIONS = 32;
const READ_CONNECTIONS = 8;
const READ_PATHS = [
  '/api/v1/trials/search?q=diabetes',
  '/api/v1/trials/search?q=asthma',
  '/api/v1/trials/coverage?q=cancer',
];
const STORM_WRITERS = 8;
const STORM_WRITES = 200;

interface ClusterResults {
  machine: ReturnType<typeof machine>;
  claims: Record<string, HttpLoad>;
  reads: Record<string, HttpLoad>;
  followers: { asked: number; held: number; lastToldMs: number | null };
  /** Without an acknowledged write, in ms. */
  pauses: Record<string, number>;
}

export async function benchCluster(seconds: number, followers: number, json: boolean): Promise<void> {
  const missing = missingPackages();
  if (missing.length > 0) throw new Error(`this needs Debian packages: apt-get install ${missing.join(' ')}`);
  await using folder = await scratchFolder('cluster');
  const results: ClusterResults = {
    machine: machine(),
    claims: {},
    reads: {},
    followers: { asked: followers, held: 0, lastToldMs: null },
    pauses: {},
  };
  await measureEmbedded(folder.path, seconds, results);
  await measurePlain(folder.path, seconds, results);
  await measureCluster(seconds, followers, results);
  await writeResults('cluster', results);
  process.stdout.write(json ? `${JSON.stringify(results)}\n` : table(results));
}

async function measureEmbedded(root: string, seconds: number, { claims }: ClusterResults): Promise<void> {
  note('claims on SQLite …');
  await using board = await startBoard(join(root, 'sqlite'), { BOARD_DB: join(root, 'board.sqlite') });
  claims['SQLite, one board'] = await claimsOver([board.url], seconds);
}

async function measurePlain(root: string, seconds: number, { claims }: ClusterResults): Promise<void> {
  note('claims on one PostgreSQL …');
  // PostgreSQL runs as another user and must pass through.
  await chmod(root, 0o711);
  const { member, url } = await plainPostgres(root, (await freePorts(1))[0]!);
  await using _postgres = await member.start();
  const settings = { BOARD_STORE: url, BOARD_KEY_FILE: join(root, 'board.key') };
  await using first = await startBoard(join(root, 'first'), settings);
  claims['one PostgreSQL, one board'] = await claimsOver([first.url], seconds);
  await using second = await startBoard(join(root, 'second'), settings);
  claims['one PostgreSQL, two boards'] = await claimsOver([first.url, second.url], seconds);
}

async function measureCluster(seconds: number, asked: number, results: ClusterResults): Promise<void> {
  note('the cluster starts …');
  await using cluster = await Cluster.start({
    onStep: note,
    settings: { RATE_LIMITS: 'off', LOG_LEVEL: 'warn', BOARD_SECRET: '' },
  });
  results.claims['three of PostgreSQL, one synchronous standby, two boards'] = await claimsOver(
    cluster.boardUrls,
    seconds,
  );
  note('reads …');
  for (const count of [1, 2]) {
    results.reads[`${count} gateway${count > 1 ? 's' : ''}`] = await readsOver(
      cluster.gatewayUrls.slice(0, count),
      seconds,
    );
  }
  note(`${asked} followers …`);
  results.followers = await Followers.measure(cluster.gatewayUrls, asked);
  note('the primary dies …');
  const storm = new Storm('be9c', cluster.gatewayUrls, STORM_WRITERS);
  await storm.more(STORM_WRITES);
  storm.takePause();
  await (await cluster.primary()).kill();
  await storm.more(STORM_WRITES);
  results.pauses['the node of the primary is killed'] = Math.round(storm.takePause());
  await storm.end();
}

function startBoard(dataDir: string, settings: Record<string, string>) {
  return startMeasuredServer('board-server/main.ts', {
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    ...settings,
  });
}

/** After as long a warm-up, over all of them at once. */
async function claimsOver(urls: readonly string[], seconds: number): Promise<HttpLoad> {
  const measure = (scope: string): Promise<HttpLoad[]> =>
    Promise.all(
      urls.map((url, at) =>
        closedLoop(
          url,
          { connections: WRITE_CONNECTIONS / urls.length, seconds, isGood: (status) => status === 201 },
          (place) => claimRequest(`${scope} ${at}`, place),
        ),
      ),
    );
  await measure(`warm-up ${urls.length}`);
  return together(await measure(`slice ${urls.length}`));
}

async function readsOver(urls: readonly string[], seconds: number): Promise<HttpLoad> {
  const read = (): Promise<HttpLoad[]> =>
    Promise.all(
      urls.map((origin) => client.closedLoop({ origin, paths: READ_PATHS, connections: READ_CONNECTIONS, seconds })),
    );
  await read();
  return together(await read());
}

/** The sum of the rates and the worst of the times. */
function together(loads: readonly HttpLoad[]): HttpLoad {
  const [first, ...others] = loads as [HttpLoad, ...HttpLoad[]];
  return others.reduce(
    (sum, load) => ({
      ...sum,
      requestsPerSecond: sum.requestsPerSecond + load.requestsPerSecond,
      failed: sum.failed + load.failed,
      p50Ms: Math.max(sum.p50Ms, load.p50Ms),
      p99Ms: Math.max(sum.p99Ms, load.p99Ms),
    }),
    first,
  );
}

function table({ machine: where, claims, reads, followers, pauses }: ClusterResults): string {
  const rows = (loads: Record<string, HttpLoad>): string[] =>
    Object.entries(loads).map(
      ([name, load]) =>
        `| ${name} | ${number(load.requestsPerSecond, 0)} | ${number(load.p50Ms)} | ${number(load.p99Ms)} | ${load.failed} |`,
    );
  const head = ['| a second | p50, ms | p99, ms | failed |', '|---|---|---|---|---|'];
  return `${[
    `${where.cores} x ${where.cpu}, ${where.memoryGb} GB, Node ${where.node}; every program and the load on the same cores`,
    '',
    `| durable claims, ${WRITE_CONNECTIONS} connections ${head[0]}`,
    head[1],
    ...rows(claims),
    '',
    `| reads, ${READ_CONNECTIONS} connections a gateway ${head[0]}`,
    head[1],
    ...rows(reads),
    '',
    `Followers over two gateways: ${followers.held} of ${followers.asked} held; the last was told of an event after ${number(followers.lastToldMs, 0)} ms.`,
    ...Object.entries(pauses).map(
      ([what, ms]) => `Longest time without an acknowledged write when ${what}: ${number(ms / 1000)} s.`,
    ),
  ].join('\n')}\n`;
}
