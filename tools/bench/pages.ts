import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Connection, getRequest } from './connection.ts';
import { exportsTable, makeSample, measureExports, type Taken } from './exports.ts';
import { type HttpLoad, type Latency, latencyOf, measureHttp } from './latency.ts';
import { type KindsOfPages, PAGE_PARTS, type PagePart, pagesOf } from './page-paths.ts';
import { type MeasuredServer, scratchFolder, startMeasuredServer } from './process.ts';
import { machine, note, number, writeResults } from './report.ts';

const EXPORTS = 'exports';
export const PARTS_OF_PAGES = [...PAGE_PARTS, EXPORTS] as const;
export type PartOfPages = PagePart | typeof EXPORTS;

/** The parts of a list; null where it names another. */
export function partsOfPages(list: string): PartOfPages[] | null {
  const names = list.split(',').map((name) => name.trim());
  const parts = PARTS_OF_PAGES.filter((part) => names.includes(part));
  return names.every((name) => parts.some((part) => part === name)) ? parts : null;
}

export const PAGES_HELP = `       npm run bench -- pages [--snapshot DIR] [--only ${PARTS_OF_PAGES.join(',')}] [--seconds 2] [--rest 0] [--json]

Each page as a reader asks for it, one request at a time, over the snapshot of the directory or the synthetic sample, once the server has
inferred the labels of all trials. Of a kind with many addresses every fifth is asked before, so that its code is warm; then each other
address for the first time, and then all of them again for the given seconds. A machine whose host slows it down after a minute of work
rests before, for the given seconds. Last each file of a whole result, as \`exports\` measures it.
`;

/** No service outside this machine is used. */
const OFFLINE = { PATH: '', PUBMED_URL: 'off', EUROPEPMC_URL: 'off', RATE_LIMITS: 'off', LOG_LEVEL: 'info' };
const TARGET_P99_MS = 30;
/** Of a kind with fewer addresses none is left out to warm its code. */
const MANY = 25;
const WARMING = 5;
const SEE_OTHER = 303;
/** Answers once the labels of all trials are inferred. */
const BY_LABELS = '/api/v1/trials/facets?facet=modality';

interface PageTimes {
  addresses: number;
  /** The first answer of the kind since the start of the server. */
  startMs: number;
  /** First answers to single addresses, when the code of the kind was warm; null for a kind with few addresses. */
  first: Latency | null;
  /** Each of them, in ms. */
  firstsMs: number[];
  /** Processor time of the gateway, all its threads, for each of them; a busy machine disturbs it less than the clock. */
  firstCpuMs: number | null;
  /** Answers to addresses that were asked before. */
  again: HttpLoad;
  /** The address whose first answer took longest. */
  slowest: string | null;
}

interface PagesResults {
  machine: ReturnType<typeof machine>;
  snapshot: string;
  trials: number;
  /** Of `/trials`, when nothing was asked before. */
  firstSearchMs: number;
  /** From then until the labels of all trials were inferred. */
  labelsSeconds: number;
  pages: Record<string, PageTimes>;
  memory: { rssMb: number | null; privateMb: number | null };
  files: Record<string, Taken>;
}

interface PagesOptions {
  snapshot?: string;
  only?: readonly PartOfPages[];
  seconds: number;
  /** Seconds without work between the labels and the first page. */
  rest: number;
  json: boolean;
}

export async function benchPages(options: PagesOptions): Promise<void> {
  await using folder = await scratchFolder('pages');
  const dir = options.snapshot === undefined ? await makeSample(folder.path) : resolve(options.snapshot);
  const results = await measure(folder.path, dir, options);
  await writeResults(`pages-${results.trials}`, results);
  process.stdout.write(options.json ? `${JSON.stringify(results)}\n` : table(results));
}

async function measure(
  root: string,
  dir: string,
  { only = PARTS_OF_PAGES, seconds, rest }: PagesOptions,
): Promise<PagesResults> {
  const wanted = PAGE_PARTS.filter((part) => only.includes(part));
  const { trials, kinds } = pagesOf(dir, wanted);
  const environment = { ...OFFLINE, DATA_DIR: join(root, 'service'), SNAPSHOTS_DIR: dirname(dir) };
  await using board = await startMeasuredServer('board-server/main.ts', { ...environment, BOARD_PORT: '0' });
  await using gateway = await startMeasuredServer('gateway/main.ts', { ...environment, BOARD_URL: board.url });
  const firstSearchMs = await timeOf(gateway.url, '/trials');
  note('labels of all trials');
  const labelsMs = await timeOf(gateway.url, BY_LABELS);
  note(`${rest} s of rest`);
  await pause(rest * 1000);
  const pages = await pagesMeasured(gateway, kinds, seconds);
  const { rssMb, privateMb } = gateway.memory();
  const files = only.includes(EXPORTS) ? await measureExports(gateway) : {};
  return {
    ...{ machine: machine(), snapshot: basename(dir), trials },
    ...{ firstSearchMs, labelsSeconds: labelsMs / 1000, pages, memory: { rssMb, privateMb }, files },
  };
}

