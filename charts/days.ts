import { AXIS, colourOf, drawSvg, INK, legendOf, type Picture, RULE } from './svg.ts';

interface DayLine {
  name: string;
  /** One for each day; null breaks the line at a day without a value. */
  values: readonly (number | null)[];
}

interface DayChartInput {
  /** YYYY-MM-DD or another name of a point in time, in order. */
  days: readonly string[];
  lines: readonly DayLine[];
  unit: string;
  /** Without axes and legend, to stand in a line of text. */
  spark?: true;
}

/** Keeps the names of the first and the last day inside the picture. */
const ENDS_INSIDE = { color: INK, alignMinLabel: 'left', alignMaxLabel: 'right' };

/** Values over time, one line a series. */
export function dayChart({ days, lines, unit, spark }: DayChartInput, picture: Picture): string {
  const named = lines.length > 1 && !spark;
  return drawSvg(
    {
      ...(named ? { legend: legendOf(lines.map(({ name }) => name)) } : {}),
      grid: spark
        ? { left: 4, right: 4, top: 4, bottom: 4 }
        : { left: 56, right: 28, top: named ? 52 : 32, bottom: 32 },
      xAxis: { type: 'category', data: days, boundaryGap: false, show: !spark, ...AXIS, axisLabel: ENDS_INSIDE },
      yAxis: { type: 'value', show: !spark, name: unit, ...AXIS, splitLine: { lineStyle: { color: RULE } } },
      series: lines.map(({ name, values }, place) => ({
        type: 'line',
        name,
        data: values,
        connectNulls: false,
        // A single day between two gaps would be invisible as a line.
        showSymbol: values.some((_, day) => isAlone(values, day)),
        symbol: 'circle',
        symbolSize: 4,
        lineStyle: { color: colourOf(place), width: 2 },
        itemStyle: { color: colourOf(place) },
      })),
    },
    picture,
  );
}

function isAlone(values: readonly (number | null)[], day: number): boolean {
  return values[day] !== null && (values[day - 1] ?? null) === null && (values[day + 1] ?? null) === null;
}
