import { escapeMarkup } from '../../contract/markup.ts';
import { colourOf, INK, LETTER_PX, OVER_LINES, PAPER, type Picture, RULE, svgOf } from './svg.ts';

/** Days count from 1970-01-01. */
type Day = number;

/** A point in time, or a time between two days. */
export interface TimelineMark {
  from: Day;
  to: Day;
  /** planned and due are drawn hollow, so that colour is not the only sign; overdue in the colour of a warning. */
  kind: 'actual' | 'planned' | 'due' | 'overdue';
  /** Stands beside the mark: its date in words. Left out where the marks of a row are many. */
  text?: string;
}

export interface TimelineRow {
  title: string;
  marks: readonly TimelineMark[];
}

interface TimelineInput {
  rows: readonly TimelineRow[];
  /** The day that the rows are told on, drawn as a line through all of them. */
  today: Day;
  todayText: string;
}

/** Narrower pictures have the title of a row above its marks. */
const SIDE_BY_SIDE_FROM = 560;
const TOP = 22;
const BOTTOM = 24;
const RADIUS = 5;
const EDGE = 10;
/** Between the middle of a mark and its words. */
const GAP = RADIUS + 5;
const YEAR_LABEL_PIXELS = 44;
const STEPS_YEARS = [1, 2, 5, 10, 20, 50];

interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
  rowHeight: number;
  /** From the top of a row to its title, and to its marks. */
  titleAt: number;
  marksAt: number;
  x: (day: Day) => number;
}

export function timelineHeight(rows: number, width: number): number {
  return TOP + rows * rowHeightOf(width) + BOTTOM;
}

function rowHeightOf(width: number): number {
  return width < SIDE_BY_SIDE_FROM ? 42 : 28;
}

/** What happened when, one row a kind of event, over a scale of years. Equal input gives equal text. */
export function timeline({ rows, today, todayText }: TimelineInput, picture: Picture): string {
  const { width } = picture;
  const days = [today, ...rows.flatMap(({ marks }) => marks.flatMap(({ from, to }) => [from, to]))];
  const span = { from: Math.min(...days), to: Math.max(...days) };
  const frame = frameOf(rows, span, picture);
  const nowAt = frame.x(today).toFixed(1);
  return svgOf(picture, [
    yearLines(span, frame),
    `<path d="M${nowAt} ${frame.top}V${frame.bottom}" stroke="${INK}" stroke-dasharray="3 3"/>`,
    ...rows.map((row, place) => shapesOf(row, frame.top + place * frame.rowHeight + frame.marksAt, frame)),
    `<g ${OVER_LINES}>`,
    ...rows.map((row, place) => wordsOf(row, frame.top + place * frame.rowHeight, frame)),
    `<text x="${centred(todayText, frame.x(today), width)}" y="${frame.top - 8}" text-anchor="middle">${escapeMarkup(todayText)}</text>`,
    '</g>',
  ]);
}

function frameOf(
  rows: readonly TimelineRow[],
  { from, to }: { from: Day; to: Day },
  { width, height }: Pick<Picture, 'width' | 'height'>,
): Frame {
  const isNarrow = width < SIDE_BY_SIDE_FROM;
  const longest = Math.max(...rows.map(({ title }) => title.length));
  const left = isNarrow ? EDGE : Math.ceil(longest * LETTER_PX) + 2 * EDGE;
  const right = width - EDGE;
  const days = Math.max(1, to - from);
  return {
    ...{ left, right, top: TOP, bottom: height - BOTTOM, rowHeight: rowHeightOf(width) },
    titleAt: isNarrow ? 15 : 18,
    marksAt: isNarrow ? 28 : 14,
    x: (day) => left + ((day - from) / days) * (right - left),
  };
}

