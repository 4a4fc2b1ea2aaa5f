import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { Cluster } from '../cluster/cluster.ts';
import { plainPostgres } from '../cluster/plain-postgres.ts';
import { freePorts } from '../cluster/ports.ts';
import { missingPackages } from '../cluster/programs.ts';
import { Storm } from '../cluster/storm.ts';
import { Followers, type FollowersReport } from './cluster-followers.ts';
import { claimRequest } from './connection.ts';
import { closedLoop, type HttpLoad } from './latency.ts';
import { cpuSecondsOf, type MeasuredServer, memoryOf, scratchFolder, startMeasuredServer, treeOf } from './process.ts';
import { machine, note, number, writeResults } from './report.ts';

export const CLUSTER_PARTS = ['claims', 'reads', 'followers', 'failover'] as const;
export type ClusterPart = (typeof CLUSTER_PARTS)[number];

export const CLUSTER_HELP = `       npm run bench -- cluster [--only ${CLUSTER_PARTS.join(',')}] [--seconds 5] [--followers 10000] [--json]

Durable claims a second on SQLite, on one PostgreSQL and on a cluster of three with a synchronous standby; reads by number
of gateways, each charged at Redis; followers of the feed held by two gateways; the pause when the primary dies. Needs the
Debian packages of \`npm run cluster\`, and 12,000 open files for 10,000 followers.
`;

const WRITE_CONNECTIONS = 32;
const READ_CONNECTIONS = 8;
/** On two cores the third shows what more processes than cores give. */
const GATEWAYS_MAX = 3;
const READ_PATHS = [
  '/api/v1/trials/search?q=diabetes',
  '/api/v1/trials/search?q=asthma',
  '/api/v1/trials/coverage?q=cancer',
];
const STORM_WRITERS = 8;
const STORM_WRITES = 200;
const UNLIMITED = { RATE_LIMITS: 'off', LOG_LEVEL: 'warn' };

interface Claims extends HttpLoad {
  /** Processor time that one claim cost all boards, and PostgreSQL; null without /proc. */
  boardMicros: number | null;
  postgresMicros: number | null;
}

interface Reads extends HttpLoad {
  /** Processor time that one read cost all gateways, and Redis; null without /proc. */
  gatewayMicros: number | null;
  redisMicros: number | null;
}

interface ClusterResults {
  machine: ReturnType<typeof machine>;
  claims: Record<string, Claims>;
  reads: Record<string, Reads>;
  followers: (FollowersReport & { refusals: Record<string, number>; memoryMb: Record<string, number | null> }) | null;
  /** Without an acknowledged write, in ms. */
  pauses: Record<string, number>;
}

export async function benchCluster(
  only: readonly ClusterPart[],
  seconds: number,
  followers: number,
  json: boolean,
): Promise<void> {
  const missing = missingPackages();
  if (missing.length > 0) throw new Error(`this needs Debian packages: apt-get install ${missing.join(' ')}`);
  await using folder = await scratchFolder('cluster');
  const results: ClusterResults = { machine: machine(), claims: {}, reads: {}, followers: null, pauses: {} };
  const measures: Record<ClusterPart, () => Promise<void>> = {
    claims: () => measureClaims(folder.path, seconds, results),
    reads: () => measureReads(seconds, results),
    followers: () => measureFollowers(followers, results),
    failover: () => measureFailover(results),
  };
  if (!json) process.stdout.write(headOf(results));
  for (const part of only) {
    await measures[part]();
    if (!json) process.stdout.write(`\n${LINES_OF[part](results).join('\n')}\n`);
  }
  await writeResults('cluster', results);
  if (json) process.stdout.write(`${JSON.stringify(results)}\n`);
}

async function measureClaims(root: string, seconds: number, { claims }: ClusterResults): Promise<void> {
  await claimsOfBoards(join(root, 'one'), 1, { BOARD_DB: join(root, 'board.sqlite') }, async (boards) => {
    claims['SQLite, one board'] = await claimsOver(boards, [null], seconds);
  });
  // PostgreSQL runs as another user and must pass through.
  await chmod(root, 0o711);
  {
    const { member, url } = await plainPostgres(root, (await freePorts(1))[0]!);
    await using _postgres = await member.start();
    await overDatabase('one PostgreSQL', join(root, 'plain'), url, [member.pid], seconds, claims);
  }
  note('the cluster starts');
  await using cluster = await Cluster.start({ onStep: note, settings: UNLIMITED, boards: 0, gateways: 0 });
  await overDatabase(
    'three of PostgreSQL, one synchronous standby',
    join(root, 'cluster'),
    cluster.postgresUrl,
    cluster.nodes.map((node) => node.serverPid()),
    seconds,
    claims,
  );
}

