import { describe, expect, it } from 'vitest';
import type { TrialRecord } from '../../../contract/schemas/trials/trial.ts';
import { isDueAfterData, resultsState, resultsStateOf } from './results-state.ts';

const AS_OF = '2026-11-26';
type Dates = TrialRecord['dates'];
const NO_DATES: Dates = {
  start: null,
  primaryCompletion: null,
  completion: null,
  firstPosted: null,
  lastUpdated: null,
  resultsPosted: null,
};
const day = (date: string, type: 'actual' | 'estimated' = 'actual') => ({ date, precision: 'day' as const, type });

/** A trial with one registration that states these values; only what the function reads. */
function trial(
  stated: Partial<Pick<TrialRecord, 'studyType' | 'status' | 'resultsAvailable'>> & { dates?: Partial<Dates> },
  registry: 'clinicaltrials_gov' | 'isrctn' = 'clinicaltrials_gov',
): TrialRecord {
  const fields = {
    studyType: 'interventional',
    status: 'completed',
    resultsAvailable: false,
    ...stated,
    dates: { ...NO_DATES, ...stated.dates },
  };
  return { ...fields, registries: [registry], registrations: [{ registry, fields }] } as unknown as TrialRecord;
}

describe('the state of results', () => {
  it('counts days from eighteen months after the primary completion, else the completion', () => {
    expect(
      resultsStateOf(trial({ dates: { primaryCompletion: day('2025-05-25'), completion: day('2020-01-01') } }), AS_OF),
    ).toEqual({ kind: 'overdue', due: '2026-11-25', days: 1, basis: 'primary completion' });
    expect(resultsStateOf(trial({ dates: { completion: day('2025-05-27') } }), AS_OF)).toEqual({
      kind: 'awaited',
      due: '2026-11-27',
      days: 1,
      basis: 'completion',
      isEstimated: false,
    });
  });

  it('is overdue on the very day on which the clock runs out, as the results gap counts', () => {
    expect(resultsStateOf(trial({ dates: { primaryCompletion: day('2025-05-26') } }), AS_OF)).toMatchObject({
      kind: 'overdue',
      days: 0,
    });
  });

  it('counts a month from its last day', () => {
    const month = { date: '2025-02', precision: 'month' as const, type: 'actual' as const };
    expect(resultsStateOf(trial({ dates: { primaryCompletion: month } }), AS_OF)).toMatchObject({ due: '2026-08-28' });
  });

  it.each([
    ['an observational study', trial({ studyType: 'observational' }), 'interventional trials alone'],
    ['a withdrawn trial', trial({ status: 'withdrawn' }), 'withdrawn before anyone took part'],
    ['a trial that was stopped', trial({ status: 'terminated' }), 'completed trials alone'],
    ['a trial without a completion', trial({}), 'No completion is stated'],
    [
      'a trial that goes on past its date',
      trial({ status: 'running', dates: { primaryCompletion: day('2020-01-01', 'estimated') } }),
      'does not call the study completed',
    ],
  ])('has no clock for %s, and says why', (_, record, why) => {
    const state = resultsStateOf(record, AS_OF);
    expect(state).toMatchObject({ kind: 'not-counted', why: expect.stringContaining(why) });
  });

  it('of ISRCTN alone is that it holds no summary, which does not say that none are posted', () => {
    const dates = { completion: day('2020-01-01') };
    expect(resultsStateOf(trial({ dates }, 'isrctn'), AS_OF)).toEqual({ kind: 'no-summary' });
    expect(resultsState(trial({ dates }, 'isrctn'), AS_OF)).toBe('No summary of results held');
    expect(resultsState(trial({ dates }), AS_OF)).toMatch(/^No results, /);
    expect(resultsState(trial({ dates, status: 'running' }, 'isrctn'), AS_OF)).toBeNull();
  });

  it('says how long after they were due results were posted', () => {
    const dates = { primaryCompletion: day('2020-01-01'), resultsPosted: day('2021-07-11') };
    expect(resultsStateOf(trial({ resultsAvailable: true, dates }), AS_OF)).toEqual({
      kind: 'posted',
      date: '2021-07-11',
      daysAfterDue: 10,
    });
    expect(resultsStateOf(trial({ resultsAvailable: true }, 'isrctn'), AS_OF)).toEqual({
      kind: 'posted',
      date: null,
      daysAfterDue: null,
    });
  });
});

it('days overdue that began after the day of the data are marked, since results may be posted since', () => {
  const data = { asOf: '2026-08-05', dataDay: '2026-04-29' };
  expect([64, 98, 99, null].map((days) => isDueAfterData(days, data))).toEqual([true, false, false, false]);
  expect(isDueAfterData(64, { ...data, dataDay: '2026-08-05' })).toBe(false);
  const listed = { ...trial({}), daysOverdue: 64 };
  expect(resultsState(listed, data.asOf, data.dataDay)).toBe(
    'No results, 64 days overdue, due after the day of this data',
  );
  expect(resultsState({ ...listed, daysOverdue: 99 }, data.asOf, data.dataDay)).toBe('No results, 99 days overdue');
});
