import type { SnapshotImage } from '../../../index-server/snapshot/snapshot-image.ts';
import { type Latency, latencyOf } from '../latency.ts';
import type { Queries, QueryKind } from '../queries.ts';
import type { Rival } from './answers.ts';
import { QUESTIONS } from './ours.ts';

/** What is asked, by the name under which it is reported. */
export const WORKS: Record<string, { kind: QueryKind; question: keyof typeof QUESTIONS }> = {
  'search, rare': { kind: 'rare', question: 'search' },
  'search, common': { kind: 'common', question: 'search' },
  'search, mixed': { kind: 'mixed', question: 'search' },
  'coverage counts, mixed': { kind: 'mixed', question: 'coverage' },
  'status mix, mixed': { kind: 'mixed', question: 'statuses' },
};

export interface Comparison {
  /** Number of different queries asked and compared with our answers, out of all; fewer when an engine takes too long. */
  asked: number;
  of: number;
  /** Queries whose answers differ, and the first of them. */
  differing: number;
  examples: { query: string; difference: string }[];
  latency: Latency;
  /** Ours in process over the same queries. */
  ours: Latency;
  /** Their median divided by ours. */
  ratioP50: number;
}

const EXAMPLES_MAX = 5;
/** Fewest calls that are timed, however long they take. */
const CALLS_MIN = 10;
const CALLS_MAX = 20_000;
/** Coprime to the number of queries and to the cycle of their forms, so that any prefix of the order has all forms. */
const STRIDE = 67;

/** The different queries of a kind, in an order whose every prefix is a fair sample. */
export function askingOrder(queries: readonly string[]): string[] {
  return [...new Set(queries.map((_, place) => queries[(place * STRIDE) % queries.length] as string))];
}

/**
 * Asks a rival each query once and compares the answer with ours, then times these queries again and again. Takes about
 * twice `seconds`, or as long as the fewest calls take.
 */
export async function compare(
  image: SnapshotImage,
  rival: Rival,
  work: keyof typeof WORKS,
  { queries, seconds }: { queries: Queries; seconds: number },
): Promise<Comparison> {
  const { kind, question } = WORKS[work]!;
  const { ours, theirs, difference } = QUESTIONS[question];
  const all = askingOrder(queries[kind]);
  const asked: string[] = [];
  const examples: Comparison['examples'] = [];
  let differing = 0;
  const deadline = performance.now() + seconds * 1000;
  for (const q of all) {
    if (asked.length >= CALLS_MIN && performance.now() > deadline) break;
    asked.push(q);
    const found = difference(image, q, await theirs(rival, q));
    if (found === null) continue;
    differing += 1;
    if (examples.length < EXAMPLES_MAX) examples.push({ query: q, difference: found });
  }
  const latency = await timed(asked, seconds, (q) => theirs(rival, q));
  const own = await timed(asked, seconds, (q) => ours(image, q));
  return {
    ...{ asked: asked.length, of: all.length, differing, examples, latency, ours: own },
    ratioP50: latency.p50Ms / own.p50Ms,
  };
}

/** Times whole rounds of the subjects. A synchronous answer is not awaited, because awaiting takes longer than our answers. */
export async function timed<T>(
  subjects: readonly T[],
  seconds: number,
  work: (subject: T) => unknown,
): Promise<Latency> {
  const times: number[] = [];
  const deadline = performance.now() + seconds * 1000;
  while (times.length < CALLS_MIN || (performance.now() < deadline && times.length < CALLS_MAX)) {
    for (const subject of subjects) {
      const started = performance.now();
      const answer = work(subject);
      if (answer instanceof Promise) await answer;
      times.push(performance.now() - started);
      if (times.length >= CALLS_MIN && performance.now() > deadline) break;
    }
  }
  return latencyOf(times);
}
