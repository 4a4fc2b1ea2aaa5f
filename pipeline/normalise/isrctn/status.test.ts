import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDate } from '../values.ts';
import { deriveIsrctnStatus, isrctnEnrollment, type StatusInputs, validDays } from './status.ts';

const NONE: StatusInputs = {
  overallStatusOverride: null,
  recruitmentStatusOverride: null,
  recruitmentStartStatusOverride: null,
  overallEndDate: null,
  recruitmentStart: null,
  recruitmentEnd: null,
  unreadable: {},
  totalFinalEnrolment: null,
};

function inputs(
  start: string | null,
  recruitmentEnd: string | null,
  end: string | null,
  more: Partial<StatusInputs> = {},
): StatusInputs {
  return {
    ...NONE,
    recruitmentStart: readDate(start),
    recruitmentEnd: readDate(recruitmentEnd),
    overallEndDate: readDate(end),
    ...more,
  };
}

const FROM_2020 = inputs('2020-01-10', '2021-01-10', '2022-01-10');

describe('status by dates', () => {
  test.each([
    ['2020-01-09', 'running', 'not_yet_recruiting'],
    ['2020-01-10', 'running', 'recruiting'],
    ['2021-01-10', 'running', 'recruiting'],
    ['2021-01-11', 'running', 'active_not_recruiting'],
    ['2022-01-10', 'running', 'active_not_recruiting'],
    ['2022-01-11', 'completed', 'completed'],
  ])('on %s the trial is %s, %s', (asOf, status, recruitmentStatus) => {
    expect(deriveIsrctnStatus(FROM_2020, asOf)).toMatchObject({ status, recruitmentStatus });
  });

  test('a month counts as past only after its last day and as ahead only before its first', () => {
    const at = (asOf: string) => deriveIsrctnStatus(inputs('2020-03', null, '2020-05'), asOf).recruitmentStatus;
    expect([at('2020-02-29'), at('2020-03-01')]).toEqual(['not_yet_recruiting', 'recruiting']);
    expect([at('2020-05-31'), at('2020-06-01')]).toEqual(['recruiting', 'completed']);
  });

  test('without an end date only recruitment that is not over shows a running trial', () => {
    expect(deriveIsrctnStatus(inputs('2020-01-01', '2021-01-01', null), '2020-06-01').status).toBe('running');
    expect(deriveIsrctnStatus(inputs('2020-01-01', null, null), '2019-06-01').status).toBe('running');
    expect(deriveIsrctnStatus(inputs('2020-01-01', '2021-01-01', null), '2022-06-01')).toMatchObject({
      status: 'unknown',
      recruitmentStatus: 'unknown',
      statusBasis: 'no overallEndDate',
    });
  });
});

describe('overrides', () => {
  const derived = (from: string): string => `derived from ${from} as of the snapshot's day`;
  const END = 'overallEndDate 2022-01-10';
  const INVITED = 'recruitmentStatusOverride Enrolling by invitation';
  const DEFERRED = 'recruitmentStartStatusOverride Deferred';
  const UNKNOWN = 'overallStatusOverride Paused (not a known value)';
  const ALL = `${END}, recruitmentStart 2020-01-10, recruitmentEnd 2021-01-10`;
  const recruitment = (word: string) => ({ recruitmentStatusOverride: word });
  test.each([
    [{ overallStatusOverride: 'Stopped' }, 'terminated', 'terminated', 'overallStatusOverride Stopped'],
    [{ overallStatusOverride: 'Suspended' }, 'suspended', 'suspended', 'overallStatusOverride Suspended'],
    [{ overallStatusOverride: 'Deferred' }, 'suspended', 'suspended', 'overallStatusOverride Deferred'],
    [recruitment('Suspended'), 'running', 'suspended', derived(`${END}, recruitmentStatusOverride Suspended`)],
    [recruitment('Enrolling by invitation'), 'running', 'enrolling_by_invitation', derived(`${END}, ${INVITED}`)],
    [{ recruitmentStartStatusOverride: 'Deferred' }, 'running', 'not_yet_recruiting', derived(`${END}, ${DEFERRED}`)],
    [{ overallStatusOverride: 'Paused' }, 'running', 'recruiting', derived(`${UNKNOWN}, ${ALL}`)],
  ])('%j', (override, status, recruitmentStatus, statusBasis) => {
    expect(deriveIsrctnStatus({ ...FROM_2020, ...override }, '2020-06-01')).toMatchObject({
      status,
      recruitmentStatus,
      statusBasis,
    });
  });

  test('a stopped trial with 0 people stays terminated; the basis says what 0 may mean', () => {
    expect(
      deriveIsrctnStatus({ ...FROM_2020, overallStatusOverride: 'Stopped', totalFinalEnrolment: '0' }, '2020-06-01'),
    ).toMatchObject({
      status: 'terminated',
      statusBasis:
        'overallStatusOverride Stopped, totalFinalEnrolment 0, so it may have stopped before anyone took part',
    });
  });
});

