import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { openSnapshotImage } from '../../index-server/snapshot/snapshot-image.ts';
import { readCurrent, snapshotPath } from '../../snapshot/format/versions/current.ts';
import { writeCompactDump } from '../generator/write-dumps.ts';
import { searchesInProcess } from './in-process.ts';
import { type HttpLoad, type Latency, measureHttp, measureHttpAtRate } from './latency.ts';
import { type Measured, measureRun, scratchFolder, startMeasuredServer } from './process.ts';
import { drawQueries, QUERY_KINDS, type Queries, searchPaths } from './queries.ts';
import { machine, note, number, writeResults } from './report.ts';

export const INDEX_HELP = `       npm run bench -- [--scale 50000] [--seed 1] [--zip] [--seconds 5] [--json] [--keep]

Makes a synthetic corpus of the given number of ClinicalTrials.gov studies (and 29 ISRCTN trials for each 600), runs each
stage of the pipeline over it in a process of its own, starts the index server, and measures searches in it and over HTTP.
--zip writes the dump as a zip with one file per study; --keep leaves the working folder.
`;

/** ISRCTN registrations for each ClinicalTrials.gov one, as in the registries of October 2026. */
const ISRCTN_SHARE = 29 / 600;
const CONNECTIONS = 16;
const AS_OF = '2026-10-01';

interface Results {
  machine: ReturnType<typeof machine>;
  corpus: { seed: number; ctgov: number; isrctn: number; bodies: string; dump: string; sha256: string };
  stages: Record<string, Omit<Measured, 'output'>>;
  index: {
    readyMs: number;
    rssMb: number | null;
    privateMb: number | null;
    rssAfterLoadMb: number | null;
    privateAfterLoadMb: number | null;
  };
  inServer: Record<string, Latency>;
  overHttp: Record<string, HttpLoad>;
}

