import { lineChart } from './lines.ts';
import type { Picture } from './svg.ts';

interface DayChartInput {
  /** YYYY-MM-DD or another name of a point in time, in order. */
  days: readonly string[];
  /** A line has one value for each day. */
  lines: readonly { name: string; values: readonly number[] }[];
  unit: string;
}

/** Values over time, one line a series. */
export function dayChart({ days, lines, unit }: DayChartInput, picture: Picture): string {
  const drawn = lines.map(({ name, values }) => ({ name, points: values.map((value, day) => [day, value] as const) }));
  // A single day would be invisible as a line.
  const marks = days.length === 1 ? drawn : [];
  return lineChart({ lines: drawn, marks, x: { names: days }, y: { name: unit } }, picture);
}
