import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { verifyFile } from '../../board-server/store/sqlite/verify-file.ts';
import { claimRequest } from './connection.ts';
import { type Attacked, type AttackJob, CLAIMS } from './hostile-attacks.ts';
import { type Latency, latencyOf, openLoop } from './latency.ts';
import { type MeasuredServer, measureRun, scratchFolder, startMeasuredServer } from './process.ts';
import { machine, note, number, writeResults } from './report.ts';

export const HOSTILE_HELP = `       npm run bench -- hostile [--seconds 60] [--json]

One address with three keys attacks for the given time: MCP batches, packed documents, big pages, landscapes, claims, keys,
readers that do not read, idle connections. Two other addresses search and claim at a steady rate beside it, and a probe asks
/healthz. At the end the board's events are counted and its chain is checked. --seconds 600 is the soak.
`;

/** No service outside this machine is used; the limits are those of a service that is open to everybody. */
const SETTINGS = { PATH: '', PUBMED_URL: 'off', EUROPEPMC_URL: 'off', LOG_LEVEL: 'info' };
const ATTACKER = '127.0.0.2';
const ATTACKER_KEYS = 3;
/** In other groups of addresses than the attacker. Each has a key of its own, which allows 1,000 reads a minute. */
const HONEST = ['127.0.1.3', '127.0.2.4'];
const PROBE = '127.0.3.5';
const SEARCHES_PER_SECOND_EACH = 10;
/** Below the writes that one address may make. */
const CLAIMS_PER_SECOND_EACH = 0.3;
/** More than a caller has under way at once, even if answers take seconds. */
const CONNECTIONS_EACH = 100;
const MEMORY_SAMPLE_MS = 2000;
const PROBES_PER_SECOND = 10;
/** A service that has just started runs code that is not compiled yet. */
const WARM_UP_SECONDS = 5;
const WORDS = ['diabetes', 'insulin', 'cancer', 'vaccine', 'asthma', 'heart', 'stroke', 'pain'];

export interface HostileResults {
  machine: ReturnType<typeof machine>;
  seconds: number;
  /** Searches of the honest callers, and their answers by status other than 200. */
  searches: Latency & { failures: Record<string, number> };
  healthz: Latency & { failures: Record<string, number> };
  /** Claims of the honest callers, until the board has stored them. */
  claims: Latency & { failures: Record<string, number> };
  /** Resident set of the gateway; means of the first and the last third of the attack. */
  memory: { beforeMb: number | null; maxMb: number | null; firstThirdMb: number; lastThirdMb: number };
  board: { acknowledged: number; events: number; problems: string[] };
  restarts: number;
  attacks: Attacked;
}

const TARGETS = { searchP99Ms: 100, healthzP99Ms: 50 };

export async function benchHostile(options: { seconds: number; json: boolean }): Promise<void> {
  await using folder = await scratchFolder('hostile');
  const environment = {
    ...SETTINGS,
    DATA_DIR: join(folder.path, 'data'),
    SNAPSHOTS_DIR: join(folder.path, 'snapshots'),
  };
  note('making the sample');
  await measureRun(['pipeline/cli.ts', 'run', '--source', 'sample'], environment);
  const boardFile = join(folder.path, 'board.sqlite');
  const secret = { BOARD_SECRET: randomUUID() };
  const board = { ...environment, ...secret, BOARD_PORT: '0', BOARD_DB: boardFile };
  await using boardServer = await startMeasuredServer('board-server/main.ts', board);
  const front = { ...environment, ...secret, BOARD_URL: boardServer.url };
  await using gateway = await startMeasuredServer('gateway/main.ts', front);
  const { acknowledged, ...measured } = await measure(gateway, options.seconds);
  await gateway.stop();
  await boardServer.stop();
  const { events, problems } = await verifyFile(boardFile, null);
  const results: HostileResults = { ...measured, board: { acknowledged, events, problems } };
  await writeResults('hostile', results);
  process.stdout.write(options.json ? `${JSON.stringify(results)}\n` : table(results));
}

type WithoutBoard = Omit<HostileResults, 'board'> & { acknowledged: number };