async function pagesMeasured(
  server: MeasuredServer,
  kinds: KindsOfPages,
  seconds: number,
): Promise<Record<string, PageTimes>> {
  const pages: Record<string, PageTimes> = {};
  for (const [name, paths] of Object.entries(kinds)) {
    note(name);
    pages[name] = await timed(server, paths, seconds);
  }
  return pages;
}

async function timed(server: MeasuredServer, paths: readonly string[], seconds: number): Promise<PageTimes> {
  const { url } = server;
  const isMany = paths.length >= MANY;
  const isWarming = (_: string, place: number): boolean => !isMany || place % WARMING === 0;
  const warming = await answersTo(url, paths.filter(isWarming));
  const before = server.cpuSeconds();
  const firsts = isMany
    ? await answersTo(
        url,
        paths.filter((path, place) => !isWarming(path, place)),
      )
    : [];
  const after = server.cpuSeconds();
  const firstsMs = firsts.map(({ milliseconds }) => milliseconds);
  const answered = [...warming, ...firsts].map(({ path }) => path);
  const again = await measureHttp(url, answered, 1, seconds);
  const [slowest] = firsts.toSorted((a, b) => b.milliseconds - a.milliseconds);
  return {
    addresses: answered.length,
    startMs: warming[0]!.milliseconds,
    first: isMany ? latencyOf(firstsMs) : null,
    firstsMs,
    firstCpuMs: isMany && before !== null && after !== null ? ((after - before) * 1000) / firsts.length : null,
    slowest: slowest?.path ?? null,
    again,
  };
}

/** The pages at these addresses, one after the other. Another name of a condition leads to the page of its heading, and is left out. */
async function answersTo(url: string, paths: readonly string[]): Promise<{ path: string; milliseconds: number }[]> {
  const connection = new Connection(url);
  const answers: { path: string; milliseconds: number }[] = [];
  for (const path of paths) {
    const sent = performance.now();
    const status = await connection.send(getRequest(path));
    if (status === 200) answers.push({ path, milliseconds: performance.now() - sent });
    else if (status !== SEE_OTHER) throw new Error(`${path} was answered with ${status}`);
  }
  connection.close();
  return answers;
}

async function timeOf(url: string, path: string): Promise<number> {
  const [answer] = await answersTo(url, [path]);
  if (answer === undefined) throw new Error(`${path} leads elsewhere`);
  return answer.milliseconds;
}

/** The last row of the table: first answers of all kinds together, each address once. */
function ofAll(firstsMs: number[]): string[] {
  if (firstsMs.length === 0) return [];
  const { p50Ms, p99Ms } = latencyOf(firstsMs);
  const within = firstsMs.filter((milliseconds) => milliseconds <= TARGET_P99_MS).length;
  return [
    `| all first answers | ${firstsMs.length} | | ${number(p50Ms)} | ${number(p99Ms)} | | | | ${within} within ${TARGET_P99_MS} ms | |`,
  ];
}

function table({ machine: where, snapshot, trials, pages, memory, files, ...start }: PagesResults): string {
  const over = (milliseconds: number): string =>
    `${number(milliseconds)}${milliseconds > TARGET_P99_MS ? ' (over)' : ''}`;
  const row = ([name, { addresses, startMs, first, firstCpuMs, again }]: [string, PageTimes]): string => {
    const cells = [name, addresses, number(startMs), first === null ? '' : number(first.p50Ms)];
    cells.push(
      first === null ? '' : over(first.p99Ms),
      firstCpuMs === null ? '' : number(firstCpuMs),
      number(again.p50Ms),
      over(again.p99Ms),
      again.count,
      again.failed,
    );
    return `| ${cells.join(' | ')} |`;
  };
  return `${[
    `${trials} trials of snapshot ${snapshot} on ${where.cores} x ${where.cpu}, ${where.memoryGb} GB, Node ${where.node}`,
    '',
    `The first \`/trials\` after the start took ${number(start.firstSearchMs)} ms; the labels of all trials were inferred ${number(start.labelsSeconds)} s later.`,
    '',
    `Server time of a page in ms; the target is a p99 of ${TARGET_P99_MS}.`,
    '',
    '| page | addresses | first of the kind | first of an address, p50 | p99 | CPU | again, p50 | p99 | answers | failed |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...Object.entries(pages).map(row),
    ...ofAll(Object.values(pages).flatMap(({ firstsMs }) => firstsMs)),
    '',
    `Memory of the gateway with the index in it: RSS ${number(memory.rssMb, 0)} MB, private ${number(memory.privateMb, 0)} MB.`,
    '',
    exportsTable(files).trimEnd(),
  ].join('\n')}\n`;
}
