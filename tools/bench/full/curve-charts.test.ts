import { describe, expect, it } from 'vitest';
import { type CurvePoint, curveCharts } from './curve-charts.ts';

const SMALL: CurvePoint = {
  registrations: 6290,
  rawBytes: 109_000_000,
  pipelineSeconds: 5,
  pipelineCpuSeconds: 6,
  snapshotBytes: 30_000_000,
  indexRssMb: 150,
  indexPrivateMb: 100,
  searchP50Ms: 0.01,
  searchP99Ms: 0.06,
};
const LARGE: CurvePoint = { ...SMALL, registrations: 629_000, pipelineSeconds: 500, searchP50Ms: null };

const marks = (svg: string): number => svg.match(/<circle /g)?.length ?? 0;

describe('the curves of cost against size', () => {
  const charts = curveCharts([SMALL, LARGE]);

  it('are one picture a quantity, with a mark for each size', () => {
    expect([...charts.keys()]).toEqual([
      'curve-pipeline.svg',
      'curve-bytes.svg',
      'curve-memory.svg',
      'curve-search.svg',
    ]);
    expect(marks(charts.get('curve-pipeline.svg')!)).toBe(4);
  });

  it('leave out a size at which nothing was measured instead of drawing it at zero', () => {
    expect(marks(charts.get('curve-search.svg')!)).toBe(3);
  });

  it('are the same bytes for the same figures', () => {
    expect(curveCharts([SMALL, LARGE])).toEqual(charts);
  });
});