/** Boards of their own, which take claims from whoever comes, over one database. */
async function overDatabase(
  what: string,
  folder: string,
  url: string,
  postgres: readonly (number | null)[],
  seconds: number,
  claims: Record<string, Claims>,
): Promise<void> {
  const settings = { BOARD_STORE: url, BOARD_KEY_FILE: `${folder}.key` };
  await claimsOfBoards(folder, 2, settings, async (boards) => {
    claims[`${what}, one board`] = await claimsOver(boards.slice(0, 1), postgres, seconds);
    claims[`${what}, two boards`] = await claimsOver(boards, postgres, seconds);
  });
}

async function claimsOfBoards(
  folder: string,
  count: number,
  settings: Record<string, string>,
  measure: (boards: MeasuredServer[]) => Promise<void>,
): Promise<void> {
  note(`claims on ${settings.BOARD_STORE === undefined ? 'SQLite' : 'PostgreSQL'}`);
  await using stack = new AsyncDisposableStack();
  const boards: MeasuredServer[] = [];
  for (let place = 0; place < count; place += 1) {
    boards.push(stack.use(await startBoard(`${folder}-${place}`, settings)));
  }
  await measure(boards);
}

async function measureReads(seconds: number, results: ClusterResults): Promise<void> {
  note('the cluster starts');
  await using cluster = await Cluster.start({ onStep: note, settings: { LOG_LEVEL: 'warn' }, gateways: GATEWAYS_MAX });
  note('reads');
  for (let count = 1; count <= GATEWAYS_MAX; count += 1) {
    const urls = cluster.gatewayUrls.slice(0, count);
    // A read of a caller who was not seen before, as most are: nothing but the charge is shared.
    await readsOver(urls, seconds);
    const pids = cluster.gateways.slice(0, count).map(({ pid }) => pid);
    const cpu = (): Pair => [sumOf(pids.map(cpuOf)), cpuOf(cluster.redis.pid)];
    const before = cpu();
    const load = await readsOver(urls, seconds);
    const [gatewayMicros, redisMicros] = microsEach(before, cpu(), load.requestsPerSecond * seconds);
    results.reads[`${count} gateway${count > 1 ? 's' : ''}`] = { ...load, gatewayMicros, redisMicros };
  }
}

/** With the processes that it runs: a gateway is one that its starter runs. */
function cpuOf(pid: number | null): number | null {
  return pid === null ? null : sumOf(treeOf(pid).map(cpuSecondsOf));
}

type Pair = [number | null, number | null];

/** Processor time of each of the two between two readings, by the number of requests, in µs. */
function microsEach(before: Pair, after: Pair, requests: number): Pair {
  return before.map((was, of) => {
    const is = after[of] ?? null;
    return was === null || is === null ? null : ((is - was) * 1_000_000) / requests;
  }) as Pair;
}

function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0);
}

async function measureFollowers(asked: number, results: ClusterResults): Promise<void> {
  note('the cluster starts');
  await using cluster = await Cluster.start({ onStep: note, settings: UNLIMITED });
  note(`${asked} followers`);
  using followers = new Followers(cluster.gatewayUrls);
  const servers = [...cluster.gateways, ...cluster.boards];
  const rss = () =>
    servers.map(({ pid }) => (pid === null ? null : sumOf(treeOf(pid).map((one) => memoryOf(one).rssMb))));
  const before = rss();
  const report = await followers.measure(asked);
  const after = rss();
  const grown = servers.map(({ name }, at): [string, number | null] => {
    const [was, is] = [before[at] ?? null, after[at] ?? null];
    return [name, was === null || is === null ? null : Math.round(is - was)];
  });
  results.followers = {
    ...report,
    refusals: Object.fromEntries(followers.refusals),
    memoryMb: Object.fromEntries(grown),
  };
}

async function measureFailover(results: ClusterResults): Promise<void> {
  note('the cluster starts');
  await using cluster = await Cluster.start({ onStep: note, settings: UNLIMITED });
  const deaths: [string, () => Promise<unknown>][] = [
    ['a board is killed', () => cluster.boards[0]!.kill().then(() => cluster.boards[0]!.start())],
    ['the server of the primary is killed', async () => (await cluster.primary()).killServer()],
    ['the node of the primary is killed', async () => (await cluster.primary()).kill()],
  ];
  const storm = new Storm('be9c', cluster.gatewayUrls, STORM_WRITERS);
  await storm.more(STORM_WRITES);
  for (const [what, die] of deaths) {
    note(what);
    storm.takePause();
    await die();
    await storm.more(STORM_WRITES);
    results.pauses[what] = Math.round(storm.takePause());
    await cluster.synchronous();
  }
  await storm.end();
}

