import type { BetaCellArmFit, BetaCellCombination, BetaCellResult } from '../../contract/schemas/research/beta-cell.ts';
import { relativeNative } from '../../twin/beta-cell/model.ts';
import { barChart } from './bars.ts';
import { type Line, lineChart, type Marks } from './lines.ts';
import { PAGE_SIZE, type Picture } from './svg.ts';

type Size = Pick<Picture, 'width' | 'height'>;

const ARMS = ['control', 'comparator'] as const;
const QUARTER_YEAR_WEEKS = 13;
const RELATIVE = 'C-peptide relative to week 0';

/** One run as curves over weeks: both fits, the visits they used, the visits held out, and the plan. */
export function betaCellChart(result: BetaCellResult): string {
  const { dataset, input } = result;
  const { durationWeeks, trainingThroughWeek } = input;
  // The plan begins at the first visit of the control.
  const { originWeek } = result.fit.control;
  const end = Math.max(originWeek + durationWeeks, lastQuarter(result));
  return lineChart(
    {
      lines: [
        ...fitLines(result, end).map((line) => ({ ...line, name: `${line.name} fit` })),
        ...(result.planner === null
          ? []
          : planLines(result, originWeek).map((line) => ({ ...line, name: `plan: ${line.name}` }))),
      ],
      marks: visitMarks(result),
      x: { name: 'weeks', max: end, step: QUARTER_YEAR_WEEKS },
      y: { name: `${RELATIVE} (${sourceOf(result)})` },
      boundary: { at: trainingThroughWeek, name: 'fit ends' },
    },
    {
      width: 840,
      height: 460,
      label: `Beta-cell run on ${dataset.id}, ${sourceOf(result)}: fit of each arm through week ${trainingThroughWeek}, visits held out after it, and a hypothetical plan on the control fit.`,
    },
  );
}

/** Both fits for a page, with the visits they used and the visits held out. */
export function fitChart(result: BetaCellResult, size: Size = PAGE_SIZE): string {
  const { trainingThroughWeek } = result.input;
  const end = lastQuarter(result);
  return lineChart(
    {
      lines: fitLines(result, end),
      marks: visitMarks(result),
      x: { name: 'weeks', max: end, step: QUARTER_YEAR_WEEKS },
      y: { name: `${RELATIVE} (${sourceOf(result)})` },
      boundary: { at: trainingThroughWeek, name: 'fit ends' },
    },
    {
      ...size,
      label: `C-peptide relative to week 0, ${sourceOf(result)}: the fit of each arm through week ${trainingThroughWeek}, the visits that it used, and the visits held out after it.`,
    },
  );
}

/** The plan and the control fit under it, for a page; draws nothing without a planner. */
export function planChart(result: BetaCellResult, size: Size = PAGE_SIZE): string {
  const { input, planner } = result;
  const unperturbed = (planner?.curve ?? []).map((point) => [point.week, point.unperturbed] as const);
  return lineChart(
    {
      lines: [{ name: 'no plan', colour: 0, points: unperturbed }, ...planLines(result)],
      x: { name: 'weeks', max: input.durationWeeks, step: QUARTER_YEAR_WEEKS },
      y: { name: `${RELATIVE} (hypothetical)` },
    },
    {
      ...size,
      label: `C-peptide relative to native week 0 over ${input.durationWeeks} weeks: the control fit without the plan, and native mass, graft and their total under it. Hypothetical.`,
    },
  );
}

function sourceOf({ dataset }: BetaCellResult): string {
  if (dataset.synthetic) return 'synthetic values';
  return dataset.registration === null ? 'values as given' : 'published values';
}

/** The last visit, rounded up to the end of its quarter year, in weeks. */
function lastQuarter({ dataset }: BetaCellResult): number {
  const lastVisit = Math.max(...dataset.arms.flatMap(({ points }) => points.map(({ week }) => week)));
  return Math.ceil(lastVisit / QUARTER_YEAR_WEEKS) * QUARTER_YEAR_WEEKS;
}

