import type { BetaCellArmFit, BetaCellResult } from '../contract/schemas/beta-cell.ts';
import { relativeNative } from '../twin/beta-cell/model.ts';
import { type Line, lineChart, type Marks } from './lines.ts';

const ARMS = ['control', 'comparator'] as const;
const QUARTER_YEAR_WEEKS = 13;

/** A run as curves over weeks: both fits with the visits that they saw and those held out, and the plan. */
export function betaCellChart({ input, dataset, fit, planner }: BetaCellResult, id: string): string {
  const { durationWeeks, trainingThroughWeek } = input;
  const lastVisit = Math.max(...dataset.arms.flatMap(({ points }) => points.map(({ week }) => week)));
  const end = Math.max(durationWeeks, Math.ceil(lastVisit / QUARTER_YEAR_WEEKS) * QUARTER_YEAR_WEEKS);
  const plan = planner?.curve ?? [];
  const lines: Line[] = [
    ...ARMS.map((arm, colour): Line => ({ name: `${arm} fit`, colour, points: fitted(fit[arm], end) })),
    { name: 'plan: native', colour: 2, style: 'dotted', points: plan.map(({ week, native }) => [week, native]) },
    { name: 'plan: graft', colour: 3, style: 'dotted', points: plan.map(({ week, graft }) => [week, graft]) },
    { name: 'plan: total', colour: 4, style: 'dashed', points: plan.map(({ week, total }) => [week, total]) },
  ];
  const marks = ARMS.flatMap((arm, colour): Marks[] => [
    { name: 'observed', colour, points: observed(fit[arm], false) },
    { name: 'held out', colour, hollow: true, points: observed(fit[arm], true) },
  ]);
  const source = dataset.synthetic ? 'synthetic values' : 'published values';
  return lineChart(
    {
      lines: lines.filter(({ points }) => points.length > 0),
      marks: marks.filter(({ points }) => points.length > 0),
      x: { name: 'weeks', max: end, step: QUARTER_YEAR_WEEKS },
      y: { name: `C-peptide relative to week 0 (${source})` },
      boundary: { at: trainingThroughWeek, name: 'fit ends' },
    },
    {
      id,
      width: 840,
      height: 460,
      label: `Beta-cell run on ${dataset.id}, ${source}: fit of each arm through week ${trainingThroughWeek}, visits held out after it, and a hypothetical plan on the control fit.`,
    },
  );
}

function fitted({ lossRate, stressRatio, recoveryRate }: BetaCellArmFit, end: number): [number, number][] {
  if (lossRate === null || stressRatio === null) return [];
  const parameters = { lossRate, stressRatio, recoveryRate };
  return Array.from({ length: end + 1 }, (_, week) => [week, relativeNative(parameters, week)]);
}

function observed({ visits }: BetaCellArmFit, heldOut: boolean): [number, number][] {
  return visits.flatMap(({ week, role, observedRatio }) =>
    observedRatio !== null && (role === 'held-out') === heldOut ? [[week, observedRatio]] : [],
  );
}
