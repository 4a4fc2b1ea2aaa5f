import type { OperationOutput } from '../../contract/operation.ts';
import { getTrialResultsGap } from '../../contract/operations/trial-results-gap.ts';
import { getTrialTrend } from '../../contract/operations/trial-trend.ts';
import { getTrialLandscape } from '../../contract/operations/trials.ts';
import type { ChartName } from '../../contract/take-away.ts';
import { named } from '../../contract/value-names.ts';
import type { Reads } from '../pages/reads.ts';

/** The charts that have addresses of their own: what each reads, what it says, and its bars. */

export interface ChartBar {
  value: string;
  title: string;
  /** What the bar is drawn from; a bar that is not known is left out, never drawn as 0. */
  trials: number;
  /** Of a share alone: trials among which it is. */
  among: number | null;
}

export interface ReadChart {
  title: string;
  /** What exactly is counted. */
  definition: string;
  bars: readonly ChartBar[];
  /** The bars are shares of their own denominators. */
  isShare: boolean;
  /** The page that shows the same. */
  page: '/trials' | '/results-gap';
}

type Landscape = OperationOutput<typeof getTrialLandscape>;

/** Years drawn: earlier ones are few, and stand in the numbers of the query. */
const YEARS = 25;

export const CHARTS: Readonly<Record<ChartName, (reads: Reads, given: Record<string, string>) => Promise<ReadChart>>> =
  {
    trend: async (reads, { by: _by, sort: _sort, ...given }) => {
      const { data } = await reads.read(getTrialTrend, given);
      const known = data.periods.filter(({ planned }) => !planned).slice(-YEARS);
      return {
        title: 'Trials by the year of their start',
        definition: `Distinct trials by the year in which they started, the last ${YEARS} years until ${data.asOf}. ${data.withoutStart} trials state no start and stand in no year. The youngest years grow as sponsors register late.`,
        bars: known.flatMap(({ period, trials }) =>
          trials === null ? [] : [{ value: period, title: period, trials, among: null }],
        ),
        isShare: false,
        page: '/trials',
      };
    },
    phases: landscapeChart('phases', 'Trials by phase', 'A combined phase is a value of its own.'),
    statuses: landscapeChart('statuses', 'Trials by status', 'ISRCTN states none, so it is derived from dates.'),
    'sponsor-classes': landscapeChart(
      'sponsorClasses',
      'Trials by class of the lead sponsor',
      'Each has one lead sponsor.',
    ),
    'results-gap': async (reads, given) => {
      const { data } = await reads.read(getTrialResultsGap, { by: 'phase', ...given });
      const values = data.groups?.values ?? [];
      return {
        title: 'Share of completed trials without posted results',
        definition: data.definition,
        bars: values.flatMap(({ value, title, numerator, denominator }) =>
          numerator === null || denominator === null ? [] : [{ value, title, trials: numerator, among: denominator }],
        ),
        isShare: true,
        page: '/results-gap',
      };
    },
  };

function landscapeChart(mix: 'phases' | 'statuses' | 'sponsorClasses', title: string, note: string) {
  return async (reads: Reads, { by: _by, sort: _sort, ...given }: Record<string, string>): Promise<ReadChart> => {
    const { data } = await reads.read(getTrialLandscape, given);
    return {
      title,
      definition: `Each of ${count(data.trials)} distinct trials counts once. ${note}`,
      bars: data[mix]
        .filter(({ trials }) => trials > 0)
        .map(({ value, trials }) => ({ value, title: named(value), trials, among: null })),
      isShare: false,
      page: '/trials',
    };
  };
}

function count(trials: Landscape['trials']): string {
  return trials.toLocaleString('en-GB');
}