async function measure(gateway: MeasuredServer, seconds: number): Promise<WithoutBoard> {
  const origin = gateway.url;
  const keys = [];
  for (let made = 0; made < ATTACKER_KEYS; made += 1) keys.push(await keyFrom(origin, ATTACKER));
  const honest = await Promise.all(HONEST.map(async (from) => ({ from, key: await keyFrom(origin, from) })));
  const searching = (forSeconds: number) =>
    honest.map(({ from, key }) =>
      asked({ origin, from, seconds: forSeconds, perSecond: SEARCHES_PER_SECOND_EACH, request: search(key) }),
    );
  const probed = { origin, from: PROBE, seconds, perSecond: PROBES_PER_SECOND, request: () => get('/healthz') };
  const claimed = (from: string) => ({ origin, from, seconds, perSecond: CLAIMS_PER_SECOND_EACH });
  note('warming up');
  await Promise.all(searching(WARM_UP_SECONDS));
  const started = await startTimeOf(origin);
  const beforeMb = gateway.memory().rssMb;
  note(`attacking for ${seconds} s`);
  const job: AttackJob = { origin, from: ATTACKER, keys, seconds };
  const samples: number[] = [];
  const sampling = setInterval(() => samples.push(gateway.memory().rssMb ?? Number.NaN), MEMORY_SAMPLE_MS);
  const [{ output }, healthz, searches, claims] = await Promise.all([
    measureRun(['tools/bench/hostile-attacks.ts'], { PATH: '' }, JSON.stringify(job)),
    asked(probed),
    Promise.all(searching(seconds)),
    Promise.all(HONEST.map((from) => asked({ ...claimed(from), request: (number) => claimRequest(from, number) }))),
  ]);
  clearInterval(sampling);
  const attacks = JSON.parse(output) as Attacked;
  const written = claims.flatMap(({ statuses }) => statuses[201] ?? 0);
  return {
    machine: machine(),
    seconds,
    searches: summary(searches, 200),
    healthz: summary([healthz], 200),
    claims: summary(claims, 201),
    memory: {
      beforeMb,
      maxMb: gateway.memory().peakRssMb,
      firstThirdMb: mean(samples.slice(0, samples.length / 3)),
      lastThirdMb: mean(samples.slice((samples.length * 2) / 3)),
    },
    restarts: (await startTimeOf(origin).catch(() => null)) === started ? 0 : 1,
    attacks,
    acknowledged: [...written, attacks[CLAIMS]?.[201] ?? 0].reduce((sum, count) => sum + count, 0),
  };
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function get(path: string, header = ''): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${header}\r\n`);
}

function search(key: string): (number: number) => Buffer {
  return (number) => get(`/api/v1/trials/search?q=${WORDS[number % WORDS.length]}`, `x-api-key: ${key}\r\n`);
}

interface Asking {
  origin: string;
  from: string;
  seconds: number;
  perSecond: number;
  request: (number: number) => Buffer;
}

interface Asked {
  times: number[];
  statuses: Record<string, number>;
}

/** Requests of one caller at a steady rate. */
async function asked({ origin, request, ...load }: Asking): Promise<Asked> {
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  await openLoop(origin, { ...load, connections: CONNECTIONS_EACH }, request, (status, milliseconds) => {
    times.push(milliseconds);
    statuses[status] = (statuses[status] ?? 0) + 1;
  });
  return { times, statuses };
}

/** All answers together; every status but `good` is a failure. */
function summary(all: Asked[], good: number): Latency & { failures: Record<string, number> } {
  const failures: Record<string, number> = {};
  for (const [status, count] of all.flatMap(({ statuses }) => Object.entries(statuses))) {
    if (Number(status) !== good) failures[status] = (failures[status] ?? 0) + count;
  }
  return { ...latencyOf(all.flatMap(({ times }) => times)), failures };
}

async function keyFrom(origin: string, from: string): Promise<string> {
  const { Agent, request } = await import('node:http');
  const agent = new Agent({ localAddress: from });
  const body = JSON.stringify({ label: `benchmark from ${from}` });
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const text = await new Promise<string>((resolve, reject) => {
    request(`${origin}/api/v1/keys`, { method: 'POST', agent, headers }, (answer) => {
      let received = '';
      answer.on('data', (chunk) => (received += chunk)).on('end', () => resolve(received));
    })
      .on('error', reject)
      .end(body);
  });
  agent.destroy();
  return (JSON.parse(text) as { data: { key: string } }).data.key;
}

/** When the process began: another time afterwards means that it was restarted. */
async function startTimeOf(origin: string): Promise<string | undefined> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return /^process_start_time_seconds (\S+)$/m.exec(text)?.[1];
}

function table(results: HostileResults): string {
  const { machine: where, seconds, searches, healthz, claims, memory, restarts, board, attacks } = results;
  const failed = (failures: Record<string, number>): string =>
    Object.entries(failures)
      .map(([status, count]) => `${count} x ${status}`)
      .join(', ') || 'none';
  const row = (name: string, { p50Ms, p99Ms, maxMs, count, failures }: HostileResults['searches'], target: string) =>
    `| ${name} | ${number(p50Ms)} | ${number(p99Ms)} | ${number(maxMs)} | ${count} | ${target} | ${failed(failures)} |`;
  const rows = Object.entries(attacks).map(([name, statuses]) => `| ${name} | ${failed(statuses)} |`);
  return `${[
    `${seconds} s of attacks from one address with ${ATTACKER_KEYS} keys, on ${where.cores} x ${where.cpu}, ${where.memoryGb} GB, Node ${where.node}`,
    '',
    '| other callers | p50, ms | p99, ms | longest, ms | answers | target p99, ms | failed |',
    '|---|---|---|---|---|---|---|',
    row('searches', searches, String(TARGETS.searchP99Ms)),
    row('/healthz', healthz, String(TARGETS.healthzP99Ms)),
    row('claims', claims, ''),
    '',
    `RSS of the gateway ${number(memory.beforeMb, 0)} MB before, ${number(memory.maxMb, 0)} MB at most, ${number(memory.firstThirdMb, 0)} MB in the first third of the attack, ${number(memory.lastThirdMb, 0)} MB in the last; restarts: ${restarts}.`,
    `The board acknowledged ${board.acknowledged} claims and holds ${board.events} events; its chain is ${board.problems.length === 0 ? 'sound' : `not sound: ${board.problems.join('; ')}`}.`,
    '',
    '| attack | answers by status (0: connection ended) |',
    '|---|---|',
    ...rows,
  ].join('\n')}\n`;
}