async function bench({ scale, seed, form, seconds: httpSeconds }: IndexBenchOptions, root: string): Promise<Results> {
  const isrctn = Math.round(scale * ISRCTN_SHARE);
  note(`making ${scale} + ${isrctn} synthetic records`);
  const corpus = { seed, ctgov: scale, isrctn, asOf: AS_OF, bodySize: 'real' } as const;
  const dump = await writeCompactDump(join(root, 'dump'), corpus, form);
  const environment = { PATH: '', DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots') };
  const stages: Results['stages'] = {};
  const commands: Record<string, string[]> = {
    fetch: ['fetch', '--source', 'dump', '--ctgov', dump.ctgov, '--isrctn', dump.isrctn],
    normalise: ['normalise', '--source', 'dump'],
    dedup: ['dedup', '--source', 'dump'],
    publish: ['publish', '--source', 'dump'],
    'normalise again, nothing changed': ['normalise', '--source', 'dump'],
    verify: ['verify', 'current'],
  };
  for (const [stage, words] of Object.entries(commands)) {
    note(stage);
    const { seconds, cpuSeconds, peakRssMb, takenShare } = await measureRun(['pipeline/cli.ts', ...words], environment);
    stages[stage] = { seconds, cpuSeconds, peakRssMb, takenShare };
  }
  note('searching in the server');
  const { queries, inServer } = await searchInServer(environment.SNAPSHOTS_DIR);
  const { index, overHttp } = await searchOverHttp(environment, queries, httpSeconds);
  return {
    machine: machine(),
    corpus: { seed, ctgov: scale, isrctn, bodies: 'real', dump: form, sha256: await sha256Of(dump.ctgov) },
    stages,
    index,
    inServer,
    overHttp,
  };
}

async function searchInServer(snapshotsDir: string): Promise<{ queries: Queries; inServer: Results['inServer'] }> {
  const version = await readCurrent(snapshotsDir);
  if (version === null) throw new Error('the pipeline published nothing');
  const image = openSnapshotImage(snapshotPath(snapshotsDir, version));
  const queries = drawQueries(image);
  const inServer = searchesInProcess(image, queries, AS_OF);
  image.release();
  return { queries, inServer };
}

async function searchOverHttp(
  environment: Record<string, string>,
  queries: Queries,
  seconds: number,
): Promise<Pick<Results, 'index' | 'overHttp'>> {
  note('starting the index server');
  await using server = await startMeasuredServer('index-server/main.ts', { ...environment, LOG_LEVEL: 'info' });
  const atStart = server.memory();
  const overHttp: Record<string, HttpLoad> = {};
  for (const kind of QUERY_KINDS) {
    note(`searching over HTTP, ${kind}`);
    overHttp[`search, ${kind}`] = await measureHttp(server.url, searchPaths(queries[kind]), CONNECTIONS, seconds);
  }
  note('searching over HTTP, mixed, at half that rate');
  const perSecond = Math.max(1, Math.round((overHttp['search, mixed']?.requestsPerSecond ?? 0) / 2));
  const load = { connections: CONNECTIONS, perSecond, seconds };
  overHttp[`search, mixed, ${perSecond} offered a second`] = await measureHttpAtRate(
    server.url,
    searchPaths(queries.mixed),
    load,
  );
  const after = server.memory();
  return {
    overHttp,
    index: { readyMs: server.readyMs, ...atStart, rssAfterLoadMb: after.rssMb, privateAfterLoadMb: after.privateMb },
  };
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function table(results: Results): string {
  const { corpus, machine: where, index } = results;
  const lines = [
    `${corpus.ctgov} + ${corpus.isrctn} registrations, ${corpus.bodies} body sizes, seed ${corpus.seed}, on ${where.cores} x ${where.cpu}, ${where.memoryGb} GB, Node ${where.node}`,
    '',
    '| stage | seconds | peak RSS, MB |',
    '|---|---|---|',
    ...Object.entries(results.stages).map(
      ([stage, { seconds, peakRssMb }]) => `| ${stage} | ${number(seconds)} | ${number(peakRssMb, 0)} |`,
    ),
    '',
    '| index server | |',
    '|---|---|',
    `| process start to listening, ms | ${number(index.readyMs, 0)} |`,
    `| RSS / private at start, MB | ${number(index.rssMb, 0)} / ${number(index.privateMb, 0)} |`,
    `| RSS / private after the load, MB | ${number(index.rssAfterLoadMb, 0)} / ${number(index.privateAfterLoadMb, 0)} |`,
    '',
    '| in the server | p50, ms | p99, ms | calls |',
    '|---|---|---|---|',
    ...Object.entries(results.inServer).map(
      ([name, { p50Ms, p99Ms, count }]) => `| ${name} | ${number(p50Ms, 3)} | ${number(p99Ms, 3)} | ${count} |`,
    ),
    '',
    `| over HTTP, ${CONNECTIONS} connections | requests/s | p50, ms | p99, ms | failed |`,
    '|---|---|---|---|---|',
    ...Object.entries(results.overHttp).map(
      ([name, load]) =>
        `| ${name} | ${number(load.requestsPerSecond, 0)} | ${number(load.p50Ms)} | ${number(load.p99Ms)} | ${load.failed} |`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

export interface IndexBenchOptions {
  scale: number;
  seed: number;
  /** Form of the dump: one gzipped NDJSON file, or a zip with one file per study like that of the registry's site. */
  form: 'ndjson' | 'zip';
  /** How long each load over HTTP lasts. */
  seconds: number;
  json: boolean;
  keep: boolean;
}

export async function benchIndex(options: IndexBenchOptions): Promise<void> {
  const { scale, seed, json, keep } = options;
  await using folder = await scratchFolder('index');
  if (keep) {
    folder.keep();
    note(`keeping ${folder.path}`);
  }
  const results = await bench(options, folder.path);
  await writeResults(`index-${scale}-${seed}`, results);
  process.stdout.write(json ? `${JSON.stringify(results)}\n` : table(results));
}
