import { basename, dirname, join, resolve } from 'node:path';
import { TOPIC_IDS } from '../contract/topics.ts';
import { openSnapshotImage, type SnapshotImage } from '../index-server/snapshot/snapshot-image.ts';
import { exportsTable, makeSample, measureExports, type Taken } from './exports.ts';
import { type HttpLoad, measureHttp } from './latency.ts';
import { scratchFolder, startMeasuredServer } from './process.ts';
import { drawQueries, spreadIds, spreadSubjects } from './queries.ts';
import { machine, note, number, writeResults } from './report.ts';

export const PAGES_HELP = `       npm run bench -- pages [--snapshot DIR] [--seconds 5] [--json]

Each page as a reader asks for it, one request at a time, over the snapshot of the directory or the synthetic sample; warmed
up with the same requests before. Then each file of a whole result, as \`exports\` measures it.
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
  '/snapshots/diff',
  '/docs',
  '/docs/trials',
  '/about',
  '/glossary',
  '/findings',
  '/calibration',
  '/sponsors',
  '/conditions',
  '/countries',
];
const TARGET_P99_MS = 30;
const CONDITIONS = '/conditions/{name}';

interface PagesResults {
  machine: ReturnType<typeof machine>;
  snapshot: string;
  trials: number;
  pages: Record<string, HttpLoad>;
  memory: { rssMb: number | null; privateMb: number | null };
  files: Record<string, Taken>;
}

export async function benchPages(options: { snapshot?: string; seconds: number; json: boolean }): Promise<void> {
  await using folder = await scratchFolder('pages');
  const dir = options.snapshot === undefined ? await makeSample(folder.path) : resolve(options.snapshot);
  const results = await measure(folder.path, dir, options.seconds);
  await writeResults(`pages-${results.trials}`, results);
  process.stdout.write(options.json ? `${JSON.stringify(results)}\n` : table(results));
}

async function measure(root: string, dir: string, seconds: number): Promise<PagesResults> {
  const image = openSnapshotImage(dir);
  const { trials } = image;
  const asked = pathsOf(image);
  image.release();
  const environment = { ...OFFLINE, DATA_DIR: join(root, 'service'), SNAPSHOTS_DIR: dirname(dir) };
  await using board = await startMeasuredServer('board-server/main.ts', { ...environment, BOARD_PORT: '0' });
  await using gateway = await startMeasuredServer('gateway/main.ts', { ...environment, BOARD_URL: board.url });
  asked[CONDITIONS] = await arrived(gateway.url, asked[CONDITIONS]!);
  const pages: PagesResults['pages'] = {};
  for (const [name, paths] of Object.entries(asked)) {
    note(name);
    await measureHttp(gateway.url, paths, 1, seconds);
    pages[name] = await measureHttp(gateway.url, paths, 1, seconds);
  }
  const { rssMb, privateMb } = gateway.memory();
  const files = await measureExports(gateway);
  return { machine: machine(), snapshot: basename(dir), trials, pages, memory: { rssMb, privateMb }, files };
}

/** Where addresses lead: another name of a condition leads to the page of its heading. */
async function arrived(url: string, paths: readonly string[]): Promise<string[]> {
  const reached = paths.map(async (path) => new URL((await fetch(url + path)).url).pathname);
  return [...new Set(await Promise.all(reached))];
}

function pathsOf(image: SnapshotImage): Record<string, string[]> {
  const { mixed } = drawQueries(image);
  const { sponsors, conditions, countries } = spreadSubjects(image);
  const named = (path: string, names: readonly string[]) => names.map((name) => path + encodeURIComponent(name));
  const fixed = FIXED_PAGES.map((path): [string, string[]] => [path, [path]]);
  return Object.fromEntries([
    ...fixed,
    ['/trials, mixed words', mixed.map((q) => `/trials?q=${encodeURIComponent(q)}`)],
    ['/trials, all', ['/trials']],
    ['/trials, two facets and words', mixed.map((q) => `/trials?status=completed&phase=2&q=${encodeURIComponent(q)}`)],
    ['/sponsors/{name}', named('/sponsors/', sponsors)],
    [CONDITIONS, named('/conditions/', conditions)],
    ['/countries/{name}', named('/countries/', countries)],
    ['/results-gap, by disease', TOPIC_IDS.map((topic) => `/results-gap?topic=${topic}`)],
    ['/results-gap, by sponsor', TOPIC_IDS.map((topic) => `/results-gap?topic=${topic}&by=sponsor`)],
    ['/trials/{id}', spreadIds(image).map((id) => `/trials/${id}`)],
    ['/snapshots/{version}', [`/snapshots/${image.version}`]],
    ['/docs/errors/{code}', ['/docs/errors/INVALID_PARAM']],
  ]);
}

function table({ machine: where, snapshot, trials, pages, memory, files }: PagesResults): string {
  const row = ([name, { p50Ms, p99Ms, count, failed }]: [string, HttpLoad]): string =>
    `| ${name} | ${number(p50Ms)} | ${number(p99Ms)}${p99Ms > TARGET_P99_MS ? ' (over)' : ''} | ${count} | ${failed} |`;
  return `${[
    `${trials} trials of snapshot ${snapshot} on ${where.cores} x ${where.cpu}, ${where.memoryGb} GB, Node ${where.node}`,
    '',
    `Server time of a page; the target is a p99 of ${TARGET_P99_MS} ms.`,
    '',
    '| page | p50, ms | p99, ms | answers | failed |',
    '|---|---|---|---|---|',
    ...Object.entries(pages).map(row),
    '',
    `Memory of the gateway with the index in it: RSS ${number(memory.rssMb, 0)} MB, private ${number(memory.privateMb, 0)} MB.`,
    '',
    exportsTable(files).trimEnd(),
  ].join('\n')}\n`;
}
