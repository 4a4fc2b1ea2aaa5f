import { lineChart } from '../../../gateway/charts/lines.ts';

/** Cost at one corpus size; null if a step was not measured. `npm run bench -- full` prints more. */
export interface CurvePoint {
  registrations: number;
  rawBytes: number;
  pipelineSeconds: number | null;
  pipelineCpuSeconds: number | null;
  snapshotBytes: number | null;
  indexRssMb: number | null;
  indexPrivateMb: number | null;
  searchP50Ms: number | null;
  searchP99Ms: number | null;
}

interface Quantity {
  name: string;
  of: (point: CurvePoint) => number | null;
}

interface Curve {
  id: string;
  label: string;
  unit: string;
  quantities: readonly Quantity[];
}

const MEGABYTE = 1e6;

const CURVES: readonly Curve[] = [
  {
    id: 'curve-pipeline',
    label: 'Seconds of normalise, dedup and publish together against registrations',
    unit: 'seconds',
    quantities: [
      { name: 'wall clock', of: (point) => point.pipelineSeconds },
      { name: 'CPU', of: (point) => point.pipelineCpuSeconds },
    ],
  },
  {
    id: 'curve-bytes',
    label: 'Bytes of a snapshot on disk, and of the raw records, against registrations',
    unit: 'MB',
    quantities: [
      { name: 'snapshot', of: ({ snapshotBytes }) => (snapshotBytes === null ? null : snapshotBytes / MEGABYTE) },
      { name: 'raw records', of: ({ rawBytes }) => rawBytes / MEGABYTE },
    ],
  },
  {
    id: 'curve-memory',
    label: 'Memory of the index server at its start against registrations',
    unit: 'MB',
    quantities: [
      { name: 'resident', of: (point) => point.indexRssMb },
      { name: 'private', of: (point) => point.indexPrivateMb },
    ],
  },
  {
    id: 'curve-search',
    label: 'Milliseconds of a search in the server against registrations',
    unit: 'milliseconds',
    quantities: [
      { name: 'p50', of: (point) => point.searchP50Ms },
      { name: 'p99', of: (point) => point.searchP99Ms },
    ],
  },
];

const SIZE = { width: 640, height: 340 } as const;

/** Cost against size on two logarithmic axes, one picture for each quantity, every point marked; keyed by file name. */
export function curveCharts(points: readonly CurvePoint[]): Map<string, string> {
  return new Map(CURVES.map((curve) => [`${curve.id}.svg`, curveChart(curve, points)]));
}

function curveChart({ label, unit, quantities }: Curve, points: readonly CurvePoint[]): string {
  const lines = quantities.map(({ name, of }) => ({
    name,
    points: points.flatMap((point) => {
      const value = of(point);
      // A logarithmic axis has no zero.
      return value === null || value <= 0 ? [] : [[point.registrations, value] as const];
    }),
  }));
  return lineChart(
    {
      lines,
      marks: lines.map((line, colour) => ({ ...line, colour })),
      x: { name: 'registrations', log: true },
      y: { name: unit, log: true },
    },
    { label, ...SIZE },
  );
}