describe('dates that are stated and cannot be read', () => {
  test.each([
    [{ overallEndDate: '2019-13' }, 'unknown', 'overallEndDate 2019-13 (unreadable)'],
    [
      { overallEndDate: '2019-13', recruitmentEnd: '30 February 2019' },
      'running',
      "derived from overallEndDate 2019-13 (unreadable), recruitmentStart 2020-01-10, recruitmentEnd 30 February 2019 (unreadable), recruitmentStart 2020-01-10 as of the snapshot's day",
      '2020-01-10',
    ],
  ])('%j', (unreadable, status, statusBasis, start: string | null = null) => {
    expect(deriveIsrctnStatus({ ...inputs(start, null, null), unreadable }, '2019-06-01')).toMatchObject({
      status,
      statusBasis,
    });
  });

  test('do not stand in the basis of a status that does not rest on them', () => {
    const stated = { ...NONE, overallStatusOverride: 'Stopped', unreadable: { overallEndDate: '2019-13' } };
    expect(deriveIsrctnStatus(stated, '2020-06-01').statusBasis).toBe('overallStatusOverride Stopped');
  });
});

describe('enrolment', () => {
  /** Last updates before the planned end of 2022-01-10, on that day, and after it. */
  const [before, onTheDay, after] = ['2021-06-01', '2022-01-10', '2022-01-11'];
  const ZERO_KEPT = 'totalFinalEnrolment 0: nobody took part, or the form filled it in for no number';
  const ZERO_UNKNOWN = 'totalFinalEnrolment 0 means not known until the record says that the trial has ended';
  test.each([
    [before, null, '34', '0', 34, 'estimated', null],
    [onTheDay, null, '34', '0', 34, 'estimated', null],
    [after, null, '34', '0', 0, 'actual', ZERO_KEPT],
    [after, null, '34', '0.0', 0, 'actual', ZERO_KEPT],
    [before, 'Stopped', '34', '0', 0, 'actual', ZERO_KEPT],
    [after, 'Ongoing', '34', '0', 34, 'estimated', null],
    [after, 'Paused', '34', '0', 0, 'actual', ZERO_KEPT],
    [after, null, '34', null, 34, 'estimated', null],
    [before, null, '50', '35', 35, 'actual', null],
    [after, null, '34', '-1', 34, 'estimated', 'totalFinalEnrolment -1 is no number of people'],
    [before, null, '99999999', '0', null, null, `${ZERO_UNKNOWN}; targetEnrolment 99999999 stands for no number`],
    [before, null, null, null, null, null, 'totalFinalEnrolment is blank; targetEnrolment is blank'],
  ])(
    'updated on %s with the override %s, target %s and final %s give %s, %s',
    (updated, overallStatusOverride, target, totalFinalEnrolment, count, enrollmentType, enrollmentNote) => {
      const stated = { ...FROM_2020, overallStatusOverride, totalFinalEnrolment };
      expect(isrctnEnrollment(stated, target, readDate(updated))).toMatchObject({
        enrollmentCount: count,
        enrollmentType,
        enrollmentNote,
      });
    },
  );

  test('the raw text names both numbers', () => {
    expect(isrctnEnrollment({ ...FROM_2020, totalFinalEnrolment: '0' }, '34', null).enrollmentRaw).toBe(
      'targetEnrolment 34; totalFinalEnrolment 0',
    );
    expect(isrctnEnrollment(FROM_2020, null, null).enrollmentRaw).toBeNull();
  });

  test('a planned end that is a month is over only after its last day', () => {
    const stated = { ...inputs('2020-03', null, '2020-05'), totalFinalEnrolment: '0' };
    expect(isrctnEnrollment(stated, '34', readDate('2020-05-31')).enrollmentCount).toBe(34);
    expect(isrctnEnrollment(stated, '34', readDate('2020-06-01')).enrollmentCount).toBe(0);
  });
});

test('time only moves a trial forward: not yet recruiting, recruiting, not recruiting, completed', () => {
  const day = fc
    .date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const order = ['not_yet_recruiting', 'recruiting', 'active_not_recruiting', 'completed'];
  fc.assert(
    fc.property(fc.array(day, { minLength: 3, maxLength: 3 }), day, day, (dates, one, other) => {
      const [start, close, end] = dates.toSorted();
      const [before, after] = [one, other].toSorted();
      const at = (asOf: string | undefined) =>
        order.indexOf(deriveIsrctnStatus(inputs(start!, close!, end!), asOf!).recruitmentStatus);
      expect(at(before)).toBeGreaterThanOrEqual(0);
      expect(at(after)).toBeGreaterThanOrEqual(at(before));
    }),
  );
});

test('a status holds on all of its valid days', () => {
  const date = fc.constantFrom(null, '2020-02', '2020-02-29', '2020-03-01', '2020-03-10', '2021-12-31', '2022-01');
  const day = fc.constantFrom(
    '2020-01-31',
    '2020-02-28',
    '2020-02-29',
    '2020-03-01',
    '2020-03-11',
    '2022-01-01',
    '2022-02-01',
  );
  fc.assert(
    fc.property(date, date, date, day, day, (start, recruitmentEnd, end, asOf, other) => {
      const stated = inputs(start, recruitmentEnd, end);
      const { from, until } = validDays(stated, asOf);
      expect(from <= asOf && asOf < until).toBe(true);
      if (from <= other && other < until)
        expect(deriveIsrctnStatus(stated, other)).toEqual(deriveIsrctnStatus(stated, asOf));
    }),
    { seed: 8, numRuns: 500 },
  );
});
