import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addMonths, dayNumber, dayToIso, isRealDate, parseFilterDate } from './dates.ts';

test.each([
  ['1970-01-01', 0],
  ['1969-12-31', -1],
  ['2000-02-29', 11016],
  ['2026-11-21', 20778],
])('%s is day %i', (date, day) => {
  expect(dayNumber({ date, precision: 'day' })).toEqual({ first: day, last: day });
  expect(parseFilterDate(date)).toBe(day);
  expect(dayToIso(day)).toBe(date);
});

test.each([
  ['2024-02', '2024-02-01', '2024-02-29'],
  ['2023-02', '2023-02-01', '2023-02-28'],
  ['2023-12', '2023-12-01', '2023-12-31'],
])('the month %s covers %s to %s', (date, first, last) => {
  const days = dayNumber({ date, precision: 'month' });
  expect([dayToIso(days.first), dayToIso(days.last)]).toEqual([first, last]);
});

test.each([
  ...['2023-02-29', '2023-13-01', '2023-00-10', '2023-04-31', '2023-1-1', '2023-01', '', 'today'],
  ...['2023-01-01T00:00:00Z', ' 2023-01-01', '20230101'],
])('%s is no day', (date) => {
  expect(isRealDate(date)).toBe(false);
  expect(parseFilterDate(date)).toBeNull();
  expect(() => dayNumber({ date, precision: 'day' })).toThrow(RangeError);
});

test('a date must have the precision that is stated', () => {
  expect(isRealDate('2023-02', 'month')).toBe(true);
  expect(isRealDate('2023-13', 'month')).toBe(false);
  expect(isRealDate('2023-02-01', 'month')).toBe(false);
  expect(() => dayNumber({ date: '2023-02-01', precision: 'month' })).toThrow('"2023-02-01" is not a month');
});

test.each([
  ['2023-01-15', 18, '2024-07-15'],
  ['2023-08-31', 6, '2024-02-29'],
  ['2024-02-29', 12, '2025-02-28'],
  ['2024-03-31', -1, '2024-02-29'],
  ['2023-12-31', 1, '2024-01-31'],
])('%s plus %i months is %s', (from, months, to) => {
  expect(dayToIso(addMonths(parseFilterDate(from)!, months))).toBe(to);
});

test('a day number and its text are two forms of one day', () => {
  fc.assert(
    fc.property(fc.integer({ min: -700_000, max: 2_900_000 }), (day) => {
      expect(parseFilterDate(dayToIso(day))).toBe(day);
    }),
  );
});
