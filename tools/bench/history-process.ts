import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pino } from 'pino';
import { askedRows, blockRowsOf } from '../../index-server/history/block-rows.ts';
import { HistoryStore, type OpenVersion, pageOfChanges } from '../../index-server/history/history-store.ts';
import { spanOf } from '../../index-server/history/span.ts';
import type { RowSet } from '../../index-server/search/row-set.ts';
import type { SnapshotImage } from '../../index-server/snapshot/snapshot-image.ts';
import { VersionList } from '../../index-server/snapshot/version-list.ts';
import { idOf } from './history-ids.ts';
import { type Latency, latencyOf } from './latency.ts';

/** What is looked up. */
export interface HistoryPlan {
  dir: string;
  newest: string;
  versions: number;
  trials: number;
  /** Trials that changed at least once, as often as they were drawn. */
  asked: string[];
  unheld: string[];
  /** Trials that changed in every version. */
  restless: string[];
}

export interface HistoryFigures {
  openMs: number;
  openCpuMs: number;
  /** To find the rows of all blocks, without pauses. */
  rowsMs: number;
  /** Pages that the process wrote, without the mapped files; null without /proc. */
  privateMb: Record<'before' | 'opened' | 'after', number | null>;
  calls: Record<string, Latency>;
}

/** Opens the history of the plan in the file that is its first argument, looks up, and prints `HistoryFigures` as JSON. */

const plan = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as HistoryPlan;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What is held: garbage is collected first. */
function privateMb(): number | null {
  collectGarbage();
  try {
    const found = /^Private_Dirty:\s+(\d+) kB/m.exec(readFileSync('/proc/self/smaps_rollup', 'utf8'));
    return found === null ? null : Number(found[1]) / 1024;
  } catch {
    return null;
  }
}

async function times<T>(subjects: readonly T[], work: (subject: T) => Promise<unknown>): Promise<Latency> {
  for (const subject of subjects.slice(0, 200)) await work(subject);
  const taken: number[] = [];
  for (const subject of subjects) {
    const started = performance.now();
    await work(subject);
    taken.push(performance.now() - started);
  }
  return latencyOf(taken);
}

const before = privateMb();
const [started, cpu] = [performance.now(), process.cpuUsage()];
using store = new HistoryStore(new VersionList(plan.dir), pino({ level: 'silent' }));
await store.follow(plan.newest);
const openMs = performance.now() - started;
const { user, system } = process.cpuUsage(cpu);
const opened = privateMb();
const { start, versions } = await store.reach();
if (versions !== plan.versions || start === null)
  throw new Error(`${versions} versions were opened, expected ${plan.versions}`);
const open = await store.versions();
/** Ids and numbers of an image are all that the changes of a query need of it. */
const image = {
  trials: plan.trials,
  *canonicalIds() {
    for (let row = 0; row < plan.trials; row += 1) yield { folded: idOf(row).toUpperCase(), row };
  },
  retain: () => image,
  release: () => undefined,
} as unknown as SnapshotImage;

/** As the handler reads it, from the first version on. */
async function changesSince(since: string, asked: RowSet | null): Promise<unknown> {
  const span = spanOf({ versions: open, reach: await store.reach(), served: plan.newest }, { since });
  if ('expected' in span) throw new Error(span.expected);
  const blocksOf = (one: OpenVersion): Iterable<number> =>
    asked === null ? Array(one.pack.blocks).keys() : blocks.blocksIn(one, asked);
  return pageOfChanges(span.versions, blocksOf, (changes) => changes, { limit: 50 });
}

function everyRow(step: number): { count: number; words: Uint32Array } {
  const words = Uint32Array.from({ length: Math.floor(plan.trials / step) }, (_, place) => place * step);
  return { count: words.length, words };
}

const calls: Record<string, Latency> = {
  'a trial that changed': await times(plan.asked, (id) => store.ofTrial([id], { limit: 200 })),
  'a trial with three aliases': await times(plan.asked.slice(0, 5000), (id) =>
    store.ofTrial([id, ...plan.unheld.slice(0, 3)], { limit: 200 }),
  ),
  'a trial that never changed': await times(plan.unheld, (id) => store.ofTrial([id], { limit: 200 })),
  'one that changed in all versions, page of 50': await times(plan.restless.concat(plan.restless), (id) =>
    store.ofTrial([id], { limit: 50 }),
  ),
  'one that changed in all versions, whole': await times(plan.restless.concat(plan.restless), (id) =>
    store.ofTrial([id], { limit: 1000 }),
  ),
  'changes since a version, page of 50 trials': await times(Array(500).fill(start), (version: string) =>
    changesSince(version, null),
  ),
};
const hurried = performance.now();
const blocks = await blockRowsOf(image, open, { hurried: true });
const rowsMs = performance.now() - hurried;
for (const [words, every] of [
  ['of half of all trials', 2],
  ['of 1 in 100 trials', 100],
  ['of 1 in 6,290 trials', 6290],
] as const) {
  const asked = askedRows({ form: 'list', ...everyRow(every) }, image);
  calls[`changes of all versions ${words}, page of 50`] = await times(Array(500).fill(start), (version: string) =>
    changesSince(version, asked),
  );
}
// Rows of no block: the most that a page can have to look through.
const none = askedRows({ form: 'list', count: 0, words: new Uint32Array(0) }, image);
calls['changes of all versions, none found'] = await times(Array(500).fill(start), (version: string) =>
  changesSince(version, none),
);
const figures: HistoryFigures = {
  ...{ openMs, openCpuMs: (user + system) / 1000, rowsMs },
  privateMb: { before, opened, after: privateMb() },
  calls,
};
process.stdout.write(JSON.stringify(figures));
