import { RESULTS_GAP_MONTHS, RESULTS_GAP_SHORT_CLOCK_MONTHS } from '../../contract/limits/limits.ts';
import type { ResultsGapTrial } from '../../contract/schemas/board/results-gap.ts';
import { hasPassed, latestCompletion } from '../../snapshot/format/results-gap.ts';
import { addMonths, dayToIso } from '../../snapshot/format/words/dates.ts';
import { completionDate, type GapTrial, type Population } from './population.ts';

/** How many of the rows have been complete for so many months. */
export function countPassed(population: Population, rows: Uint32Array, day: number, months: number): number {
  const completedBy = latestCompletion(day, months);
  let count = 0;
  for (const row of rows) if (population.completedBy(row, completedBy)) count += 1;
  return count;
}

export function isInPopulation({ completionDay }: GapTrial, day: number): boolean {
  return hasPassed(completionDay, RESULTS_GAP_MONTHS, day);
}

/** Day on which a trial enters the population, as YYYY-MM-DD; null where no completion is stated. */
export function entryDay({ completionDay }: GapTrial): string | null {
  return completionDay === null ? null : dayToIso(addMonths(completionDay, RESULTS_GAP_MONTHS));
}

export function presentTrial(trial: GapTrial, day: number): ResultsGapTrial {
  const { nctId, canonicalId, title, basis, resultsState, topics, topicsByConcepts, completionDay } = trial;
  const clock = <Months extends number>(months: Months) => ({
    months,
    since: completionDay === null ? null : dayToIso(addMonths(completionDay, months)),
    passed: hasPassed(completionDay, months, day),
  });
  return {
    nctId,
    canonicalId,
    title,
    completionDate: completionDate(trial),
    completionBasis: basis,
    clocks: { short: clock(RESULTS_GAP_SHORT_CLOCK_MONTHS), long: clock(RESULTS_GAP_MONTHS) },
    resultsState,
    topics,
    topicsByConcepts,
    url: `https://clinicaltrials.gov/study/${nctId}`,
  };
}
