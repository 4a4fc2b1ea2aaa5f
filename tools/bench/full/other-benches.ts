import { environment } from '../../../server-kit/config/env.ts';
import type { BoardResults } from '../board/board.ts';
import { SEARCHES } from '../board/reads.ts';
import { measureRun } from '../process.ts';
import type { RivalsResults } from '../rivals/rivals.ts';
import type { Row } from './rows.ts';

/** Runs another benchmark in a process of its own; it cleans up after itself. */
async function otherBench(words: string[]): Promise<unknown> {
  const { PATH = '' } = environment();
  const { output } = await measureRun(['tools/bench/main.ts', ...words, '--json'], { PATH });
  return JSON.parse(output);
}

/** Claims, the feed, and the slowest read of a list and the slowest search of a filled board. */
export async function boardRows(events: number, seconds: number): Promise<Row[]> {
  const words = ['board', '--events', String(events), '--seconds', String(seconds)];
  const { claims, steady, reads, memory } = (await otherBench(words)) as BoardResults;
  const slowest = (isSearch: boolean, what: string, most: number): Row[] => {
    const found = Object.entries(reads).filter(([name]) => SEARCHES.has(name) === isSearch);
    const [worst] = found.sort(([, one], [, other]) => other.p99Ms - one.p99Ms);
    return worst === undefined
      ? []
      : [{ what: `${what} of a filled board, p99: ${worst[0]}`, value: worst[1].p99Ms, unit: 'ms', most }];
  };
  return [
    { what: 'durable claims over HTTP', value: claims.requestsPerSecond, unit: 'a second', least: 1500 },
    {
      what: `feed page, ${events.toLocaleString('en-GB')} events, p99 at ${steady.offeredPerSecond} a second`,
      value: steady.p99Ms,
      unit: 'ms',
      most: 10,
      peakRssMb: memory.rssMb,
    },
    ...slowest(false, 'slowest read', 10),
    ...slowest(true, 'slowest search', 20),
  ];
}

export async function rivalRows(snapshotDir: string, seconds: number): Promise<Row[]> {
  const words = ['rivals', '--snapshot', snapshotDir, '--seconds', String(seconds)];
  const { rivals, skipped } = (await otherBench(words)) as RivalsResults;
  const rows = rivals.flatMap(({ name, works }) =>
    Object.entries(works).map(([work, { theirs, ours, differing, asked }]): Row => {
      const isTarget = name.startsWith('PostgreSQL') && work === 'search, mixed';
      const what = `${work}: ${name}, p50 as times of ours (${differing.length} of ${asked} answers differ)`;
      return { what, value: theirs.p50Ms / ours.p50Ms, unit: 'times', ...(isTarget && { least: 20 }) };
    }),
  );
  const left = Object.entries(skipped).map(([name, why]): Row => ({ what: `${name}: ${why}`, value: null, unit: '' }));
  return [...rows, ...left];
}
