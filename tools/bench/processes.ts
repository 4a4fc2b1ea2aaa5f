import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openSnapshotImage } from '../../index-server/snapshot/snapshot-image.ts';
import { closedLoop } from './latency.ts';
import { cpuSecondsOf, memoryOf, scratchFolder, startMeasuredServer } from './process.ts';
import { drawQueries, searchPaths } from './queries.ts';
import { machine, note, number, writeResults } from './report.ts';

export const PROCESSES_HELP = `       npm run bench -- processes --snapshot DIR [--rounds 5] [--seconds 5] [--json]

Searches at npm start with one and with two gateway processes, with and without limits, each request of another address: reads
a second, processor time of the gateways and of the process that holds the limits, and memory of its own of each gateway.
`;

const CONNECTIONS = 16;
const PROCESSES = [1, 2];
const GATEWAY = 'tools/gateway-process.ts';

interface Round {
  processes: number;
  limits: 'on' | 'off';
  readsPerSecond: number;
  failed: number;
  /** For each read, of all gateways; null when the system does not tell. */
  gatewayMicroseconds: number | null;
  /** For each read, of the process that started the gateways. */
  supervisorMicroseconds: number | null;
  /** MB that each gateway wrote itself, and what it shares. */
  memory: { privateMb: number | null; sharedMb: number | null }[];
}

async function measure(
  processes: number,
  limits: Round['limits'],
  { snapshotsDir, paths, seconds, folder }: { snapshotsDir: string; paths: string[]; seconds: number; folder: string },
): Promise<Round> {
  await using server = await startMeasuredServer('tools/start.ts', {
    ...{ PATH: '', PUBMED_URL: 'off', EUROPEPMC_URL: 'off', LOG_LEVEL: 'info' },
    ...{ DATA_DIR: join(folder, `${processes}-${limits}`), SNAPSHOTS_DIR: snapshotsDir },
    ...{ GATEWAY_PROCESSES: String(processes), RATE_LIMITS: limits, TRUST_PROXY: '1' },
  });
  const gateways = await gatewaysOf(server.pid, processes);
  await allListen(server.url, processes);
  const load = (forSeconds: number) =>
    closedLoop(
      server.url,
      { connections: CONNECTIONS, seconds: forSeconds, isGood: (status) => status === 200 },
      (place) => requestOf(paths[place % paths.length]!, place),
    );
  // Once unmeasured: code is compiled, and counts of the snapshot are made.
  await load(seconds);
  const before = [server.pid, ...gateways].map(cpuSecondsOf);
  const { requestsPerSecond, failed } = await load(seconds);
  const after = [server.pid, ...gateways].map(cpuSecondsOf);
  const spent = after.map((time, place) => (time === null ? null : time - (before[place] ?? 0)));
  const each = (parts: (number | null)[]): number | null =>
    parts.includes(null)
      ? null
      : (parts.reduce<number>((sum, part) => sum + (part ?? 0), 0) / (requestsPerSecond * seconds)) * 1e6;
  const memory = gateways.map(memoryOf).map(({ privateMb, sharedMb }) => ({ privateMb, sharedMb }));
  return {
    ...{ processes, limits, readsPerSecond: requestsPerSecond, failed, memory },
    gatewayMicroseconds: each(spent.slice(1)),
    supervisorMicroseconds: each(spent.slice(0, 1)),
  };
}

/** Each request comes from another address, so that no bucket refuses one. */
function requestOf(path: string, place: number): Buffer {
  const address = `10.${(place >> 16) & 255}.${(place >> 8) & 255}.${place & 255}`;
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-forwarded-for: ${address}\r\n\r\n`);
}

async function gatewaysOf(starter: number, count: number): Promise<number[]> {
  for (;;) {
    const children = readFileSync(`/proc/${starter}/task/${starter}/children`, 'utf8').trim().split(' ').map(Number);
    const found = children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(GATEWAY));
    if (found.length === count) return found;
    await pause(50);
  }
}

async function allListen(url: string, processes: number): Promise<void> {
  const wanted = processes === 1 ? 'answers"' : `answers; ${processes} of ${processes}`;
  while (!(await (await fetch(`${url}/api/v1/status`)).text()).includes(wanted)) await pause(500);
}

function middleOf(rounds: readonly Round[]): Round {
  return rounds.toSorted((a, b) => a.readsPerSecond - b.readsPerSecond)[Math.floor(rounds.length / 2)]!;
}

function tableOf(rounds: readonly Round[]): string[] {
  const groups = PROCESSES.flatMap((processes) =>
    (['off', 'on'] as const).map((limits) =>
      rounds.filter((round) => round.processes === processes && round.limits === limits),
    ),
  );
  return [
    '| gateways | limits | reads/s | CPU of the gateways, µs a read | of the starter, µs | private MB of each | shared MB | failed |',
    '|---|---|---|---|---|---|---|---|',
    ...groups.map((group) => {
      const { processes, limits, readsPerSecond, gatewayMicroseconds, supervisorMicroseconds, memory } =
        middleOf(group);
      const rates = group.map((round) => round.readsPerSecond);
      const cells = [
        ...[String(processes), limits],
        `${number(readsPerSecond, 0)} (${number(Math.min(...rates), 0)} to ${number(Math.max(...rates), 0)})`,
        ...[number(gatewayMicroseconds, 0), number(supervisorMicroseconds, 0)],
        memory.map(({ privateMb }) => number(privateMb, 0)).join(', '),
        memory.map(({ sharedMb }) => number(sharedMb, 0)).join(', '),
        String(group.reduce((sum, { failed }) => sum + failed, 0)),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  ];
}

export async function benchProcesses(options: {
  snapshot: string;
  rounds: number;
  seconds: number;
  json: boolean;
}): Promise<void> {
  await using folder = await scratchFolder('processes');
  const dir = resolve(options.snapshot);
  const image = openSnapshotImage(dir);
  const paths = searchPaths(drawQueries(image).mixed);
  image.release();
  const rounds: Round[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    // In turn, so that a busy machine slows all.
    for (const processes of PROCESSES) {
      for (const limits of ['off', 'on'] as const) {
        note(`round ${round + 1}: ${processes} gateway(s), limits ${limits}`);
        const job = { snapshotsDir: dirname(dir), paths, seconds: options.seconds, folder: folder.path };
        rounds.push(await measure(processes, limits, job));
      }
    }
  }
  const results = { machine: machine(), snapshot: basename(dir), rounds };
  await writeResults('processes', results);
  process.stdout.write(options.json ? `${JSON.stringify(results)}\n` : `${tableOf(rounds).join('\n')}\n`);
}
