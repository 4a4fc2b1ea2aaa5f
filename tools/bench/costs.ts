import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { TRIAL_FILES } from '../../contract/interfaces/take-away.ts';
import type { Operation } from '../../contract/operation.ts';
import { INDEX_OPERATIONS } from '../../contract/operations.ts';
import { readCurrent, snapshotPath } from '../../snapshot/format/versions/current.ts';
import { type MeasuredServer, measureRun, scratchFolder, startMeasuredServer } from './process.ts';
import { machine, note, number, writeResults } from './report.ts';

export const COSTS_HELP = `       npm run bench -- costs [--snapshot DIR] [--json]

The costliest request found for each read of the index, over the snapshot of the directory or the synthetic sample: milliseconds of the
gateway's own thread, which all callers share, for the operation's example and for each parameter with the values that ask for most. Each
request is asked once before by another text, so that its code is warm. Needs Linux, which counts the time of a thread in nanoseconds.
`;

const OFFLINE = { PATH: '', PUBMED_URL: 'off', EUROPEPMC_URL: 'off', RATE_LIMITS: 'off', LOG_LEVEL: 'info' };
const BY_LABELS = '/api/v1/trials/facets?facet=modality';
/** The comparison of two versions goes on. */
const UNFINISHED = 503;
const FILES = new Set<string>(TRIAL_FILES.map(({ path }) => path));

/** Words that most trials have, and abbreviations that are names of many things. */
const WORDS =
  'cancer heart lung pain diabetes stroke asthma obesity insulin therapy placebo children adults surgery'.split(' ');
const ABBREVIATIONS = 'MI HF MS AD PD CF AF RA UC CD TB HIV HCV CKD COPD ALS ALL AML CLL DM'.split(' ');

const repeated = (words: readonly string[], count: number): string =>
  Array.from({ length: count }, (_, place) => words[place % words.length]).join(' ');

/** Changes of a query that ask for much; `turn` makes texts that were not asked before. */
function costlyValues(turn: number): readonly (readonly [what: string, query: Record<string, string>])[] {
  const most = 500 - 4;
  return [
    ['a common word', { q: `trial ${turn}` }],
    ['words', { q: `${repeated(WORDS, 60)} ${turn}`.slice(0, most) }],
    ['a word of each kind or', { q: `${WORDS.join(' OR ')} ${turn}` }],
    ['nested quotes', { q: `${'"a '.repeat(100)}${turn}` }],
    ['negations', { q: `${'-a '.repeat(120)}${turn}` }],
    ['words as concepts', { q: `${repeated(WORDS, 31)} ${turn}`.slice(0, most), match: 'concepts' }],
    ['abbreviations as concepts', { q: `${repeated(ABBREVIATIONS, 31)} ${turn}`, match: 'concepts' }],
    ['alternatives as concepts', { q: `${ABBREVIATIONS.join(' OR ')} ${turn}`.slice(0, most), match: 'concepts' }],
    [
      'slips as concepts',
      { q: `${repeated(['diabtes', 'athsma', 'canser', 'strok'], 31)} ${turn}`, match: 'concepts' },
    ],
    ['a condition as concepts', { condition: repeated(WORDS, 31), match: 'concepts', conditionMatch: 'words' }],
    ['a topic as concepts', { topic: 'oncology', match: 'concepts' }],
    ['every status', { status: 'recruiting,completed,active,terminated,withdrawn,unknown', page: String(turn + 1) }],
    ['a full page', { pageSize: '100', page: String(turn + 1) }],
    ['a full page with everything', { pageSize: '100', include: 'eligibilityText,modality', page: String(turn + 1) }],
    ['everything included', { include: 'eligibilityText,modality', q: `trial ${turn}` }],
    ['the labels of every trial', { include: 'modality' }],
    ['the last page by text', { q: 'trial', sort: 'relevance', pageSize: '100', page: String(turn + 20) }],
    ['modality', { modality: 'small-molecule', q: `trial ${turn}` }],
    ['commas', { status: ','.repeat(7_000 + turn) }],
    ['repeats', { status: 'completed,'.repeat(700 + turn) }],
    ['a long name', { [`${'q'.repeat(3_000)}${turn}`]: 'x' }],
  ];
}

interface Cost {
  what: string;
  path: string;
  status: number;
  ms: number;
  kilobytes: number;
}

/** Milliseconds that the main thread of a process has run. */
function threadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

