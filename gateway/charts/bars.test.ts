import { describe, expect, it } from 'vitest';
import { barChart } from './bars.ts';

const PICTURE = { width: 600, height: 300, label: 'Trials by phase' };
/** Where the lying bars of a colour begin and end. */
const barsOf = (svg: string, colour: string): [start: number, end: number][] =>
  [...svg.matchAll(/<path d="([^"]*)" fill="var\(--chart-(\d),/g)]
    .filter(([, , number]) => number === colour)
    .flatMap(([, path]) => [...path!.matchAll(/M([\d.]+) [\d.]+H([\d.]+)V/g)])
    .map(([, start, end]) => [Number(start), Number(end)]);

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

  it('draws a bar for each value but 0, a stack end to end, names it escaped, and brings no style, script or class', () => {
    const svg = barChart(input, PICTURE);
    expect(svg).toContain('&lt;phase 1&gt;');
    expect(svg).toContain('aria-label="Trials by phase"');
    // 100 pixels a trial.
    expect(barsOf(svg, '1')).toEqual([
      [72, 372],
      [72, 572],
    ]);
    expect(barsOf(svg, '2')).toEqual([[372, 572]]);
    expect(svg).not.toMatch(/<style|<script|style="|class="/);
  });

  it('ends bars of one kind with their numbers, in place of an axis, the longest as far as there is room', () => {
    const one = { ...input, series: [{ name: 'Trials', values: [11186, 21] }] };
    const svg = barChart(one, PICTURE);
    expect([...svg.matchAll(/>([\d,]+)</g)].map(([, number]) => number)).toEqual(['11,186', '21']);
    // 11,500 is the end of the room, which leaves the number 52 pixels.
    expect(barsOf(svg, '1')).toEqual([
      [72, 535],
      [72, 72.9],
    ]);
  });

  it('is drawn without a bar, too', () => {
    const svg = barChart({ categories: [], series: [{ name: 'Trials', values: [] }], unit: 'trials' }, PICTURE);
    expect(svg).toContain('aria-label="Trials by phase"');
    expect(svg).not.toMatch(/NaN|Infinity/);
    expect(barsOf(svg, '1')).toEqual([]);
  });
});