function startBoard(dataDir: string, settings: Record<string, string>) {
  return startMeasuredServer('board-server/main.ts', {
    DATA_DIR: dataDir,
    BOARD_PORT: '0',
    RATE_LIMITS: 'off',
    ...settings,
  });
}

/** After as long a warm-up, over all of them at once. `postgres`: its processes; [null] where there are none. */
async function claimsOver(
  boards: readonly MeasuredServer[],
  postgres: readonly (number | null)[],
  seconds: number,
): Promise<Claims> {
  const urls = boards.map(({ url }) => url);
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
  const cpu = () => [boards.map(({ pid }) => pid), postgres].map((pids) => sumOf(pids.map(cpuOf))) as Pair;
  const before = cpu();
  const load = together((await measure(`slice ${urls.length}`)) as [HttpLoad, ...HttpLoad[]]);
  const [boardMicros, postgresMicros] = microsEach(before, cpu(), load.requestsPerSecond * seconds);
  return { ...load, boardMicros, postgresMicros };
}

/** Each read comes from a network that was not seen before, so that no bucket is ever empty. */
async function readsOver(urls: readonly string[], seconds: number): Promise<HttpLoad> {
  const load = { connections: READ_CONNECTIONS, seconds, isGood: (status: number) => status === 200 };
  return together((await Promise.all(urls.map((url) => closedLoop(url, load, nextRead)))) as [HttpLoad, ...HttpLoad[]]);
}

let readsSent = 0;

function nextRead(): Buffer {
  const place = readsSent++;
  const address = `${11 + (place >> 16)}.${(place >> 8) & 255}.${place & 255}.1`;
  const path = READ_PATHS[place % READ_PATHS.length]!;
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-forwarded-for: ${address}\r\n\r\n`);
}

/** The sum of the rates and the worst of the times. */
function together(loads: readonly [HttpLoad, ...HttpLoad[]]): HttpLoad {
  const sum = (of: (load: HttpLoad) => number): number => loads.reduce((total, load) => total + of(load), 0);
  return {
    ...loads[0],
    requestsPerSecond: sum(({ requestsPerSecond }) => requestsPerSecond),
    failed: sum(({ failed }) => failed),
    p50Ms: Math.max(...loads.map(({ p50Ms }) => p50Ms)),
    p99Ms: Math.max(...loads.map(({ p99Ms }) => p99Ms)),
  };
}

function headOf({ machine: { cores, cpu, memoryGb, node } }: ClusterResults): string {
  return `${cores} x ${cpu}, ${memoryGb} GB, Node ${node}; every program and the load on the same cores\n`;
}

/** The results of a part as text, shown as soon as it has ended. */
const LINES_OF: Record<ClusterPart, (results: ClusterResults) => string[]> = {
  claims: ({ claims }) => [
    `| durable claims, ${WRITE_CONNECTIONS} connections | a second | p50, ms | p99, ms | failed | boards, µs a claim | PostgreSQL, µs a claim |`,
    '|---|---|---|---|---|---|---|',
    ...Object.entries(claims).map(
      ([name, load]) => `${rowOf(name, load)} ${number(load.boardMicros, 0)} | ${number(load.postgresMicros, 0)} |`,
    ),
  ],
  reads: ({ reads }) => [
    `| reads, ${READ_CONNECTIONS} connections a gateway | a second | p50, ms | p99, ms | failed | gateways, µs a read | Redis, µs a read |`,
    '|---|---|---|---|---|---|---|',
    ...Object.entries(reads).map(
      ([name, load]) => `${rowOf(name, load)} ${number(load.gatewayMicros, 0)} | ${number(load.redisMicros, 0)} |`,
    ),
  ],
  followers: ({ followers }) => (followers === null ? [] : followersText(followers)),
  failover: ({ pauses }) =>
    Object.entries(pauses).map(
      ([what, ms]) => `Longest time without an acknowledged write when ${what}: ${number(ms / 1000)} s.`,
    ),
};

function rowOf(name: string, load: HttpLoad): string {
  return `| ${name} | ${number(load.requestsPerSecond, 0)} | ${number(load.p50Ms)} | ${number(load.p99Ms)} | ${load.failed} |`;
}

function followersText(told: NonNullable<ClusterResults['followers']>): string[] {
  const seconds = (ms: number | null): string => number(ms === null ? null : ms / 1000);
  return [
    `Followers over two gateways: ${told.held} of ${told.asked} held, opened in ${seconds(told.openedInMs)} s.`,
    `An event reached half of them ${seconds(told.halfToldMs)} s after its write was answered, the last after ${seconds(told.lastToldMs)} s.`,
    `Memory that they took, MB: ${JSON.stringify(told.memoryMb)}. Refused: ${JSON.stringify(told.refusals)}.`,
  ];
}