function fitLines({ fit }: BetaCellResult, end: number): Line[] {
  const lines = ARMS.map((arm, colour): Line => ({ name: arm, colour, points: fitted(fit[arm], end) }));
  return lines.filter(({ points }) => points.length > 0);
}

function planLines({ planner }: BetaCellResult, originWeek = 0): Line[] {
  const curve = (planner?.curve ?? []).map(({ week, ...shares }) => ({ week: week + originWeek, ...shares }));
  return [
    { name: 'native', colour: 2, style: 'dotted', points: curve.map(({ week, native }) => [week, native]) },
    { name: 'graft', colour: 3, style: 'dotted', points: curve.map(({ week, graft }) => [week, graft]) },
    { name: 'total', colour: 4, style: 'dashed', points: curve.map(({ week, total }) => [week, total]) },
  ];
}

function visitMarks({ fit }: BetaCellResult): Marks[] {
  const marks = ARMS.flatMap((arm, colour): Marks[] => [
    { name: 'observed', colour, points: observed(fit[arm], false) },
    { name: 'held out', colour, hollow: true, points: observed(fit[arm], true) },
  ]);
  return marks.filter(({ points }) => points.length > 0);
}

/** From the first visit on, which is the origin of the fit. */
function fitted({ lossRate, stressRatio, recoveryRate, originWeek }: BetaCellArmFit, end: number): [number, number][] {
  if (lossRate === null || stressRatio === null) return [];
  const parameters = { lossRate, stressRatio, recoveryRate };
  return Array.from({ length: Math.max(0, Math.floor(end - originWeek)) + 1 }, (_, since) => [
    originWeek + since,
    relativeNative(parameters, since),
  ]);
}

function observed({ visits }: BetaCellArmFit, heldOut: boolean): [number, number][] {
  return visits.flatMap(({ week, role, observedRatio }) =>
    observedRatio !== null && (role === 'held-out') === heldOut ? [[week, observedRatio]] : [],
  );
}

/** `S + P` if suppression and protection are on, `none` if nothing is. */
export function combinationName({ suppression, replacement, protection }: BetaCellCombination): string {
  const on = [suppression && 'S', replacement && 'R', protection && 'P'].filter((letter) => letter !== false);
  return on.length === 0 ? 'none' : on.join(' + ');
}

/** The eight combinations of a plan at its last week; the run must have a plan. */
export function combinationsChart({ planner, input }: BetaCellResult, size: Size = PAGE_SIZE): string {
  const combinations = planner?.combinations ?? [];
  return barChart(
    {
      categories: combinations.map(combinationName),
      series: [
        { name: 'native', values: combinations.map(({ native }) => native) },
        { name: 'graft', values: combinations.map(({ graft }) => graft) },
      ],
      unit: `C-peptide relative to week 0, at week ${input.durationWeeks}`,
      stacked: true,
      lying: true,
    },
    {
      ...size,
      label: `C-peptide at week ${input.durationWeeks} relative to native week 0, of native mass and graft, for each combination of immune suppression, replacement and graft protection. Hypothetical.`,
    },
  );
}

interface CurveRow {
  line: string;
  week: number;
  value: number;
}

/** The numbers of the picture of the fit: what was observed, and the fitted curve in each week. */
export function fitRows(result: BetaCellResult): CurveRow[] {
  const marks = ARMS.flatMap((arm) => [
    ...observed(result.fit[arm], false).map(([week, value]) => ({ line: `${arm}, observed`, week, value })),
    ...observed(result.fit[arm], true).map(([week, value]) => ({ line: `${arm}, held out`, week, value })),
  ]);
  const lines = fitLines(result, lastQuarter(result));
  return [
    ...marks,
    ...lines.flatMap(({ name, points }) => points.map(([week, value]) => ({ line: `${name}, fit`, week, value }))),
  ];
}
