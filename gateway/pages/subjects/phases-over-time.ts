import type { TrendRecord } from '../../../contract/schemas/trend.ts';
import type { Html } from '../html.ts';
import { chart, type DrawnPictures } from '../kit/chart.ts';
import { type Column, counted, table } from '../kit/parts.ts';
import { PHASE_GROUPS, phasesByYearPicture, type YearRow, yearRows } from '../pictures/by-year.ts';
import { type Given, searchAddress } from '../trials/search-asked.ts';

/** Trials of a subject by the year of their start and by phase. */

interface PhasesInput {
  /** Filters of the trials counted. */
  filters: Given;
  trend: TrendRecord;
  snapshot: string;
  pictures: DrawnPictures;
  /** Whose trials they are, in words. */
  of: string;
  /** Path of the page. */
  page: string;
}

/** Null where no trial states a start. */
export function phasesOverTime({ filters, trend, snapshot, pictures, of, page }: PhasesInput): Html | null {
  const own = filters as Record<string, string>;
  const rows = yearRows(trend, own.registry);
  if (rows.length === 0) return null;
  return chart(pictures, {
    key: `${snapshot} phases ${JSON.stringify([of, filters])}`,
    picture: phasesByYearPicture(trend, own, { page, of }),
    table: table('Trials by year of start and phase', rows, columnsOf(filters)),
  });
}

function columnsOf(filters: Given): Column<YearRow>[] {
  const link = (year: string, value: number | null, more: Given): Html =>
    counted(value, value === null || value === 0 ? null : searchAddress({ ...filters, ...more, ...within(year) }));
  return [
    ['Year', ({ year }) => year],
    ...PHASE_GROUPS.map(
      ({ title, phases }, group): Column<YearRow> => [
        title,
        ({ year, groups }) => link(year, groups[group] ?? null, { phase: phases.join(','), phaseMatch: 'exact' }),
        'number',
      ],
    ),
    ['All', ({ year, trials }) => link(year, trials, {}), 'number'],
  ];
}

function within(year: string): Given {
  return { startedAfter: `${year}-01-01`, startedBefore: `${year}-12-31` };
}
