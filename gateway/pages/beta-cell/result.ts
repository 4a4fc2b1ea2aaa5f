import {
  type ARM_IDS,
  type BetaCellArmFit,
  type BetaCellResult,
  betaCellArmFitSchema,
} from '../../../contract/schemas/research/beta-cell.ts';
import { combinationName } from '../../charts/beta-cell.ts';
import { type Html, html } from '../html.ts';
import { agentLink } from '../kit/agent-text.ts';
import { smallChart } from '../kit/chart.ts';
import { type Column, folded, record, table } from '../kit/parts.ts';
import { code, list } from '../kit/words.ts';
import { type BetaCellPicture, betaCellPicture } from '../pictures/beta-cell.ts';
import { versionLinked } from '../words/snapshots.ts';
import { FIELDS, valuesOf } from './input-fields.ts';

/** Weeks between two rows of the plan's table. */
const ROW_WEEKS = 13;

interface ResultInput {
  data: BetaCellResult;
  honesty: readonly string[];
  /** Path and query of this page. */
  address: string;
}

/** A whole result, from the curves to the call that repeats it. */
export function resultParts({ data, honesty, address }: ResultInput): Html {
  const { dataset, planner } = data;
  const own = valuesOf(data);
  const drawn = (name: BetaCellPicture, caption: string): Html =>
    smallChart({ picture: betaCellPicture(name, data, own), caption });
  return html`<p class="lead">${outcome(data)}</p>
<div class="notice" role="note">${dataset.synthetic && html`<p><strong>Synthetic data.</strong> No value of this dataset was measured.</p>`}
${honesty.map((line) => html`<p>${line}</p>`)}</div>
<h2 id="curves">Curves</h2>
<div class="pictures">
${drawn('beta-cell-fit', `Fit of each arm on the visits through week ${data.input.trainingThroughWeek}, and the visits held out after it.`)}
${planner !== null && drawn('beta-cell-plan', 'The control fit without and with the plan: native mass, graft and both. Hypothetical.')}
${planner !== null && drawn('beta-cell-combinations', `C-peptide at week ${data.input.durationWeeks} with each part of the plan on or off. S: immune suppression, R: replacement, P: graft protection. The order ranks nothing.`)}
</div>
<h2>The fit</h2>
${folded('Status, parameters and plausibility of each arm', fitTable(data))}
${folded('Every visit, as reported and by the model', visitsTable(data))}
<h2>Held-out visits</h2>
${heldOutTable(data)}
<h2>How far k is determined</h2>
${folded('Intervals, and the same fit under other assumptions', identifiabilityTables(data))}
<h2>The plan</h2>
${planParts(data)}
<h2>The data</h2>
${folded('Source, population and assay', datasetParts(data))}
<h2>Limits, and what this is not</h2>
${folded('What limits this run', list(data.limits))}
${folded('What no run says', list(data.doesNotSay))}
<h2>To repeat it</h2>
${repeatParts(data, address)}`;
}

/** What the run came to, in a sentence. */
function outcome({ planner }: BetaCellResult): string {
  const last = planner?.curve.at(-1);
  if (last === undefined) return 'The control arm could not be fitted, so that no plan could be computed.';
  const ofStart = (relative: number): string => `${(relative * 100).toFixed(0)} %`;
  return `At week ${last.week}, C-peptide stands at ${ofStart(last.total)} of its level at week 0 with the hypothetical plan, and at ${ofStart(last.unperturbed)} without it.`;
}

function planParts({ planner, input }: BetaCellResult): Html {
  if (planner === null) {
    return html`<p class="notice">There is no plan: it needs the fit of the control arm, which could not be made.</p>`;
  }
  const { nativeLossRate, graftLossRate, curve, combinations } = planner;
  const weeks = curve.filter(({ week }) => week % ROW_WEEKS === 0);
  return html`<p>Hypothetical changes of mechanism, applied to the fit of the control arm. With them, native mass is lost at ${digits(nativeLossRate)} a week and the graft at ${digits(graftLossRate)}. Everything is relative to native C-peptide at week 0.</p>
<details><summary>The plan in numbers: its parts on and off, and every ${ROW_WEEKS} weeks</summary>
${table(`Each part of the plan on or off, at week ${input.durationWeeks}`, combinations, [
  ['On', combinationName],
  ['Suppression', ({ suppression }) => onOff(suppression)],
  ['Replacement', ({ replacement }) => onOff(replacement)],
  ['Protection', ({ protection }) => onOff(protection)],
  ['Native', ({ native }) => digits(native), 'number'],
  ['Graft', ({ graft }) => digits(graft), 'number'],
  ['Total', ({ total }) => digits(total), 'number'],
])}
${table(`The plan every ${ROW_WEEKS} weeks`, weeks, [
  ['Week', ({ week }) => week, 'number'],
  ['Without the plan', ({ unperturbed }) => digits(unperturbed), 'number'],
  ['Native', ({ native }) => digits(native), 'number'],
  ['Graft', ({ graft }) => digits(graft), 'number'],
  ['Total', ({ total }) => digits(total), 'number'],
])}</details>`;
}

