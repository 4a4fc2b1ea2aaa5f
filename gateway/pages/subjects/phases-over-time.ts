import { barChart } from '../../../charts/bars.ts';
import type { TrendRecord } from '../../../contract/schemas/trend.ts';
import { type Html, html } from '../html.ts';
import { chart, type DrawnPictures } from '../kit/chart.ts';
import { counted } from '../kit/counted.ts';
import { type Column, table } from '../kit/table.ts';
import type { TakeAwayItem } from '../kit/take-away.ts';
import { type Given, searchAddress } from '../trials/search-asked.ts';

/** Trials of a subject by the year of their start and by phase. */

/** Phases that share a colour; together they are all phases, and a trial is in one. */
const GROUPS: readonly { title: string; phases: readonly string[] }[] = [
  { title: 'Phase 1', phases: ['early-1', '1'] },
  { title: 'Phase 2', phases: ['1-2', '2'] },
  { title: 'Phase 3', phases: ['2-3', '3'] },
  { title: 'Phase 4', phases: ['3-4', '4'] },
  { title: 'No phase', phases: ['not-applicable', 'not-stated'] },
];
/** Years drawn: earlier ones stand in the search, by its fields for the year of start. */
const YEARS = 20;
const HEIGHT_PX = 300;

export const PHASES_DEFINITION = `Each trial counts once, in the year of its start, planned or actual. Phase 1/2 counts under phase 2 here, phase 2/3 under phase 3, phase 3/4 under phase 4, and early phase 1 under phase 1; “no phase” are trials to which phases do not apply, or that state none. At most the last ${YEARS} years are drawn.`;

interface PhasesInput {
  /** Filters of the trials counted. */
  filters: Given;
  trend: TrendRecord;
  snapshot: string;
  pictures: DrawnPictures;
  /** Whose trials they are, in words. */
  of: string;
  takeAway?: readonly TakeAwayItem[];
}

interface YearRow {
  year: string;
  trials: number | null;
  /** In the order of GROUPS. */
  groups: (number | null)[];
}

/** Null where no trial states a start. */
export function phasesOverTime({ filters, trend, snapshot, pictures, of, takeAway = [] }: PhasesInput): Html | null {
  const rows = rowsOf(trend);
  if (rows.length === 0) return null;
  const draw = (width: number, id: string): string =>
    barChart(
      {
        categories: rows.map(({ year }) => year),
        series: GROUPS.map(({ title }, group) => ({
          name: title,
          values: rows.map(({ groups }) => groups[group] ?? 0),
        })),
        unit: 'trials',
        stacked: true,
      },
      {
        id,
        width,
        height: HEIGHT_PX,
        label: `Trials of ${of} by year of start and phase; the table below has the numbers`,
      },
    );
  return chart(pictures, {
    key: `${snapshot} phases ${JSON.stringify([of, filters])}`,
    draw,
    caption: `Trials by year of start and phase`,
    definition: html`${PHASES_DEFINITION}${trend.withoutStart > 0 && ` ${trend.withoutStart.toLocaleString('en-GB')} of ${trend.trials.toLocaleString('en-GB')} trials state no start and are in no year.`}`,
    table: table('Trials by year of start and phase', rows, columnsOf(filters)),
    takeAway,
  });
}

function rowsOf({ periods, series, asOf }: TrendRecord): YearRow[] {
  const inSight = periods.map(({ period }) => Number(period) > Number(asOf.slice(0, 4)) - YEARS);
  return periods.flatMap(({ period, trials }, at): YearRow[] => {
    if (!inSight[at]) return [];
    const groups = GROUPS.map(({ phases }) => {
      const counts = (series?.shown ?? [])
        .filter(({ value }) => phases.includes(value))
        .map(({ counts: all }) => all[at] ?? null);
      return counts.some((one) => one === null) ? null : counts.reduce((sum: number, one) => sum + (one ?? 0), 0);
    });
    return [{ year: period, trials, groups }];
  });
}

function columnsOf(filters: Given): Column<YearRow>[] {
  const link = (year: string, value: number | null, more: Given): Html =>
    counted(value, value === null || value === 0 ? null : searchAddress({ ...filters, ...more, ...within(year) }));
  return [
    { head: 'Year', cell: ({ year }) => year },
    ...GROUPS.map(
      ({ title, phases }, group): Column<YearRow> => ({
        head: title,
        cell: ({ year, groups }) => link(year, groups[group] ?? null, { phase: phases.join(','), phaseMatch: 'exact' }),
        number: true,
      }),
    ),
    { head: 'All', cell: ({ year, trials }) => link(year, trials, {}), number: true },
  ];
}

function within(year: string): Given {
  return { startedAfter: `${year}-01-01`, startedBefore: `${year}-12-31` };
}
