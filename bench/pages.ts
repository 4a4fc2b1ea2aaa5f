import { basename, dirname, join, resolve } from 'node:path';
import { openSnapshotImage, type SnapshotImage } from '../index-server/snapshot/snapshot-image.ts';
import { readCurrent, snapshotPath } from '../snapshot-format/current.ts';
import { type HttpLoad, measureHttp } from './latency.ts';
import { measureRun, scratchFolder, startMeasuredServer } from './process.ts';
import { drawQueries, spreadIds } from './queries.ts';
import { machine, note, number, writeResults } from './report.ts';

export const PAGES_HELP = `       npm run bench -- pages [--snapshot DIR] [--seconds 5] [--json]

Each page as a reader asks for it, one request at a time, over the snapshot of the directory or the synthetic sample; warmed
up with the same requests before.
`;

/** No service outside this machine is used. */
const OFFLINE = { PATH: '', PUBMED_URL: 'off', EUROPEPMC_URL: 'off', RATE_LIMITS: 'off', LOG_LEVEL: 'info' };
const FIXED_PAGES = [
  '/',
  '/snapshots',
  '/board',
  '/results-gap',
  '/council',
  '/beta-cell',
  '/patient-model',
  '/signals',
];

interface PagesResults {
  machine: ReturnType<typeof machine>;
  snapshot: string;
  trials: number;
  pages: Record<string, HttpLoad>;
  memory: { rssMb: number | null; privateMb: number | null };
}

export async function benchPages(options: { snapshot?: string; seconds: number; json: boolean }): Promise<void> {
  await using folder = await scratchFolder('pages');
  const dir = options.snapshot === undefined ? await makeSample(folder.path) : resolve(options.snapshot);
  const results = await measure(folder.path, dir, options.seconds);
  await writeResults(`pages-${results.trials}`, results);
  process.stdout.write(options.json ? `${JSON.stringify(results)}\n` : table(results));
}

async function makeSample(root: string): Promise<string> {
  const environment = { ...OFFLINE, DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots') };
  note('making the sample');
  await measureRun(['pipeline/cli.ts', 'run', '--source', 'sample'], environment);
  const version = await readCurrent(environment.SNAPSHOTS_DIR);
  if (version === null) throw new Error('the pipeline published nothing');
  return snapshotPath(environment.SNAPSHOTS_DIR, version);
}

async function measure(root: string, dir: string, seconds: number): Promise<PagesResults> {
  const image = openSnapshotImage(dir);
  const { trials } = image;
  const asked = pathsOf(image);
  image.release();
  const environment = { ...OFFLINE, DATA_DIR: join(root, 'service'), SNAPSHOTS_DIR: dirname(dir) };
  await using board = await startMeasuredServer('board-server/main.ts', { ...environment, BOARD_PORT: '0' });
  await using gateway = await startMeasuredServer('gateway/main.ts', { ...environment, BOARD_URL: board.url });
  const pages: PagesResults['pages'] = {};
  for (const [name, paths] of Object.entries(asked)) {
    note(name);
    await measureHttp(gateway.url, paths, 1, seconds);
    pages[name] = await measureHttp(gateway.url, paths, 1, seconds);
  }
  const { rssMb, privateMb } = gateway.memory();
  return { machine: machine(), snapshot: basename(dir), trials, pages, memory: { rssMb, privateMb } };
}

function pathsOf(image: SnapshotImage): Record<string, string[]> {
  const { mixed } = drawQueries(image);
  const fixed = FIXED_PAGES.map((path): [string, string[]] => [path, [path]]);
  return Object.fromEntries([
    ...fixed,
    ['/trials, mixed words', mixed.map((q) => `/trials?q=${encodeURIComponent(q)}`)],
    ['/trials, all', ['/trials']],
    ['/trials/{id}', spreadIds(image).map((id) => `/trials/${id}`)],
    ['/snapshots/{version}', [`/snapshots/${image.version}`]],
    ['/docs/errors/{code}', ['/docs/errors/INVALID_PARAM']],
  ]);
}

function table({ machine: where, snapshot, trials, pages, memory }: PagesResults): string {
  const row = ([name, { p50Ms, p99Ms, count, failed }]: [string, HttpLoad]): string =>
    `| ${name} | ${number(p50Ms)} | ${number(p99Ms)} | ${count} | ${failed} |`;
  return `${[
    `${trials} trials of snapshot ${snapshot} on ${where.cores} x ${where.cpu}, ${where.memoryGb} GB, Node ${where.node}`,
    '',
    '| page | p50, ms | p99, ms | answers | failed |',
    '|---|---|---|---|---|',
    ...Object.entries(pages).map(row),
    '',
    `Memory of the gateway with the index in it: RSS ${number(memory.rssMb, 0)} MB, private ${number(memory.privateMb, 0)} MB.`,
  ].join('\n')}\n`;
}
