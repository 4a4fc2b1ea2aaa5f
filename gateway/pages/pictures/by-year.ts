import { named } from '../../../contract/fields/value-names.ts';
import type { TrendRecord } from '../../../contract/schemas/trials/trend.ts';
import { barChart } from '../../charts/bars.ts';
import { pathWith } from '../kit/address.ts';
import { column, type DrawnPicture, NOTE, type Own, unansweredNote } from '../kit/picture.ts';

/** Trials by the year of their start, all together and by phase. A year without a trial has a row. */

/** Phases that share a colour; together they are all phases, and a trial is in one. */
export const PHASE_GROUPS: readonly { title: string; phases: readonly string[] }[] = [
  { title: 'Phase 1', phases: ['early-1', '1'] },
  { title: 'Phase 2', phases: ['1-2', '2'] },
  { title: 'Phase 3', phases: ['2-3', '3'] },
  { title: 'Phase 4', phases: ['3-4', '4'] },
  { title: 'No phase', phases: ['not-applicable', 'not-stated'] },
];
/** Years drawn by phase: earlier ones stand in the search, by its fields for the year of start. */
const PHASE_YEARS = 20;
const YEARS = 25;
/** Planned years drawn: registries hold wrong years too. */
const PLANNED_YEARS = 5;
const HEIGHT_PX = 300;

export interface YearRow {
  year: string;
  trials: number | null;
  /** In the order of PHASE_GROUPS. */
  groups: (number | null)[];
}

const TREND_COLUMNS = [
  column('value', 'Value', 'the year, for programs'),
  column('title', 'In words', 'the year'),
  column('trials', 'Trials', 'that started in it; empty: not known', 'integer'),
  NOTE,
];

export function trendPicture(trend: TrendRecord, own: Own = {}): DrawnPicture {
  const note = unansweredNote(trend.registries, own.registry);
  const years = trend.periods.length === 0 ? [] : yearsOf(trend, YEARS).filter((year) => year <= asOfYear(trend));
  const counts = years.map((year) => countIn(trend, year, note));
  const title = 'Trials by the year of their start';
  return {
    ...{ name: 'trend', own, title },
    definition: `Distinct trials by the year in which they started, from the first start on, at most the last ${YEARS} years until ${trend.asOf}. ${EARLIER} ${withoutStart(trend)} The youngest years grow as sponsors register late.`,
    page: pathWith('/trials', own),
    columns: TREND_COLUMNS,
    rows: years.map((year, at) => ({
      ...{ value: String(year), title: String(year), trials: counts[at]! },
      note: counts[at] === null ? note : null,
    })),
    draw:
      years.length === 0
        ? null
        : (width) =>
            barChart(
              {
                categories: years.map(String),
                series: [{ name: 'Trials', values: counts.map((value) => value ?? 0) }],
                unit: 'trials',
              },
              { width, height: HEIGHT_PX, label: `${title}, ${years[0]} to ${years.at(-1)}` },
            ),
  };
}

const PHASE_COLUMNS = [
  column('year', 'Year', 'of the start, planned or actual'),
  column('phase', 'Phase', 'the group of phases that share a colour'),
  column('phases', 'Phases in it', 'the values of the index that the group has'),
  column('trials', 'Trials', 'of this year and group; empty: not known', 'integer'),
  NOTE,
];

const EARLIER = 'Where all began earlier, the years end with the last start.';

export const PHASES_DEFINITION = `Each trial counts once, in the year of its start, planned or actual. Phase 1/2 counts under phase 2 here, phase 2/3 under phase 3, phase 3/4 under phase 4, and early phase 1 under phase 1; “no phase” are trials to which phases do not apply, or that state none. At most the last ${PHASE_YEARS} years and the next ${PLANNED_YEARS} are drawn. ${EARLIER}`;

interface OfSubject {
  /** Path and query of the page. */
  page: string;
  /** Whose trials they are, in words. */
  of: string;
}

export function phasesByYearPicture(trend: TrendRecord, own: Own, { page, of }: OfSubject): DrawnPicture {
  const note = unansweredNote(trend.registries, own.registry);
  const rows = yearRows(trend, own.registry);
  return {
    ...{ name: 'phases-by-year', own, title: 'Trials by year of start and phase' },
    definition: `${PHASES_DEFINITION} ${withoutStart(trend)}`,
    ...{ page, columns: PHASE_COLUMNS },
    rows: rows.flatMap(({ year, groups }) =>
      PHASE_GROUPS.map(({ title, phases }, at) => ({
        ...{ year, phase: title, phases: phases.map(named), trials: groups[at] ?? null },
        note: groups[at] === null ? note : null,
      })),
    ),
    draw:
      rows.length === 0
        ? null
        : (width) =>
            barChart(
              {
                categories: rows.map(({ year }) => year),
                series: PHASE_GROUPS.map(({ title }, group) => ({
                  name: title,
                  values: rows.map(({ groups }) => groups[group] ?? 0),
                })),
                unit: 'trials',
                stacked: true,
              },
              {
                ...{ width, height: HEIGHT_PX },
                label: `Trials of ${of} by year of start and phase; the table below has the numbers`,
              },
            ),
  };
}

/** The years that are drawn, each with its numbers; none where no trial states a start. */
export function yearRows(trend: TrendRecord, registry: string | undefined): YearRow[] {
  if (trend.periods.length === 0) return [];
  const note = unansweredNote(trend.registries, registry);
  return yearsOf(trend, PHASE_YEARS).map((year) => {
    const at = trend.periods.findIndex(({ period }) => period === String(year));
    const groups = PHASE_GROUPS.map(({ phases }) => {
      const counts = (trend.series?.shown ?? [])
        .filter(({ value }) => phases.includes(value))
        .map(({ counts: all }) => (at < 0 ? 0 : (all[at] ?? null)));
      const sum = counts.reduce(
        (total: number | null, one) => (one === null || total === null ? null : total + one),
        0,
      );
      return sum === 0 && note !== null ? null : sum;
    });
    return { year: String(year), trials: countIn(trend, year, note), groups };
  });
}

/** From the first start to the day of the snapshot, or to the last start that is planned; to the last start where all lie before those years. */
function yearsOf(trend: TrendRecord, most: number): number[] {
  const known = trend.periods.map(({ period }) => Number(period));
  const [today, latest] = [asOfYear(trend), Math.max(...known)];
  const until = latest <= today - most ? latest : today;
  const first = Math.max(Math.min(...known), until - most + 1);
  const last = Math.min(until + PLANNED_YEARS, Math.max(until, latest));
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}

const asOfYear = ({ asOf }: TrendRecord): number => Number(asOf.slice(0, 4));

function countIn({ periods }: TrendRecord, year: number, note: string | null): number | null {
  const found = periods.find(({ period }) => period === String(year));
  if (found !== undefined) return found.trials;
  return note === null ? 0 : null;
}

function withoutStart({ withoutStart: none, trials }: TrendRecord): string {
  return none === 0
    ? 'Every one of these trials states a start.'
    : `${none.toLocaleString('en-GB')} of ${trials.toLocaleString('en-GB')} trials state no start and stand in no year.`;
}