const onOff = (on: boolean): string => (on ? 'on' : 'off');

/** The dataset of the fit; the texts of a custom dataset come from whoever made the address. */
function datasetParts({ dataset, input }: BetaCellResult): Html {
  const { id, citation, kind, statistic, population, assay, reportedUnit, arms, registration, checksum } = dataset;
  const isCustom = input.dataset === 'custom';
  const given = (text: string): Html => html`<bdi>${text}</bdi>`;
  const told = record([
    ['Name', given(id)],
    ['Source', isCustom ? agentLink(citation) : html`<a href="${citation}">${citation}</a>`],
    ['Kind', kind],
    ['Statistic of a visit', statistic],
    ['Population', given(population)],
    ['Assay', given(assay)],
    ['Unit as reported', given(reportedUnit)],
    ...arms.map((arm) => [`The ${arm.id} received`, given(arm.label)] as const),
    registration !== null && ['Registration', html`<a href="/trials?q=${registration}">${registration}</a>`],
    ['Checksum', code(checksum)],
  ]);
  return isCustom
    ? html`<div class="written"><p class="not-verified">Not verified</p>
<p class="written-by">Given by whoever made the address of this page</p>
${told}</div>`
    : told;
}

function repeatParts({ input, replay }: BetaCellResult, address: string): Html {
  const parameters = FIELDS.filter(({ group }) => group !== 'custom');
  return html`<p><a href="${address}">The permanent address of this run</a> holds the whole input and gives the same numbers again. Runs are not stored and have no id; these values identify this one:</p>
<details><summary>Input, model and checksums</summary>
${record([
  ...parameters.map(({ name, label }) => [label, String(input[name as keyof typeof input])] as const),
  ['Model', html`<code>${replay.module} ${replay.version}</code>`],
  ['SHA-256 of the input', code(replay.inputSha256)],
  ['Checksum of the data', code(replay.datasetChecksum)],
  ['SHA-256 of the result', code(replay.resultSha256)],
  ['Snapshot', replay.snapshot === null ? 'none: the data came with the input' : versionLinked(replay.snapshot)],
])}</details>`;
}

type ArmId = (typeof ARM_IDS)[number];
/** Fields of an arm, and its id. */
type OfArm<Row> = Row & { arm: ArmId };

const ARMS = ['control', 'comparator'] as const satisfies readonly ArmId[];
const ARM: Column<{ arm: ArmId }> = ['Arm', ({ arm }) => arm];

function ofArms<Row>({ fit }: BetaCellResult, rows: (fit: BetaCellArmFit) => readonly Row[]): OfArm<Row>[] {
  return ARMS.flatMap((arm) => rows(fit[arm]).map((row) => ({ ...row, arm })));
}

/** The fitted parameters, and how far each can be used. */
function fitTable(result: BetaCellResult): Html {
  const rows = ofArms(result, (fit) => [fit]);
  return html`${table('The fit of each arm', rows, [
    ARM,
    ['Status', ({ status }) => code(status)],
    ['k, loss per week', ({ lossRate }) => digits(lossRate), 'number'],
    ['h, stressed over functional', ({ stressRatio }) => digits(stressRatio), 'number'],
    ['r, assumed', ({ recoveryRate }) => digits(recoveryRate), 'number'],
    ['Training visits', ({ trainingVisits }) => trainingVisits, 'number'],
    ['Degrees of freedom', ({ degreesOfFreedom }) => digits(degreesOfFreedom), 'number'],
    ['Sum of squares', ({ sumOfSquares }) => digits(sumOfSquares), 'number'],
    ['Highest', ({ peak }) => peakText(peak)],
    ['Plausible?', ({ plausibility }) => plausibility ?? 'not known'],
  ])}
${list([
  ...rows.map(({ arm, statusReason }) => `${arm}: ${statusReason}`),
  `Plausible: ${betaCellArmFitSchema.shape.plausibility.description}.`,
])}`;
}

