import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pino } from 'pino';
import { HistoryStore } from '../index-server/history/history-store.ts';
import { VersionList } from '../index-server/snapshot/version-list.ts';
import { type Latency, latencyOf } from './latency.ts';

/** What is looked up. */
export interface HistoryPlan {
  dir: string;
  newest: string;
  versions: number;
  /** Trials that changed at least once, as often as they were drawn. */
  asked: string[];
  unheld: string[];
  /** Trials that changed in every version. */
  restless: string[];
}

export interface HistoryFigures {
  openMs: number;
  openCpuMs: number;
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
const calls = {
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
    store.sinceVersion(version, { limit: 50 }),
  ),
};
const figures: HistoryFigures = {
  ...{ openMs, openCpuMs: (user + system) / 1000 },
  privateMb: { before, opened, after: privateMb() },
  calls,
};
process.stdout.write(JSON.stringify(figures));
