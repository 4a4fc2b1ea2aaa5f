import { escapeMarkup } from '../../contract/markup.ts';
import { INK, LETTER_PX, type Picture, px, RULE, svgOf } from './svg.ts';

/** What bars and lines have in common: axes over the whole picture, and a legend above it. */

/** Where something is on an axis: 0 at its beginning, left or below, and 1 at its end. */
type Share = number;

interface Tick {
  at: Share;
  text: string;
}

/** From a value to its place, and the values to be named. */
export interface Scale {
  at: (value: number) => Share;
  ticks: Tick[];
}

/** A quotient of decimal fractions may be too large by its last digits. */
const ROUNDED = 1 - 1e-12;
const NUMBER = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 10 });

/** From zero to a round number that no value exceeds, in at most so many steps of 1, 2 or 5 and zeros; whole steps where all values are whole. */
export function linearScale(values: readonly number[], steps: number): Scale {
  const most = Math.max(0, ...values);
  const least = Math.max(most / Math.max(1, steps), values.every(Number.isInteger) ? 1 : Number.MIN_VALUE);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= least * ROUNDED)!;
  const parts = Math.max(1, Math.ceil((most / step) * ROUNDED));
  return {
    at: (value) => value / (parts * step),
    ticks: Array.from({ length: parts + 1 }, (_, part) => ({ at: part / parts, text: NUMBER.format(part * step) })),
  };
}

export const numberText = (value: number): string => NUMBER.format(value);

/** From the power of ten below the least value to the one above the greatest. */
export function logScale(values: readonly number[]): Scale {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values))));
  const at = (value: number): Share => (Math.log10(value) - first) / (last - first);
  const powers = Array.from({ length: last - first + 1 }, (_, place) => 10 ** (first + place));
  return { at, ticks: powers.map((power) => ({ at: at(power), text: NUMBER.format(power) })) };
}

/** Those of ticks in even distances whose texts have room beside each other, from the first on. */
export function withRoom(ticks: readonly Tick[], room: number): Tick[] {
  const longest = Math.max(0, ...ticks.map(({ text }) => text.length));
  const every = Math.ceil((ticks.length * (longest * LETTER_PX + TEXT_GAP_PX)) / room);
  return ticks.filter((_, place) => place % every === 0);
}

const TEXT_GAP_PX = 10;
/** Between an axis and its texts. */
const AXIS_GAP_PX = 8;
const EDGE_PX = 4;
const ROW_PX = 22;
/** From a line of text to the next of the same text. */
export const LINE_PX = 13;
export const TEXT_RISE_PX = 4;

/** Room for the longest text left of the picture. */
export function leftOf(texts: readonly string[]): number {
  return Math.ceil(Math.max(0, ...texts.map((text) => text.length)) * LETTER_PX) + AXIS_GAP_PX + EDGE_PX;
}

export interface Entry {
  name: string;
  /** Drawn around a point. */
  sign: (x: number, y: number) => string;
}

/** Where the axes are, in pixels from the left and from above, and how a share becomes such a place. */
export interface Frame {
  width: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  x: (share: Share) => number;
  y: (share: Share) => number;
}

interface Layout {
  legend: readonly Entry[];
  left: number;
  right: number;
  /** Names of the axes: below the picture, and above its left end. */
  names: { x?: string; y?: string };
}

const LEGEND_SIGN_PX = 30;
const LEGEND_GAP_PX = 16;

/** Entries beside each other, wrapped between them; no legend where a name alone would say nothing. */
function legendOf(entries: readonly Entry[], width: number): { height: number; svg: string } {
  if (entries.length < 2) return { height: 0, svg: '' };
  let [x, row] = [EDGE_PX, 0];
  const drawn = entries.map(({ name, sign }) => {
    const entry = LEGEND_SIGN_PX + name.length * LETTER_PX;
    if (x > EDGE_PX && x + entry > width) [x, row] = [EDGE_PX, row + 1];
    const y = row * ROW_PX + ROW_PX / 2;
    const text = `<text x="${px(x + LEGEND_SIGN_PX)}" y="${y + TEXT_RISE_PX}">${escapeMarkup(name)}</text>`;
    const svg = sign(x + LEGEND_SIGN_PX / 2 - 3, y) + text;
    x += entry + LEGEND_GAP_PX;
    return svg;
  });
  return { height: (row + 1) * ROW_PX, svg: drawn.join('') };
}

/** A picture with its legend and the names of its axes; `draw` gets the room that is left. */
export function plot(
  picture: Picture,
  { legend, left, right, names }: Layout,
  draw: (frame: Frame) => readonly string[],
): string {
  const { width, height } = picture;
  const { height: legendPx, svg } = legendOf(legend, width);
  const top = legendPx + (names.y === undefined ? EDGE_PX + AXIS_GAP_PX : ROW_PX + EDGE_PX);
  const frame = { width, left, right: width - right, top, bottom: height - (names.x === undefined ? 1 : 2) * ROW_PX };
  const text = (x: number, y: number, name: string | undefined, anchor: string): string =>
    name === undefined ? '' : `<text x="${px(x)}" y="${y}" text-anchor="${anchor}">${escapeMarkup(name)}</text>`;
  return svgOf(picture, [
    svg,
    text(EDGE_PX, top - AXIS_GAP_PX - EDGE_PX, names.y, 'start'),
    text((frame.left + frame.right) / 2, height - AXIS_GAP_PX, names.x, 'middle'),
    ...draw({
      ...frame,
      x: (share) => frame.left + share * (frame.right - frame.left),
      y: (share) => frame.bottom - share * (frame.bottom - frame.top),
    }),
  ]);
}

/** The texts of an axis below the picture, each with a line through the picture where `isRuled`; else the axis is a line. */
export function axisBelow(
  { x, width, left, right, top, bottom }: Frame,
  ticks: readonly Tick[],
  isRuled: boolean,
): string {
  const y = bottom + ROW_PX - EDGE_PX;
  const texts = ticks.map(({ at, text }) => {
    const half = (text.length * LETTER_PX) / 2;
    return `<text x="${px(Math.max(half, Math.min(width - half, x(at))))}" y="${y}">${escapeMarkup(text)}</text>`;
  });
  const lines = isRuled
    ? stroked(RULE, ...ticks.map(({ at }) => `M${px(x(at))} ${top}V${bottom}`))
    : stroked(INK, `M${left} ${bottom}H${right}`);
  return `${lines}<g text-anchor="middle">${texts.join('')}</g>`;
}

/** The texts of an axis on the left, in several lines where they are several, as `isRuled` says of the axis below. */
export function axisLeft(
  frame: Frame,
  ticks: readonly { at: Share; text: string | readonly string[] }[],
  isRuled: boolean,
): string {
  const { y, left, right, top, bottom } = frame;
  const texts = ticks.flatMap(({ at, text }) => {
    const lines = [text].flat();
    const first = y(at) + TEXT_RISE_PX - ((lines.length - 1) * LINE_PX) / 2;
    return lines.map(
      (line, place) =>
        `<text x="${left - AXIS_GAP_PX}" y="${px(first + place * LINE_PX)}">${escapeMarkup(line)}</text>`,
    );
  });
  const lines = isRuled
    ? stroked(RULE, ...ticks.map(({ at }) => `M${left} ${px(y(at))}H${right}`))
    : stroked(INK, `M${left} ${top}V${bottom}`);
  return `${lines}<g text-anchor="end">${texts.join('')}</g>`;
}

const stroked = (colour: string, ...lines: string[]): string => `<path d="${lines.join('')}" stroke="${colour}"/>`;
