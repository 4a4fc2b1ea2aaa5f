import { BarChart } from 'echarts/charts';
import { use } from 'echarts/core';
import { AXIS, colourOf, drawSvg, INK, legendOf, type Picture, RULE } from './svg.ts';

use([BarChart]);

export interface Bars {
  name: string;
  /** One for each category, in their order. */
  values: readonly number[];
}

interface BarChartInput {
  /** Names of the bars, from top to bottom where they lie, else from left to right. */
  categories: readonly string[];
  series: readonly Bars[];
  /** What the numbers count, such as `trials`. */
  unit: string;
  /** Stacks the series instead of drawing them side by side. */
  stacked?: true;
  /** Draws the bars from left to right, which leaves room for long names. */
  lying?: true;
  /** The values are ratios, so that the axis may show fractions. */
  ratios?: true;
}

/** Room for the longest of a few words at 12 px. */
const NAME_PX = 8;
const NAME_GAP_PX = 12;
const NAME_MIN_PX = 56;
const NAME_MAX_PX = 190;

/**
 * Counts or ratios by category. The names stand on a category axis, because the library never finishes drawing bars on
 * a value axis.
 */
export function barChart(
  { categories, series, unit, stacked, lying, ratios }: BarChartInput,
  picture: Picture,
): string {
  const longest = Math.max(0, ...categories.map((name) => name.length));
  const left = lying ? Math.min(NAME_MAX_PX, Math.max(NAME_MIN_PX, longest * NAME_PX + NAME_GAP_PX)) : NAME_MIN_PX;
  const names = {
    type: 'category',
    data: categories,
    ...(lying ? { inverse: true } : {}),
    ...AXIS,
    axisLabel: { color: INK, interval: 0, ...(lying ? { width: left - NAME_GAP_PX, overflow: 'truncate' } : {}) },
  };
  const counts = {
    type: 'value',
    min: 0,
    ...(ratios ? {} : { minInterval: 1 }),
    name: unit,
    ...(lying ? { nameLocation: 'middle', nameGap: 28 } : { nameLocation: 'end' }),
    ...AXIS,
    splitLine: { lineStyle: { color: RULE } },
  };
  return drawSvg(
    {
      ...(series.length > 1 ? { legend: legendOf(series.map(({ name }) => name)) } : {}),
      grid: { left, right: 28, top: series.length > 1 ? 48 : 28, bottom: lying ? 44 : 32 },
      xAxis: lying ? counts : names,
      yAxis: lying ? names : counts,
      series: series.map(({ name, values }, place) => ({
        type: 'bar',
        name,
        data: values,
        barMaxWidth: 34,
        ...(stacked ? { stack: 'all' } : {}),
        itemStyle: { color: colourOf(place) },
      })),
    },
    picture,
  );
}
