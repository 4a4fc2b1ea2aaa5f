import { RESULTS_GAP_MONTHS } from '../../../contract/limits.ts';
import type { TrialListItem } from '../../../contract/schemas/trial.ts';
import { addMonths, parseFilterDate } from '../../../snapshot-format/dates.ts';
import { gapClock, hasPassed, isInGap } from '../../../snapshot-format/results-gap.ts';
import { count } from '../kit/words.ts';

/** What is known of the results of a trial, in a few words. */

export const RESULTS_NOTE = `Days overdue count from ${RESULTS_GAP_MONTHS} months after completion, for completed interventional trials of ClinicalTrials.gov, to the day of the snapshot. They say nothing about any duty to post results.`;

type ResultsPart = Pick<
  TrialListItem,
  'resultsAvailable' | 'status' | 'studyType' | 'dates' | 'registries' | 'registrations'
>;

/**
 * Null where no results are to be expected yet. Days are counted only of a trial with one registration: of two, a list does
 * not tell which of them states the dates.
 */
export function resultsState(trial: ResultsPart, asOf: string | undefined): string | null {
  if (trial.resultsAvailable) return 'Results posted';
  if (trial.status !== 'completed') return null;
  const days = daysOverdue(trial, asOf);
  return days === null ? 'No results posted' : `No results, ${count(days)} ${days === 1 ? 'day' : 'days'} overdue`;
}

function daysOverdue({ registries, registrations, dates, ...fields }: ResultsPart, asOf: string | undefined) {
  const [registry] = registries;
  const day = asOf === undefined ? null : parseFilterDate(asOf);
  if (registry === undefined || registrations.length !== 1 || day === null || !isInGap(registry, fields)) return null;
  const { completionDay } = gapClock(dates);
  if (completionDay === null || !hasPassed(completionDay, RESULTS_GAP_MONTHS, day)) return null;
  return day - addMonths(completionDay, RESULTS_GAP_MONTHS);
}
