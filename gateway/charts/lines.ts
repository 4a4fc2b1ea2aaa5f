import { escapeMarkup } from '../../contract/markup.ts';
import { axisBelow, axisLeft, type Frame, leftOf, linearScale, logScale, plot, type Scale, withRoom } from './plot.ts';
import { colourOf, INK, LETTER_PX, OVER_LINES, type Picture, px } from './svg.ts';

type Point = readonly [x: number, y: number];

export interface Line {
  name: string;
  points: readonly Point[];
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
  /** `step` is the distance between labels; a log axis takes positive values and finds its own ends; of names, a point has its place. */
  x: { name: string; max: number; step: number } | { name: string; log: true } | { names: readonly string[] };
  y: { name: string; log?: true };
  /** A vertical line with its name, such as the end of training. */
  boundary?: { at: number; name: string };
}

const STEPS = 5;
const RIGHT_PX = 28;
const MARK_RADIUS = 4.5;
const DASHES = { solid: '', dashed: ' stroke-dasharray="7 4"', dotted: ' stroke-dasharray="2 4"' } as const;

function stroke(place: number, style: NonNullable<Line['style']> = 'solid'): string {
  return `fill="none" stroke="${colourOf(place)}" stroke-width="2" stroke-linejoin="round"${DASHES[style]}`;
}

/** The sign of a line in a legend. */
function strokeSign(place: number, style?: Line['style']) {
  return (x: number, y: number): string => `<path d="M${px(x - 12)} ${y}h24" ${stroke(place, style)}/>`;
}

function circle(x: number, y: number, colour: string, hollow: boolean): string {
  return `<circle cx="${px(x)}" cy="${px(y)}" r="${MARK_RADIUS}" fill="${hollow ? 'none' : colour}" stroke="${colour}" stroke-width="2"/>`;
}

/** Lines and marks over a number axis from 0, or over a logarithmic one. */
export function lineChart({ lines, marks = [], x, y, boundary }: LineChartInput, picture: Picture): string {
  const points = [...lines, ...marks].flatMap((one) => one.points);
  const across = scaleOf(
    x,
    points.map(([value]) => value),
  );
  const up = points.map(([, value]) => value);
  const upwards = y.log ? logScale(up) : linearScale(up, STEPS);
  // Marks of a line have its colour, so that the sign of a mark has none.
  const signs = new Map(marks.map(({ name, hollow = false }) => [name, hollow]));
  for (const { name } of lines) signs.delete(name);
  const legend = [
    ...lines.map(({ name, style, colour }, place) => ({ name, sign: strokeSign(colour ?? place, style) })),
    ...[...signs].map(([name, hollow]) => ({ name, sign: (cx: number, cy: number) => circle(cx, cy, INK, hollow) })),
  ];
  const left = leftOf(upwards.ticks.map(({ text }) => text));
  return plot(
    picture,
    { legend, left, right: RIGHT_PX, names: { ...('name' in x ? { x: x.name } : {}), y: y.name } },
    (frame) => {
      const placed = ([a, b]: Point) => [frame.x(across.at(a)), frame.y(upwards.at(b))] as const;
      return [
        axisLeft(frame, upwards.ticks, true),
        axisBelow(frame, withRoom(across.ticks, frame.right - frame.left), 'name' in x),
        ...lines.map((line, place) => {
          const path = line.points.map((point) => placed(point).map(px).join(' ')).join('L');
          return path === '' ? '' : `<path d="M${path}" ${stroke(line.colour ?? place, line.style)}/>`;
        }),
        ...marks.flatMap(({ colour, hollow = false, ...mark }, place) =>
          mark.points.map((point) => circle(...placed(point), colourOf(colour ?? place), hollow)),
        ),
        boundary === undefined ? '' : boundaryLine(frame, across, boundary),
      ];
    },
  );
}

function scaleOf(x: LineChartInput['x'], values: readonly number[]): Scale {
  if ('log' in x) return logScale(values);
  const max = 'names' in x ? Math.max(1, x.names.length - 1) : x.max;
  const at = (value: number) => value / max;
  if ('names' in x) return { at, ticks: x.names.map((text, place) => ({ at: at(place), text })) };
  const steps = Array.from({ length: Math.floor(max / x.step) + 1 }, (_, place) => place * x.step);
  return { at, ticks: steps.map((value) => ({ at: at(value), text: String(value) })) };
}

/** With its name on the side that has room for it. */
function boundaryLine(
  { x, left, right, top, bottom }: Frame,
  across: Scale,
  { at, name }: { at: number; name: string },
) {
  const place = x(across.at(at));
  const isLeft = place + name.length * LETTER_PX > right && place - name.length * LETTER_PX > left;
  return `<path d="M${px(place)} ${top}V${bottom}" stroke="${INK}" stroke-dasharray="2 4"/><text x="${px(place + (isLeft ? -6 : 6))}" y="${top + 12}"${isLeft ? ' text-anchor="end"' : ''} ${OVER_LINES}>${escapeMarkup(name)}</text>`;
}