/** A line at the beginning of each year, or of every second, fifth and so on where they lie close together. */
function yearLines({ from, to }: { from: Day; to: Day }, { x, top, bottom, right }: Frame): string {
  const [first, last] = [yearOf(from) + 1, yearOf(to)];
  const pixelsAYear = Math.abs(x(dayOfYear(first + 1)) - x(dayOfYear(first)));
  const step = STEPS_YEARS.find((years) => years * pixelsAYear >= YEAR_LABEL_PIXELS) ?? 100;
  const years = Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => first + place);
  return years
    .filter((year) => year % step === 0)
    .map((year) => {
      const at = x(dayOfYear(year));
      return `<path d="M${at.toFixed(1)} ${top}V${bottom}" stroke="${RULE}"/><text x="${centred(String(year), at, right + EDGE)}" y="${bottom + 16}" text-anchor="middle">${year}</text>`;
    })
    .join('');
}

function shapesOf({ marks }: TimelineRow, y: number, frame: Frame): string {
  return [
    `<path d="M${frame.left} ${y}H${frame.right}" stroke="${RULE}"/>`,
    ...marks.map((mark) => shapeOf(mark, y, frame)),
  ].join('');
}

function shapeOf(mark: TimelineMark, y: number, frame: Frame): string {
  const { from, to, kind } = mark;
  const { x } = frame;
  const [start, end] = [x(from), x(to)];
  const besides = placeOf(mark, frame);
  const colour = kind === 'overdue' ? colourOf(4) : kind === 'due' ? colourOf(1) : colourOf(0);
  const isHollow = kind === 'planned' || kind === 'due';
  const look = `fill="${isHollow ? PAPER : colour}" stroke="${colour}" stroke-width="2"${isHollow ? ' stroke-dasharray="3 2"' : ''}`;
  if (end - start > 2 * RADIUS) {
    const height = besides === 'inside' ? 18 : 8;
    return `<rect x="${start.toFixed(1)}" y="${y - height / 2}" width="${(end - start).toFixed(1)}" height="${height}" rx="2" ${look}/>`;
  }
  const middle = (start + end) / 2;
  if (kind === 'due')
    return `<path d="M${middle.toFixed(1)} ${y - 6}l6 6l-6 6l-6 -6z" fill="${PAPER}" stroke="${colour}" stroke-width="2"/>`;
  return `<circle cx="${middle.toFixed(1)}" cy="${y}" r="${RADIUS}" ${look}/>`;
}

function wordsOf({ title, marks }: TimelineRow, top: number, frame: Frame): string {
  return [
    `<text x="${frame.left === EDGE ? EDGE : 0}" y="${top + frame.titleAt}" font-weight="bold">${escapeMarkup(title)}</text>`,
    ...marks.map((mark) => besideMark(mark, top + frame.marksAt + 4, frame)),
  ].join('');
}

/** Where the words of a mark stand: after it, before it where the picture ends, or in a bar that leaves no room. */
function placeOf({ from, to, text = '' }: TimelineMark, { x, left, right }: Frame): 'after' | 'before' | 'inside' {
  const pixels = text.length * LETTER_PX + GAP;
  if (x(to) + pixels <= right + EDGE) return 'after';
  if (x(from) - pixels >= left) return 'before';
  return x(to) - x(from) >= pixels ? 'inside' : 'after';
}

function besideMark(mark: TimelineMark, y: number, frame: Frame): string {
  const { from, to, text } = mark;
  const { x, right } = frame;
  if (text === undefined) return '';
  const words = escapeMarkup(text);
  switch (placeOf(mark, frame)) {
    case 'after': {
      const at = Math.min(x(to) + GAP, right + EDGE - text.length * LETTER_PX);
      return `<text x="${at.toFixed(1)}" y="${y}">${words}</text>`;
    }
    case 'before':
      return `<text x="${(x(from) - GAP).toFixed(1)}" y="${y}" text-anchor="end">${words}</text>`;
    case 'inside':
      return `<text x="${(x(to) - EDGE).toFixed(1)}" y="${y}" text-anchor="end" fill="${PAPER}" stroke="none">${words}</text>`;
  }
}

/** The middle of a text that must not run out of the picture. */
function centred(text: string, x: number, width: number): string {
  const half = (text.length * LETTER_PX) / 2;
  return Math.min(width - half, Math.max(half, x)).toFixed(1);
}

const DAY_MS = 86_400_000;

function yearOf(day: Day): number {
  return new Date(day * DAY_MS).getUTCFullYear();
}

function dayOfYear(year: number): Day {
  return Date.UTC(year, 0, 1) / DAY_MS;
}
