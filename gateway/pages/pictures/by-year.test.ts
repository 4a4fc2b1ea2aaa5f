import { expect, it } from 'vitest';
import type { TrendRecord } from '../../../contract/schemas/trials/trend.ts';
import { yearRows } from './by-year.ts';

/** What the years are chosen by. */
const trendOf = (...years: number[]): TrendRecord =>
  ({
    asOf: '2026-10-01',
    registries: [],
    series: null,
    periods: years.map((year) => ({ period: String(year), trials: 1 })),
  }) as unknown as TrendRecord;

it.each([
  ['ends on the day of the snapshot', [1990, 2026], '2007', '2026'],
  ['goes on to what is planned', [2020, 2029], '2020', '2029'],
  ['begins with the first start', [2020], '2020', '2026'],
  ['ends with the last start where all began before it', [1975, 2005, 2006], '1987', '2006'],
  ['begins with the first of those', [2005, 2005], '2005', '2005'],
])('the window of years %s', (_what, years, first, last) => {
  const rows = yearRows(trendOf(...years), undefined);
  expect([rows[0]!.year, rows.at(-1)!.year]).toEqual([first, last]);
});
