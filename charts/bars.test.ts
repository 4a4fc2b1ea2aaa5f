import { describe, expect, it } from 'vitest';
import { barChart } from './bars.ts';
import { dayChart } from './days.ts';

const PICTURE = { id: 'bars', width: 600, height: 300, label: 'Trials by phase' };
/** Lengths of the lying bars of a colour; the square of its legend is no bar. */
const lengthsOf = (svg: string, colour: string): number[] =>
  [...svg.matchAll(/<path d="([^"]*)"[^>]* fill="var\(--chart-(\d),/g)]
    .filter(([, path, number]) => number === colour && !path!.includes('A'))
    .flatMap(([, path]) => [...path!.matchAll(/M[\d.]+ [\d.]+l([\d.]+) /g)].map(([, length]) => Number(length)));

describe('a bar chart', () => {
  const input = {
    categories: ['<phase 1>', 'phase 2'],
    series: [
      { name: 'running', values: [3, 5] },
      { name: 'completed', values: [2, 0] },
    ],
    unit: 'trials',
    stacked: true,
    lying: true,
  } as const;

  it('draws a bar for each value, names it escaped, and brings no style, script or class', () => {
    const svg = barChart(input, PICTURE);
    expect(svg).toContain('&lt;phase 1&gt;');
    expect(svg).toContain('aria-label="Trials by phase"');
    const [[three, five], [two, none]] = [lengthsOf(svg, '1'), lengthsOf(svg, '2')] as [number[], number[]];
    expect([five! / three!, two! / three!, none].map((one) => one!.toFixed(2))).toEqual(['1.67', '0.67', '0.00']);
    expect(svg).not.toMatch(/<style|<script|style="|class="/);
  });

  it('is drawn without a bar, too', () => {
    const svg = barChart({ categories: [], series: [{ name: 'Trials', values: [] }], unit: 'trials' }, PICTURE);
    expect(svg).toContain('aria-label="Trials by phase"');
    expect(lengthsOf(svg, '1')).toEqual([]);
  });

  it('is the same text for the same numbers', () => {
    expect(barChart(input, PICTURE)).toBe(barChart(input, PICTURE));
  });
});

describe('a chart of days', () => {
  const days = ['2026-10-01', '2026-10-02', '2026-10-03', '2026-10-04'];

  it('breaks the line at a day without a value instead of drawing zero', () => {
    const svg = dayChart({ days, lines: [{ name: 'items', values: [4, 5, null, 6] }], unit: 'items' }, PICTURE);
    expect(svg).not.toMatch(/NaN|Infinity/);
    expect(svg).not.toMatch(/<style|<script|style="|class="/);
  });

  it('has no axis as a spark line', () => {
    const whole = dayChart({ days, lines: [{ name: 'items', values: [4, 5, 7, 6] }], unit: 'items' }, PICTURE);
    const spark = dayChart(
      { days, lines: [{ name: 'items', values: [4, 5, 7, 6] }], unit: 'items', spark: true },
      PICTURE,
    );
    expect(whole).toContain('2026-10-01');
    expect(spark).not.toContain('<text');
  });
});

it('names as many bars as there is room for on a phone, and every bar on a desk', () => {
  const years = Array.from({ length: 12 }, (_, place) => String(2012 + place));
  const named = (width: number): string[] => {
    const svg = barChart(
      { categories: years, series: [{ name: 'trials', values: years.map(Number) }], unit: 'trials' },
      { id: 'years', width, height: 300, label: 'Trials by year' },
    );
    return [...svg.matchAll(/>(20\d\d)</g)].map(([, year]) => year!).sort();
  };
  expect(named(720)).toEqual(years);
  expect(named(340)).toEqual(['2012', '2015', '2018', '2021']);
});
