import { expect, it } from 'vitest';
import { lineChart } from './lines.ts';

const point = (x: number, y: number): [x: number, y: number] => [x, y];

it('a line chart draws each line through its points: farther to the right and lower for a smaller value', () => {
  const lines = [{ name: 'fit', points: [point(0, 1), point(13, 0.9), point(52, 0.6)] }];
  const marks = [{ name: 'observed', points: [point(0, 1), point(13, 0.88)], colour: 0 }];
  const axes = { x: { name: 'weeks', max: 52, step: 13 }, y: { name: 'relative' } };
  const svg = lineChart({ lines, marks, ...axes }, { width: 720, height: 400, label: 'Fit' });
  const path = /<path d="M([\d.]+) ([\d.]+)L[^"]*L([\d.]+) ([\d.]+)" fill="none" stroke="var\(--chart-1/.exec(svg);
  const [startX, startY, endX, endY] = path!.slice(1).map(Number) as [number, number, number, number];
  expect(endX).toBeGreaterThan(startX);
  expect(endY).toBeGreaterThan(startY);
});
