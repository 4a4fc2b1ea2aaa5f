import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Connection } from './connection.ts';
import type { Attacked, AttackJob } from './hostile-attacks.ts';
import { type Latency, latencyOf } from './latency.ts';
import { type MeasuredServer, measureRun, scratchFolder, startMeasuredServer } from './process.ts';
import { machine, note, number, writeResults } from './report.ts';

export const HOSTILE_HELP = `       npm run bench -- hostile [--seconds 60] [--json]

One address with three keys attacks for the given time: MCP batches, packed documents, big pages, landscapes, readers that do
not read, idle connections. Two other addresses search at a steady rate beside it, and a probe asks /healthz.
`;

/** No service outside this machine is used; the limits are those of a service that is open to everybody. */
const SETTINGS = { PATH: '', PUBMED_URL: 'off', EUROPEPMC_URL: 'off', LOG_LEVEL: 'info' };
const ATTACKER = '127.0.0.2';
const ATTACKER_KEYS = 3;
/** Each has a key of its own, which allows 1,000 reads a minute. */
const HONEST = ['127.0.0.3', '127.0.0.4'];
const PROBE = '127.0.0.5';
const SEARCHES_PER_SECOND_EACH = 10;
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
  memory: { beforeMb: number | null; maxMb: number | null };
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
  const board = { ...environment, BOARD_PORT: '0', TRUST_PROXY: '1' };
  await using boardServer = await startMeasuredServer('board-server/main.ts', board);
  await using gateway = await startMeasuredServer('gateway/main.ts', { ...environment, BOARD_URL: boardServer.url });
  const results = await measure(gateway, options.seconds);
  await writeResults('hostile', results);
  process.stdout.write(options.json ? `${JSON.stringify(results)}\n` : table(results));
}

async function measure(gateway: MeasuredServer, seconds: number): Promise<HostileResults> {
  const origin = gateway.url;
  const keys = [];
  for (let made = 0; made < ATTACKER_KEYS; made += 1) keys.push(await keyFrom(origin, ATTACKER));
  const honest = await Promise.all(HONEST.map(async (from) => ({ from, key: await keyFrom(origin, from) })));
  note('warming up');
  await Promise.all(
    honest.map((caller) =>
      asked({ origin, ...caller, seconds: WARM_UP_SECONDS, perSecond: SEARCHES_PER_SECOND_EACH, path: searchPath }),
    ),
  );
  const started = await startTimeOf(origin);
  const beforeMb = gateway.memory().rssMb;
  note(`attacking for ${seconds} s`);
  const job: AttackJob = { origin, from: ATTACKER, keys, seconds };
  const [{ output }, healthz, ...searches] = await Promise.all([
    measureRun(['bench/hostile-attacks.ts'], { PATH: '' }, JSON.stringify(job)),
    asked({ origin, from: PROBE, key: null, seconds, perSecond: PROBES_PER_SECOND, path: () => '/healthz' }),
    ...honest.map((caller) =>
      asked({ origin, ...caller, seconds, perSecond: SEARCHES_PER_SECOND_EACH, path: searchPath }),
    ),
  ]);
  const failures: Record<string, number> = {};
  for (const one of searches) {
    for (const [status, count] of Object.entries(one.failures)) failures[status] = (failures[status] ?? 0) + count;
  }
  return {
    machine: machine(),
    seconds,
    searches: { ...latencyOf(searches.flatMap(({ times }) => times)), failures },
    healthz: { ...latencyOf(healthz.times), failures: healthz.failures },
    memory: { beforeMb, maxMb: gateway.memory().peakRssMb },
    restarts: (await startTimeOf(origin).catch(() => null)) === started ? 0 : 1,
    attacks: JSON.parse(output) as Attacked,
  };
}

function searchPath(number: number): string {
  return `/api/v1/trials/search?q=${WORDS[number % WORDS.length]}`;
}

interface Asking {
  origin: string;
  from: string;
  key: string | null;
  seconds: number;
  perSecond: number;
  path: (number: number) => string;
}

/** Requests fall due at a steady rate, answered or not, and are timed from when they were due. */
async function asked({ origin, from, key, seconds, perSecond, path }: Asking) {
  const times: number[] = [];
  const failures: Record<string, number> = {};
  const free: Connection[] = [];
  const underWay: Promise<void>[] = [];
  const started = performance.now();
  for (let number = 0; number < seconds * perSecond; number += 1) {
    const due = started + (number * 1000) / perSecond;
    await setTimeout(Math.max(0, Math.ceil(due - performance.now())));
    const connection = free.pop() ?? new Connection(origin, from);
    const credential = key === null ? '' : `x-api-key: ${key}\r\n`;
    const request = Buffer.from(`GET ${path(number)} HTTP/1.1\r\nhost: 127.0.0.1\r\n${credential}\r\n`);
    underWay.push(
      connection.send(request).then((status) => {
        times.push(performance.now() - due);
        if (status !== 200) failures[status] = (failures[status] ?? 0) + 1;
        free.push(connection);
      }),
    );
  }
  await Promise.all(underWay);
  for (const connection of free) connection.close();
  return { times, failures };
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

function table({ machine: where, seconds, searches, healthz, memory, restarts, attacks }: HostileResults): string {
  const failed = (failures: Record<string, number>): string =>
    Object.entries(failures)
      .map(([status, count]) => `${count} x ${status}`)
      .join(', ') || 'none';
  const rows = Object.entries(attacks).map(([name, statuses]) => `| ${name} | ${failed(statuses)} |`);
  return `${[
    `${seconds} s of attacks from one address with ${ATTACKER_KEYS} keys, on ${where.cores} x ${where.cpu}, ${where.memoryGb} GB, Node ${where.node}`,
    '',
    '| other callers | p50, ms | p99, ms | longest, ms | answers | target p99, ms | failed |',
    '|---|---|---|---|---|---|---|',
    `| searches | ${number(searches.p50Ms)} | ${number(searches.p99Ms)} | ${number(searches.maxMs)} | ${searches.count} | ${TARGETS.searchP99Ms} | ${failed(searches.failures)} |`,
    `| /healthz | ${number(healthz.p50Ms)} | ${number(healthz.p99Ms)} | ${number(healthz.maxMs)} | ${healthz.count} | ${TARGETS.healthzP99Ms} | ${failed(healthz.failures)} |`,
    '',
    `RSS of the gateway ${number(memory.beforeMb, 0)} MB before, ${number(memory.maxMb, 0)} MB at most; restarts: ${restarts}.`,
    '',
    '| attack | answers by status (0: connection ended) |',
    '|---|---|',
    ...rows,
  ].join('\n')}\n`;
}
