import { request } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { readCurrent, snapshotPath } from '../../snapshot/format/versions/current.ts';
import { measureRun, scratchFolder, startMeasuredServer } from './process.ts';
import { machine, note, number, writeResults } from './report.ts';

export const EXPORTS_HELP = `       npm run bench -- exports [--snapshot DIR] [--json]

Each file of a whole result over the snapshot of the directory or the synthetic sample, one at a time, then four of a part at once: megabytes
a second of wall time, memory of the process before and at its highest, and how long a search takes meanwhile.
`;

/** No service outside this machine is used. */
const OFFLINE = { PATH: '', PUBMED_URL: 'off', EUROPEPMC_URL: 'off', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' };
const FILES = ['/trials.csv', '/trials.jsonl', '/trials.ris'] as const;
/** A query that finds a part of all trials, for files whose size does not matter. */
const SOME = 'status=recruiting';
const SEARCH = '/api/v1/trials/search?q=diabetes&pageSize=20';
const LOOK_MS = 100;
const MB = 1e6;

export interface Taken {
  megabytes: number;
  seconds: number;
  megabytesPerSecond: number;
  privateMbBefore: number | null;
  privateMbAtMost: number | null;
  /** Of searches that were sent one after the other meanwhile. */
  searchMsMedian: number;
  searchMsAtMost: number;
}

export async function benchExports(options: { snapshot?: string; json: boolean }): Promise<void> {
  await using folder = await scratchFolder('exports');
  const dir = options.snapshot === undefined ? await makeSample(folder.path) : resolve(options.snapshot);
  const environment = { ...OFFLINE, DATA_DIR: join(folder.path, 'service'), SNAPSHOTS_DIR: dirname(dir) };
  await using server = await startMeasuredServer('gateway/main.ts', environment);
  const taken = await measureExports(server);
  const results = { machine: machine(), snapshot: dir, files: taken };
  await writeResults('exports', results);
  process.stdout.write(options.json ? `${JSON.stringify(results)}\n` : exportsTable(taken));
}

/** Each file of everything that the served snapshot holds, and then four at once. */
export async function measureExports(server: Server): Promise<Record<string, Taken>> {
  const taken: Record<string, Taken> = {};
  // The first files start the worker and warm its code, and the memory of the process settles.
  for (const path of FILES) await bytesOf(`${server.url}${path}?${SOME}`);
  for (const path of FILES) {
    note(path);
    taken[path] = await measured(server, [path]);
  }
  note('four at once');
  const fewer = `/trials.csv?${SOME}`;
  taken[`four of ${fewer} at once`] = await measured(server, Array<string>(4).fill(fewer));
  return taken;
}

/** Makes a snapshot of the synthetic sample; gives its directory. */
export async function makeSample(root: string): Promise<string> {
  const environment = { ...OFFLINE, DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots') };
  note('making the sample');
  await measureRun(['pipeline/cli.ts', 'run', '--source', 'sample'], environment);
  const version = await readCurrent(environment.SNAPSHOTS_DIR);
  if (version === null) throw new Error('the pipeline published nothing');
  return snapshotPath(environment.SNAPSHOTS_DIR, version);
}

type Server = Awaited<ReturnType<typeof startMeasuredServer>>;

async function measured(server: Server, paths: readonly string[]): Promise<Taken> {
  const before = server.memory().privateMb;
  let most = before;
  const looking = setInterval(() => {
    const { privateMb } = server.memory();
    if (privateMb !== null && (most === null || privateMb > most)) most = privateMb;
  }, LOOK_MS);
  const state = { done: false };
  const searching = searchesUntil(server.url, state);
  const start = performance.now();
  const sizes = await Promise.all(paths.map((path) => bytesOf(`${server.url}${path}`)));
  const seconds = (performance.now() - start) / 1000;
  state.done = true;
  clearInterval(looking);
  const times = (await searching).sort((a, b) => a - b);
  const megabytes = sizes.reduce((sum, bytes) => sum + bytes, 0) / MB;
  return {
    ...{ megabytes, seconds, megabytesPerSecond: megabytes / seconds },
    ...{ privateMbBefore: before, privateMbAtMost: most },
    ...{ searchMsMedian: times[times.length >> 1] ?? 0, searchMsAtMost: times.at(-1) ?? 0 },
  };
}

/** Takes the answer and keeps nothing of it; rejects where it breaks off. */
function bytesOf(address: string): Promise<number> {
  return new Promise((done, failed) => {
    const sent = request(address, (answer) => {
      let bytes = 0;
      answer.on('data', (piece: Buffer) => {
        bytes += piece.length;
      });
      answer.on('end', () => (answer.statusCode === 200 ? done(bytes) : failed(new Error(`${answer.statusCode}`))));
      answer.on('error', failed);
    });
    sent.on('error', failed);
    sent.end();
  });
}

async function searchesUntil(url: string, state: { done: boolean }): Promise<number[]> {
  const times: number[] = [];
  while (!state.done) {
    const start = performance.now();
    await bytesOf(`${url}${SEARCH}`);
    times.push(performance.now() - start);
    await new Promise((next) => setTimeout(next, LOOK_MS / 2));
  }
  return times;
}

export function exportsTable(taken: Record<string, Taken>): string {
  const lines = Object.entries(taken).map(([name, one]) => {
    const memory = `${number(one.privateMbBefore ?? 0)} to ${number(one.privateMbAtMost ?? 0)} MB private`;
    const search = `searches ${number(one.searchMsMedian)} ms, at most ${number(one.searchMsAtMost)}`;
    return `${name}: ${number(one.megabytes)} MB in ${number(one.seconds)} s, ${number(one.megabytesPerSecond)} MB/s; ${memory}; ${search}`;
  });
  return `${lines.join('\n')}\n`;
}
