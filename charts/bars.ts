import { BarChart } from 'echarts/charts';
import { use } from 'echarts/core';
import {
  AXIS,
  colourOf,
  drawSvg,
  INK,
  isNarrow,
  LEGEND_ROW_PX,
  legendOf,
  legendRows,
  type Picture,
  RULE,
} from './svg.ts';

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

/** The bars of a series as one path, which takes a third of the time and half the text that a path for each takes; no pointer acts on them. */
const IN_ONE_PATH = { large: true, largeThreshold: 0, progressive: 0, clip: false, silent: true } as const;

/** For the labels of years and counts; to measure whether they fit takes a seventh of the time. */
const MARGINS_HAVE_ROOM = { outerBoundsMode: 'none' } as const;

/** Room for the longest of a few words at 12 px. */
const NAME_PX = 8;
const NAME_GAP_PX = 12;
const NAME_MIN_PX = 56;
const NAME_MAX_PX = 190;
/** Names leave at least this part of the width to the bars, and take two lines where they are longer. */
const NAME_MAX_SHARE = 0.4;
/** Room for one label of an axis. */
const LABEL_PX = 64;
const YEAR_PX = 44;
const RIGHT_PX = 28;

/**
 * Counts or ratios by category. The names stand on a category axis, because the library never finishes drawing bars on
 * a value axis.
 */
export function barChart(
  { categories, series, unit, stacked, lying, ratios }: BarChartInput,
  picture: Picture,
): string {
  const longest = Math.max(0, ...categories.map((name) => name.length));
  const nameMax = Math.min(NAME_MAX_PX, Math.round(picture.width * NAME_MAX_SHARE));
  const left = lying ? Math.min(nameMax, Math.max(NAME_MIN_PX, longest * NAME_PX + NAME_GAP_PX)) : NAME_MIN_PX;
  const room = picture.width - left - RIGHT_PX;
  const every = lying ? 1 : Math.ceil((categories.length * YEAR_PX) / room);
  const names = {
    type: 'category',
    data: categories,
    ...(lying ? { inverse: true } : {}),
    ...AXIS,
    axisLabel: {
      color: INK,
      interval: every - 1,
      ...(lying ? { width: left - NAME_GAP_PX, overflow: isNarrow(picture) ? 'break' : 'truncate' } : {}),
    },
  };
  const counts = {
    type: 'value',
    min: 0,
    ...(ratios ? {} : { minInterval: 1 }),
    ...(lying && isNarrow(picture) ? { splitNumber: Math.max(1, Math.floor(room / LABEL_PX) - 1) } : {}),
    name: unit,
    ...(lying ? { nameLocation: 'middle', nameGap: 28 } : { nameLocation: 'end' }),
    ...AXIS,
    splitLine: { lineStyle: { color: RULE } },
  };
  const legends = series.map(({ name }) => name);
  const top = series.length > 1 ? 20 + LEGEND_ROW_PX * legendRows(legends, picture.width) : 28;
  return drawSvg(
    {
      ...(series.length > 1 ? { legend: legendOf(legends) } : {}),
      grid: { left, right: RIGHT_PX, top, bottom: lying ? 44 : 32, ...(lying ? {} : MARGINS_HAVE_ROOM) },
      xAxis: lying ? counts : names,
      yAxis: lying ? names : counts,
      series: series.map(({ name, values }, place) => ({
        type: 'bar',
        name,
        data: values,
        barMaxWidth: 34,
        ...(stacked ? { stack: 'all' } : {}),
        // Without a bar the library has no points for the path, and fails.
        ...(values.length > 0 ? IN_ONE_PATH : {}),
        itemStyle: { color: colourOf(place) },
      })),
    },
    picture,
  );
}
