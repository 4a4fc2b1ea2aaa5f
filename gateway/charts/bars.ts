import { axisBelow, axisLeft, LINE_PX, leftOf, linearScale, numberText, plot, TEXT_RISE_PX, withRoom } from './plot.ts';
import { colourOf, LETTER_PX, type Picture, px } from './svg.ts';

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
}

const STEPS = 5;
const FINE_STEPS = 50;
const RIGHT_PX = 28;
/** Names leave at least this part of the width to the bars, and take several lines where they are longer. */
const NAME_MAX_SHARE = 0.4;
const NAME_MAX_PX = 190;
/** What bars take of the room of their category, and at most. */
const BAR_SHARE = 0.8;
const BAR_MAX_PX = 34;

/** Counts or ratios by category. */
export function barChart(input: BarChartInput, picture: Picture): string {
  return input.lying ? lyingBars(input, picture) : standingBars(input, picture);
}

function standingBars(input: BarChartInput, picture: Picture): string {
  const { categories, unit } = input;
  const values = linearScale(endsOf(input), STEPS);
  const left = leftOf(values.ticks.map(({ text }) => text));
  const names = categories.map((text, place) => ({ at: (place + 0.5) / categories.length, text }));
  return plot(picture, { legend: legendOf(input), left, right: RIGHT_PX, names: { y: unit } }, (frame) => [
    axisLeft(frame, values.ticks, true),
    ...barsOf(input, frame.right - frame.left, (from, to, start, end) => {
      const [x, right] = [px(frame.left + from), px(frame.left + to)];
      const [y, top] = [px(frame.y(values.at(start))), px(frame.y(values.at(end)))];
      return `M${x} ${y}V${top}H${right}V${y}z`;
    }),
    axisBelow(frame, withRoom(names, frame.right - frame.left), false),
  ]);
}

function lyingBars(input: BarChartInput, picture: Picture): string {
  const { categories, unit } = input;
  const most = Math.min(NAME_MAX_PX, picture.width * NAME_MAX_SHARE);
  const left = Math.min(Math.ceil(most), leftOf(categories));
  const ends = endsOf(input);
  // Bars of one kind end with their number, which says more than an axis where one is far longer than the others.
  const numbers = input.series.length === 1 ? ends.map(numberText) : [];
  const values = linearScale(ends, numbers.length === 0 ? STEPS : FINE_STEPS);
  return plot(
    picture,
    { legend: legendOf(input), left, right: Math.max(RIGHT_PX, leftOf(numbers)), names: { x: unit } },
    (frame) => {
      const band = (frame.bottom - frame.top) / Math.max(1, categories.length);
      const names = categories.map((name, place) => ({
        at: 1 - (place + 0.5) / categories.length,
        text: inLines(name, Math.floor((left - NAME_GAP_PX) / LETTER_PX), Math.floor(band / LINE_PX)),
      }));
      return [
        axisBelow(frame, numbers.length > 0 ? [] : withRoom(values.ticks, frame.right - frame.left), true),
        ...numbers.map((text, place) => {
          const [x, y] = [frame.x(values.at(ends[place]!)) + NUMBER_GAP_PX, frame.top + band * (place + 0.5)];
          return `<text x="${px(x)}" y="${px(y + TEXT_RISE_PX)}">${text}</text>`;
        }),
        ...barsOf(input, frame.bottom - frame.top, (from, to, start, end) => {
          const [y, bottom] = [px(frame.top + from), px(frame.top + to)];
          const [x, right] = [px(frame.x(values.at(start))), px(frame.x(values.at(end)))];
          return `M${x} ${y}H${right}V${bottom}H${x}z`;
        }),
        axisLeft(frame, names, false),
      ];
    },
  );
}

const NAME_GAP_PX = 12;
const NUMBER_GAP_PX = 6;

function legendOf({ series }: BarChartInput) {
  return series.map(({ name }, place) => ({
    name,
    sign: (x: number, y: number) =>
      `<rect x="${px(x - 9)}" y="${y - 6}" width="18" height="12" rx="2" fill="${colourOf(place)}"/>`,
  }));
}

/** Where bars end, or stacks of them. */
function endsOf({ categories, series, stacked }: BarChartInput): number[] {
  const all = series.map(({ values }) => values);
  return stacked ? categories.map((_, place) => all.reduce((sum, values) => sum + values[place]!, 0)) : all.flat();
}

/** One path a series. `bar` draws from one place across the axis of names to another, and from one value to another. */
function barsOf(
  { categories, series, stacked }: BarChartInput,
  room: number,
  bar: (from: number, to: number, start: number, end: number) => string,
): string[] {
  const band = room / Math.max(1, categories.length);
  const beside = stacked ? 1 : series.length;
  const thick = Math.min(BAR_MAX_PX, (band * BAR_SHARE) / beside);
  const ends = categories.map(() => 0);
  return series.map(({ values }, at) => {
    const bars = values.map((value, place) => {
      const start = stacked ? ends[place]! : 0;
      ends[place] = start + value;
      const from = band * (place + 0.5) + thick * ((stacked ? 0 : at) - beside / 2);
      return value === 0 ? '' : bar(from, from + thick, start, start + value);
    });
    return `<path d="${bars.join('')}" fill="${colourOf(at)}"/>`;
  });
}

/** A name in lines of so many letters, broken between words; what does not fit is left out. */
function inLines(name: string, letters: number, most: number): string[] {
  const lines: string[] = [''];
  for (const word of name.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + 1 + word.length > letters) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  const shown = lines.slice(0, Math.max(1, most));
  const isCut = shown.length < lines.length;
  return shown.map((line, place) => {
    const whole = isCut && place === shown.length - 1 ? `${line}…` : line;
    return whole.length > letters ? `${whole.slice(0, letters - 1)}…` : whole;
  });
}
