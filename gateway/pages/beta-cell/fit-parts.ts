import {
  type ARM_IDS,
  type BetaCellArmFit,
  type BetaCellResult,
  betaCellArmFitSchema,
} from '../../../contract/schemas/beta-cell.ts';
import { type Html, html } from '../html.ts';
import { type Column, table } from '../parts.ts';
import { digits } from './numbers.ts';

type ArmId = (typeof ARM_IDS)[number];
/** Fields of an arm, and its id. */
type OfArm<Row> = Row & { arm: ArmId };

const ARMS = ['control', 'comparator'] as const satisfies readonly ArmId[];
const ARM: Column<{ arm: ArmId }> = { head: 'Arm', cell: ({ arm }) => arm };

function ofArms<Row>({ fit }: BetaCellResult, rows: (fit: BetaCellArmFit) => readonly Row[]): OfArm<Row>[] {
  return ARMS.flatMap((arm) => rows(fit[arm]).map((row) => ({ ...row, arm })));
}

/** The fitted parameters, and how far each can be used. */
export function fitTable(result: BetaCellResult): Html {
  const rows = ofArms(result, (fit) => [fit]);
  return html`${table(
    'The fit of each arm',
    [
      ARM,
      { head: 'Status', cell: ({ status }) => html`<code>${status}</code>` },
      { head: 'k, loss per week', cell: ({ lossRate }) => digits(lossRate), number: true },
      { head: 'h, stressed over functional', cell: ({ stressRatio }) => digits(stressRatio), number: true },
      { head: 'r, assumed', cell: ({ recoveryRate }) => digits(recoveryRate), number: true },
      { head: 'Training visits', cell: ({ trainingVisits }) => trainingVisits, number: true },
      { head: 'Degrees of freedom', cell: ({ degreesOfFreedom }) => digits(degreesOfFreedom), number: true },
      { head: 'Sum of squares', cell: ({ sumOfSquares }) => digits(sumOfSquares), number: true },
      { head: 'Highest', cell: ({ peak }) => peakText(peak) },
      { head: 'Plausible?', cell: ({ plausibility }) => plausibility ?? 'not known' },
    ],
    rows,
  )}
<ul>${rows.map(({ arm, statusReason }) => html`<li>${arm}: ${statusReason}</li>`)}
<li>Plausible: ${betaCellArmFitSchema.shape.plausibility.description}.</li></ul>`;
}

function peakText(peak: BetaCellArmFit['peak']): string {
  if (peak === null) return 'not known';
  return peak.week === null ? 'rises for ever' : `${digits(peak.relative)} at week ${digits(peak.week)}`;
}

/** Every visit with the observed and the modelled value. */
export function visitsTable(result: BetaCellResult): Html {
  const observed = (arm: ArmId, week: number): number =>
    result.dataset.arms.find(({ id }) => id === arm)!.points.find((point) => point.week === week)!.value;
  return table(
    'Visits',
    [
      ARM,
      { head: 'Week', cell: ({ week }) => week, number: true },
      { head: 'Use', cell: ({ role }) => role },
      { head: 'As reported', cell: ({ arm, week }) => digits(observed(arm, week)), number: true },
      { head: 'Over week 0', cell: ({ observedRatio }) => digits(observedRatio), number: true },
      { head: 'Model', cell: ({ predictedRatio }) => digits(predictedRatio), number: true },
      { head: 'Log residual', cell: ({ logResidual }) => digits(logResidual), number: true },
      {
        head: 'Error of the model, %',
        cell: ({ role, percentError }) => (role === 'held-out' ? digits(percentError) : ''),
        number: true,
      },
    ],
    ofArms(result, ({ visits }) => visits),
    ({ role }) => role === 'held-out' && 'differs',
  );
}

const PREDICTIONS = {
  model: 'the model',
  'last-training-value': 'the last training value, kept',
  'mean-of-training-values': 'the mean of the training values',
  'pure-exponential': 'a pure exponential (h = 0)',
} as const;

/** The model's error at held-out visits, beside the errors of predictions without a model. */
export function heldOutTable(result: BetaCellResult): Html {
  const none = ARMS.filter((arm) => result.fit[arm].heldOut.visits === 0);
  return html`<p>A fit that does no better at the held-out visits than predictions that need no model has learnt nothing that they do not know. These visits were known when the check was made: it looks back, and validates nothing prospectively.</p>
${none.length > 0 && html`<p class="notice">No visit was held out in: ${none.join(', ')}. There is nothing to check the fit against.</p>`}
${table(
  'Errors at the held-out visits',
  [
    ARM,
    { head: 'Prediction', cell: ({ prediction }) => PREDICTIONS[prediction] },
    { head: 'Root mean square of the log error', cell: ({ logRmse }) => digits(logRmse), number: true },
    { head: 'Mean error, %', cell: ({ meanAbsolutePercentError }) => digits(meanAbsolutePercentError), number: true },
  ],
  ofArms(result, ({ heldOut }) => heldOut.predictions),
  ({ prediction }) => prediction === 'model' && 'differs',
)}`;
}

/** How well the visits determine k, and how much depends on assumptions. */
export function identifiabilityTables(result: BetaCellResult): Html {
  const known = ofArms(result, ({ identifiability }) => (identifiability === null ? [] : [identifiability]));
  const intervals = known.flatMap(({ arm, lossRateIntervals }) => lossRateIntervals.map((row) => ({ ...row, arm })));
  return html`<p>An interval holds every k for which some h fits nearly as well as the best: within 3.84 sd² of the least squares, which is 95 % if the log ratios scatter by that sd. The sd is assumed, since an arm has too few visits to estimate one. A wide interval, or one that reaches 0, says that these visits do not determine k, however good the curve looks.</p>
${
  known.length === 0
    ? html`<p>Nothing was fitted, so there is nothing to say.</p>`
    : table(
        'Intervals of k',
        [
          ARM,
          { head: 'Assumed sd of a log ratio', cell: ({ assumedLogSd }) => assumedLogSd, number: true },
          { head: 'From', cell: ({ low }) => digits(low), number: true },
          { head: 'To', cell: ({ high }) => digits(high), number: true },
        ],
        intervals,
      )
}
<ul>${known.map(
    ({ arm, estimateCorrelation, conditionNumber }) =>
      html`<li>${arm}: k and h are correlated by ${digits(estimateCorrelation)}; condition number ${digits(conditionNumber)}</li>`,
  )}</ul>
${table(
  'The same fit under other assumed recovery rates',
  [
    ARM,
    { head: 'r, assumed', cell: ({ recoveryRate }) => recoveryRate, number: true },
    { head: 'k', cell: ({ lossRate }) => digits(lossRate), number: true },
    { head: 'h', cell: ({ stressRatio }) => digits(stressRatio), number: true },
    { head: 'Sum of squares', cell: ({ sumOfSquares }) => digits(sumOfSquares), number: true },
  ],
  ofArms(result, ({ sensitivity }) => sensitivity),
)}`;
}
