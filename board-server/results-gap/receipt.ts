import { RESULTS_GAP_MONTHS } from '../../contract/limits/limits.ts';
import { sumOfIds } from '../../snapshot/format/id-sum.ts';
import { writeReceipt } from '../../snapshot/format/receipt.ts';
import { latestCompletion } from '../../snapshot/format/results-gap.ts';
import type { MatchMode, Population } from './population.ts';

/** Receipts of a population, which does not change; a topic is one of some fifty. */
const receipts = new WeakMap<Population, Map<string, string | null>>();

/**
 * `_meta.receipt` of the population, whole or of a topic, on its snapshot's day. It counts trials, as the index does: a trial with two
 * registrations in the population counts once.
 */
export function gapReceipt(population: Population, topic: string | null, match: MatchMode): { receipt?: string } {
  const known = receipts.get(population) ?? new Map<string, string | null>();
  receipts.set(population, known);
  const key = JSON.stringify([topic, match]);
  const made = known.has(key) ? known.get(key) : receiptOf(population, topic, match);
  known.set(key, made ?? null);
  return made ? { receipt: made } : {};
}

function receiptOf(population: Population, topic: string | null, match: MatchMode): string | null {
  const completedBy = latestCompletion(population.day, RESULTS_GAP_MONTHS);
  const rows = population.rowsOf(topic, match).filter((row) => population.completedBy(row, completedBy));
  const ids = new Set(Array.from(rows, (row) => population.canonicalIdAt(row)));
  const ofTopic: [string, string][] = topic === null ? [] : [['topic', topic]];
  const byConcepts: [string, string][] = topic === null || match === 'words' ? [] : [['match', match]];
  return writeReceipt({
    ...{ word: 'gap', version: population.snapshot, identity: population.identity },
    ...{ count: ids.size, sum: sumOfIds(ids) },
    query: [['resultsGap', 'true'], ...ofTopic, ...byConcepts],
  });
}
