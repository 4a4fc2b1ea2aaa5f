import type { RegistryId } from '../contract/ids.ts';
import type { TrendPeriod, TrendRecord, TrendSplit } from '../contract/schemas/trials/trend.ts';
import { registryNumber } from '../snapshot/format/serving-columns.ts';
import type { Manifest } from '../snapshot/format/versions/manifest.ts';
import { type DataEnd, wholeUntil } from './data-ends.ts';
import { isWholeFor, registryStates } from './present-counts.ts';
import type { SeriesCounts, Trend } from './search/counting/trend.ts';

interface Asked {
  by: TrendPeriod;
  split: TrendSplit | null;
  /** Registries that the query is narrowed to. */
  registries: readonly RegistryId[] | undefined;
  ends: readonly DataEnd[];
}

/** An empty period is zero only where every registry that the query covers answered. */
export function trendReply(counts: Trend, { by, split, registries, ends }: Asked, manifest: Manifest): TrendRecord {
  const { trials, withoutStart, ofRegistry, periods, series } = counts;
  const states = registryStates(manifest);
  const whole = wholeUntil(ends, manifest);
  const isWhole = isWholeFor(manifest, registries);
  const known = (count: number): number | null => (count === 0 && !isWhole ? null : count);
  const shown = <Counts extends SeriesCounts>(one: Counts) => ({ ...one, counts: one.counts.map(known) });
  return {
    asOf: manifest.asOf,
    ...{ by, split, trials, withStart: trials - withoutStart, withoutStart },
    registries: states.map((one) => ({
      ...one,
      trials: one.state === 'unanswered' ? null : ofRegistry[registryNumber(one.registry)],
    })),
    periods: periods.map((period, place) => ({
      ...period,
      ended: period.to < whole,
      planned: period.from > manifest.asOf,
      trials: known(counts.counts[place] as number),
    })),
    series: series && {
      exclusive: series.exclusive,
      basis: split === 'modality' ? 'derived' : 'registry',
      shown: series.shown.map(shown),
      others: series.others && shown(series.others),
      withoutValue: series.withoutValue && shown(series.withoutValue),
    },
  };
}
