import { RESULTS_GAP_MONTHS } from '../../../contract/limits/limits.ts';
import type { RegistrationFieldsRecord, TrialListItem, TrialRecord } from '../../../contract/schemas/trials/trial.ts';
import type { TrialResultsGapRecord } from '../../../contract/schemas/trials/trial-results-gap.ts';
import { gapClock, hasPassed, isInGap } from '../../../snapshot/format/results-gap.ts';
import { addMonths, dayToIso, parseFilterDate } from '../../../snapshot/format/words/dates.ts';
import { several } from '../kit/words.ts';

/**
 * What is known of a trial's results: whether a registry has them, and by the definition of the results gap, since when
 * they are due. Days count to the day of the snapshot.
 */
export type ResultsState =
  | { kind: 'posted'; date: string | null; daysAfterDue: number | null }
  | { kind: 'overdue'; due: string; days: number; basis: string }
  | { kind: 'awaited'; due: string; days: number; basis: string; isEstimated: boolean }
  /** Not posted, and the results gap has no clock for it: why. */
  | { kind: 'not-counted'; why: string }
  /** Of ISRCTN alone, without a summary of results: it does not post results in the same sense. */
  | { kind: 'no-summary' };

const BASES = { primary_completion: 'primary completion', completion: 'completion', none: 'completion' } as const;

export function resultsStateOf(trial: TrialRecord, asOf: string): ResultsState {
  const counted = trial.registrations.find(({ registry }) => registry === 'clinicaltrials_gov');
  const clock = counted === undefined ? null : gapClock(counted.fields.dates);
  const dueDay = clock?.completionDay == null ? null : addMonths(clock.completionDay, RESULTS_GAP_MONTHS);
  if (trial.resultsAvailable) return posted(trial, dueDay);
  if (counted === undefined) return { kind: 'no-summary' };
  const why = whyNotCounted(counted.fields);
  const today = parseFilterDate(asOf);
  if (why !== null || dueDay === null || today === null || clock === null)
    return { kind: 'not-counted', why: why ?? 'No completion is stated, so that no clock runs.' };
  const due = { due: dayToIso(dueDay), basis: BASES[clock.basis] };
  if (dueDay > today) {
    const { primaryCompletion, completion } = counted.fields.dates;
    const isEstimated = (primaryCompletion ?? completion)?.type === 'estimated';
    return { kind: 'awaited', ...due, days: dueDay - today, isEstimated };
  }
  if (isInGap(counted.registry, counted.fields)) return { kind: 'overdue', ...due, days: today - dueDay };
  const late = `${RESULTS_GAP_MONTHS} months after the ${due.basis} ended on ${due.due}`;
  return { kind: 'not-counted', why: `${late}, but the registry does not call the study completed.` };
}

function posted({ dates: { resultsPosted } }: TrialRecord, dueDay: number | null): ResultsState {
  const day = resultsPosted === null ? null : parseFilterDate(resultsPosted.date);
  return {
    kind: 'posted',
    date: resultsPosted?.date ?? null,
    daysAfterDue: day === null || dueDay === null ? null : day - dueDay,
  };
}

/** Why the results gap will not count a registration; null if it may. */
function whyNotCounted({ studyType, status }: RegistrationFieldsRecord): string | null {
  if (status === 'withdrawn') return 'It was withdrawn before anyone took part, so that there are none to post.';
  if (studyType !== 'interventional') return 'The results gap counts interventional trials alone.';
  if (status === 'running' || status === 'completed') return null;
  return 'The results gap counts completed trials alone.';
}

/** What is known of the results of a trial, in a few words. */

/** Of how many registrations a share counts, in every copy: of the whole registry the number is its size. */
export function heldWords({ held }: Pick<TrialResultsGapRecord, 'held'>): string {
  return held === null ? 'none held here' : `${several(held, 'registration', 'registrations')} held here`;
}

export const DUE_AFTER_DATA = 'due after the day of this data';

/** Whether results fell due after the day of the registry's data: they may be posted since. */
export function isDueAfterData(
  days: number | null | undefined,
  data: { asOf: string; dataDay: string | null },
): boolean {
  const [asOf, dataDay] = [parseFilterDate(data.asOf), parseFilterDate(data.dataDay ?? data.asOf)];
  return days != null && asOf !== null && dataDay !== null && asOf - days > dataDay;
}

/** How the days overdue of a list are counted by the clock that its address names. */
export function resultsNote({ gapClock, gapMonths = RESULTS_GAP_MONTHS }: ClockWords): string {
  const from = gapClock === 'completion' ? 'completion' : 'primary completion, else completion';
  return `Days overdue count from ${gapMonths} months after ${from}, for completed interventional trials of ClinicalTrials.gov, to the day of the snapshot. They say nothing about any duty to post results.`;
}

interface ClockWords {
  gapClock?: string | undefined;
  gapMonths?: string | number | undefined;
}

type ResultsPart = Pick<
  TrialListItem,
  'resultsAvailable' | 'status' | 'studyType' | 'dates' | 'registries' | 'registrations' | 'daysOverdue'
>;

/**
 * Null where no results are to be expected yet. A search that asks when results fall due says the days by its own clock; else they
 * are counted here, and only of a trial with one registration: of two, a list does not tell which of them states the dates.
 */
export function resultsState(
  trial: ResultsPart,
  asOf: string | undefined,
  dataDay: string | null = null,
): string | null {
  if (trial.resultsAvailable) return 'Results posted';
  if (trial.status !== 'completed') return null;
  if (!trial.registries.includes('clinicaltrials_gov')) return 'No summary of results held';
  const days = trial.daysOverdue === undefined ? daysOverdue(trial, asOf) : trial.daysOverdue;
  if (days === null) return 'No results posted';
  const isLater = asOf !== undefined && isDueAfterData(days, { asOf, dataDay });
  return `No results, ${several(days, 'day', 'days')} overdue${isLater ? `, ${DUE_AFTER_DATA}` : ''}`;
}

function daysOverdue({ registries, registrations, dates, ...fields }: ResultsPart, asOf: string | undefined) {
  const [registry] = registries;
  const day = asOf === undefined ? null : parseFilterDate(asOf);
  if (registry === undefined || registrations.length !== 1 || day === null || !isInGap(registry, fields)) return null;
  const { completionDay } = gapClock(dates);
  if (completionDay === null || !hasPassed(completionDay, RESULTS_GAP_MONTHS, day)) return null;
  return day - addMonths(completionDay, RESULTS_GAP_MONTHS);
}
