import { describe, expect, it } from 'vitest';
import { type LineChartInput, lineChart } from './lines.ts';

const INPUT: LineChartInput = {
  lines: [
    {
      name: 'fit <b>&"',
      points: [
        [0, 1],
        [13, 0.9],
        [52, 0.6],
      ],
    },
    {
      name: 'held',
      points: [
        [0, 1],
        [52, 0.5],
      ],
      style: 'dashed',
    },
  ],
  marks: [
    {
      name: 'observed',
      points: [
        [0, 1],
        [13, 0.88],
      ],
      colour: 0,
    },
  ],
  x: { name: 'weeks', max: 52, step: 13 },
  y: { name: 'relative' },
  boundary: { at: 39, name: 'training ends' },
};
const PICTURE = { width: 720, height: 400, label: 'Fit & "data"' };

describe('a line chart', () => {
  const svg = lineChart(INPUT, PICTURE);

  it('draws each line through its points: farther to the right and lower for a smaller value', () => {
    const path = /<path d="M([\d.]+) ([\d.]+)L[^"]*L([\d.]+) ([\d.]+)" fill="none" stroke="var\(--chart-1/.exec(svg);
    const [startX, startY, endX, endY] = path!.slice(1).map(Number) as [number, number, number, number];
    expect(endX).toBeGreaterThan(startX);
    expect(endY).toBeGreaterThan(startY);
  });
});