function peakText(peak: BetaCellArmFit['peak']): string {
  if (peak === null) return 'not known';
  return peak.week === null ? 'rises for ever' : `${digits(peak.relative)} at week ${digits(peak.week)}`;
}

/** Every visit with the observed and the modelled value. */
function visitsTable(result: BetaCellResult): Html {
  const observed = (arm: ArmId, week: number): number =>
    result.dataset.arms.find(({ id }) => id === arm)!.points.find((point) => point.week === week)!.value;
  return table(
    'Visits',
    ofArms(result, ({ visits }) => visits),
    [
      ARM,
      ['Week', ({ week }) => week, 'number'],
      ['Use', ({ role }) => role],
      ['As reported', ({ arm, week }) => digits(observed(arm, week)), 'number'],
      ['Over week 0', ({ observedRatio }) => digits(observedRatio), 'number'],
      ['Model', ({ predictedRatio }) => digits(predictedRatio), 'number'],
      ['Log residual', ({ logResidual }) => digits(logResidual), 'number'],
      [
        'Error of the model, %',
        ({ role, percentError }) => (role === 'held-out' ? digits(percentError) : ''),
        'number',
      ],
    ],
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
function heldOutTable(result: BetaCellResult): Html {
  const none = ARMS.filter((arm) => result.fit[arm].heldOut.visits === 0);
  return html`<p>A fit that predicts the held-out visits no better than simple predictions without a model has learnt nothing more. These visits were already known when the check was made: it looks back and is no prospective validation.</p>
${none.length > 0 && html`<p class="notice">No visit was held out in: ${none.join(', ')}. There is nothing to check this fit with.</p>`}
${folded(
  'Errors of the model and of predictions without one',
  table(
    'Errors at the held-out visits',
    ofArms(result, ({ heldOut }) => heldOut.predictions),
    [
      ARM,
      ['Prediction', ({ prediction }) => PREDICTIONS[prediction]],
      ['Root mean square of the log error', ({ logRmse }) => digits(logRmse), 'number'],
      ['Mean error, %', ({ meanAbsolutePercentError }) => digits(meanAbsolutePercentError), 'number'],
    ],
    ({ prediction }) => prediction === 'model' && 'differs',
  ),
)}`;
}

/** How well the visits determine k, and how much depends on assumptions. */
function identifiabilityTables(result: BetaCellResult): Html {
  const known = ofArms(result, ({ identifiability }) => (identifiability === null ? [] : [identifiability]));
  const intervals = known.flatMap(({ arm, lossRateIntervals }) => lossRateIntervals.map((row) => ({ ...row, arm })));
  return html`<p>An interval contains every k for which some h fits nearly as well as the best fit: within 3.84 sd² of the least squares, which is 95 % if the log ratios scatter by that sd. The sd is assumed, since an arm has too few visits to estimate one. A wide interval, or one that reaches 0, means that these visits do not determine k, however good the curve looks.</p>
${
  known.length === 0
    ? html`<p>Nothing was fitted, so that there are no intervals.</p>`
    : table('Intervals of k', intervals, [
        ARM,
        ['Assumed sd of a log ratio', ({ assumedLogSd }) => assumedLogSd, 'number'],
        ['From', ({ low }) => digits(low), 'number'],
        ['To', ({ high }) => digits(high), 'number'],
      ])
}
<ul>${known.map(
    ({ arm, estimateCorrelation, conditionNumber }) =>
      html`<li>${arm}: k and h are correlated by ${digits(estimateCorrelation)}; condition number ${digits(conditionNumber)}</li>`,
  )}</ul>
${table(
  'The same fit under other assumed recovery rates',
  ofArms(result, ({ sensitivity }) => sensitivity),
  [
    ARM,
    ['r, assumed', ({ recoveryRate }) => recoveryRate, 'number'],
    ['k', ({ lossRate }) => digits(lossRate), 'number'],
    ['h', ({ stressRatio }) => digits(stressRatio), 'number'],
    ['Sum of squares', ({ sumOfSquares }) => digits(sumOfSquares), 'number'],
  ],
)}`;
}

const SHOWN_DIGITS = 4;

/** Four digits, since the data have two or three. An unknown value is called unknown, never 0. */
function digits(value: number | null): string {
  return value === null ? 'not known' : String(Number(value.toPrecision(SHOWN_DIGITS)));
}