export async function benchCosts({ snapshot, json }: { snapshot: string | null; json: boolean }): Promise<void> {
  await using folder = await scratchFolder('costs');
  const dir = snapshot === null ? await makeSample(folder.path) : resolve(snapshot);
  const environment = { ...OFFLINE, DATA_DIR: `${folder.path}/service`, SNAPSHOTS_DIR: dirname(dir) };
  await using board = await startMeasuredServer('board-server/main.ts', { ...environment, BOARD_PORT: '0' });
  await using gateway = await startMeasuredServer('gateway/main.ts', { ...environment, BOARD_URL: board.url });
  note('labels of all trials');
  await fetch(gateway.url + BY_LABELS).then((answer) => answer.text());
  const costs: Record<string, Cost[]> = {};
  const read = [...INDEX_OPERATIONS, ...TRIAL_FILES] as readonly Operation[];
  for (const operation of read.filter(({ method }) => method === 'GET')) {
    note(operation.id);
    costs[operation.id] = await costsOf(gateway, operation);
  }
  Object.assign(costs, await costsOfComparison(gateway));
  const results = { machine: machine(), snapshot: basename(dir), costs };
  await writeResults(`costs-${basename(dir)}`, results);
  process.stdout.write(json ? `${JSON.stringify(results)}\n` : table(results));
}

/** Makes a snapshot of the synthetic sample; gives its directory. */
async function makeSample(root: string): Promise<string> {
  const environment = { ...OFFLINE, DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots') };
  note('making the sample');
  await measureRun(['pipeline/cli.ts', 'run', '--source', 'sample'], environment);
  const version = await readCurrent(environment.SNAPSHOTS_DIR);
  if (version === null) throw new Error('the pipeline published nothing');
  return snapshotPath(environment.SNAPSHOTS_DIR, version);
}

/** Its example, and its example with each costly query that it takes; costliest first. */
async function costsOf(server: MeasuredServer, operation: Operation): Promise<Cost[]> {
  const id = await anyTrial(server);
  const example = operation.example.replaceAll(/\{\w+\}/g, id);
  const costs: Cost[] = [];
  const asked: (readonly [string, Record<string, string>])[] = [['its example', {}], ...costlyValues(1)];
  for (const [place, [what, more]] of asked.entries()) {
    const takes = Object.keys(more).every((name) => name.length > 100 || Object.hasOwn(operation.query ?? {}, name));
    if (!takes) continue;
    await costOf(server, what, withQuery(example, place === 0 ? {} : (costlyValues(0)[place - 1]?.[1] ?? {})));
    costs.push(await costOf(server, what, withQuery(example, more)));
  }
  return costs.toSorted((a, b) => b.ms - a.ms);
}

/** The newest two versions compared: its page and its list. Nothing where one version is held. */
async function costsOfComparison(server: MeasuredServer): Promise<Record<string, Cost[]>> {
  const answer = await fetch(`${server.url}/api/v1/snapshots`);
  const { data } = (await answer.json()) as { data: { snapshots: { version: string }[] } };
  const [to, from] = data.snapshots.map(({ version }) => version);
  if (to === undefined || from === undefined) return {};
  const list = `/api/v1/snapshots/${from}/diff/${to}`;
  note('comparison');
  while ((await costOf(server, 'the comparison', list)).status === UNFINISHED) await pause(1000);
  const asked = `from=${from}&to=${to}&kind=trials-changed`;
  return {
    'snapshot-diff, two versions': [await costOf(server, 'a full page', `${list}?pageSize=100`)],
    'page-diff': [await costOf(server, 'the first page', `/snapshots/diff?${asked}`)],
  };
}

async function anyTrial(server: MeasuredServer): Promise<string> {
  const answer = await fetch(`${server.url}/api/v1/trials/search?pageSize=1`);
  const { data } = (await answer.json()) as { data: { trials: { canonicalId: string }[] } };
  return data.trials[0]!.canonicalId;
}

function withQuery(example: string, more: Record<string, string>): string {
  const url = new URL(example, 'http://here');
  for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value);
  return url.pathname + url.search;
}

async function costOf(server: MeasuredServer, what: string, path: string): Promise<Cost> {
  const before = threadMs(server.pid);
  const answer = await fetch(server.url + path);
  const bytes = await answer.arrayBuffer();
  return { what, path, status: answer.status, ms: threadMs(server.pid) - before, kilobytes: bytes.byteLength / 1000 };
}

const SHOWN_PATH_CHARACTERS = 90;

function table({
  machine: where,
  snapshot,
  costs,
}: {
  machine: ReturnType<typeof machine>;
  snapshot: string;
  costs: Record<string, Cost[]>;
}): string {
  const rows = Object.entries(costs)
    .map(([id, all]) => ({ id, worst: all[0]! }))
    .toSorted((a, b) => b.worst.ms - a.worst.ms)
    .map(({ id, worst }) => {
      const isFile = FILES.has(worst.path.split('?')[0]!);
      const cells = [
        id,
        worst.what,
        number(worst.ms, 1),
        isFile ? 'in pieces' : '',
        number(worst.kilobytes, 0),
        worst.status,
      ];
      return `| ${[...cells, `\`${worst.path.slice(0, SHOWN_PATH_CHARACTERS)}\``].join(' | ')} |`;
    });
  return [
    `Snapshot ${snapshot} on ${where.cores} x ${where.cpu}, ${where.memoryGb} GB, Node ${where.node}`,
    '',
    '| operation | costliest request | ms of the thread | | kB | status | address |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
