import { AXIS, colourOf, drawSvg, INK, isNarrow, LEGEND_ROW_PX, legendRows, type Picture, RULE } from './svg.ts';

export interface Line {
  name: string;
  points: readonly (readonly [x: number, y: number])[];
  style?: 'solid' | 'dashed' | 'dotted';
  /** Index of the colour; default the line's own place. A fit and its data can share one. */
  colour?: number;
}

/** Marks with the same name share one entry of the legend. */
export interface Marks extends Line {
  /** Filled for values that were used, hollow for values that were held out. */
  hollow?: boolean;
}

export interface LineChartInput {
  lines: readonly Line[];
  marks?: readonly Marks[];
  /** `step` is the distance between labels; a log axis takes positive values and finds its own ends. */
  x: { name: string; max: number; step: number } | { name: string; log: true };
  y: { name: string; log?: true };
  /** A vertical line with its name, such as the end of training. */
  boundary?: { at: number; name: string };
}

/** A line in the legend, without the circle of a mark. */
const STROKE_ICON = 'path://M0 4h24v3h-24z';
/** Where the name of the vertical axis begins. */
const AXIS_NAME_PX = 12;
const WIDE = { gap: 26, left: 56, right: 24, top: 64 } as const;
const NARROW = { gap: 14, left: 40, right: 16, top: 24 } as const;
/** Lines and marks over a number axis from 0, or over a logarithmic one. */
export function lineChart({ lines, marks = [], x, y, boundary }: LineChartInput, picture: Picture): string {
  const { gap, left, right, top: fixed } = isNarrow(picture) ? NARROW : WIDE;
  const named = [...lines.map(({ name }) => name), ...new Set(marks.map(({ name }) => name))];
  const top = isNarrow(picture) ? fixed + LEGEND_ROW_PX * legendRows(named, picture.width) : fixed;
  const rule = { splitLine: { lineStyle: { color: RULE } } };
  const drawn = lines.map(({ name, points, style = 'solid', colour }, place) => ({
    type: 'line',
    name,
    data: points,
    showSymbol: false,
    symbol: 'none',
    lineStyle: { color: colourOf(colour ?? place), type: style, width: 2 },
    itemStyle: { color: colourOf(colour ?? place) },
    ...(place === 0 && boundary !== undefined ? { markLine: boundaryLine(boundary) } : {}),
  }));
  const dots = marks.map(({ name, points, colour, hollow = false }, place) => ({
    type: 'scatter',
    name,
    data: points,
    symbolSize: 9,
    itemStyle: {
      color: hollow ? 'none' : colourOf(colour ?? place),
      borderColor: colourOf(colour ?? place),
      borderWidth: 2,
      opacity: 1,
    },
  }));
  return drawSvg(
    {
      legend: {
        top: 0,
        itemGap: gap,
        textStyle: { color: INK },
        data: [
          ...lines.map(({ name }) => ({ name, icon: STROKE_ICON })),
          ...[...new Set(marks.map(({ name }) => name))].map((name) => ({ name })),
        ],
      },
      grid: { left, right, top, bottom: 44 },
      xAxis: { ...scaleOf(x), name: x.name, nameLocation: 'middle', nameGap: 28, ...AXIS, ...rule },
      yAxis: {
        ...(y.log ? { type: 'log' } : { type: 'value', min: 0 }),
        ...{ name: y.name, nameLocation: 'end', ...AXIS, ...rule },
        nameTextStyle: { color: INK, align: 'left', padding: [0, 0, 0, AXIS_NAME_PX - left] },
      },
      series: [...drawn, ...dots],
    },
    picture,
  );
}

function scaleOf(x: LineChartInput['x']) {
  return 'log' in x ? { type: 'log' } : { type: 'value', min: 0, max: x.max, interval: x.step };
}

function boundaryLine({ at, name }: { at: number; name: string }) {
  return {
    symbol: 'none',
    silent: true,
    lineStyle: { color: INK, type: 'dotted' },
    label: { formatter: name, color: INK, position: 'insideEndTop' },
    data: [{ xAxis: at }],
  };
}
