import { fitChart, planChart } from '../../../charts/beta-cell.ts';
import { combinationName, combinationsChart } from '../../../charts/combinations.ts';
import type { BetaCellResult } from '../../../contract/schemas/beta-cell.ts';
import type { DrawnPictures } from '../drawn-pictures.ts';
import { type Html, html } from '../html.ts';
import { agentLink, facts, picture, table } from '../parts.ts';
import { fitTable, heldOutTable, identifiabilityTables, visitsTable } from './fit-parts.ts';
import { FIELDS } from './input-fields.ts';
import { digits } from './numbers.ts';

/** Weeks between two rows of the plan's table. */
const ROW_WEEKS = 13;

export interface ResultInput {
  data: BetaCellResult;
  honesty: readonly string[];
  /** Path and query of this page. */
  address: string;
  pictures: DrawnPictures;
}

/** A whole result, from the curves to the call that repeats it. */
export function resultParts({ data, honesty, address, pictures }: ResultInput): Html {
  const { dataset, planner, replay } = data;
  const about = [replay.snapshot ?? 'custom', replay.datasetChecksum, replay.inputSha256];
  const drawn = (part: keyof typeof CHARTS): Html =>
    pictures.draw([...about, part].join(' '), () => CHARTS[part](data, `beta-cell-${part}`));
  return html`<div class="notice" role="note">${dataset.synthetic && html`<p><strong>Synthetic data.</strong> No value of this dataset was measured.</p>`}
${honesty.map((line) => html`<p>${line}</p>`)}</div>
<h2 id="curves">Curves</h2>
<div class="pictures">
${picture(drawn('fit'), `Fit of each arm on the visits through week ${data.input.trainingThroughWeek}, and the visits held out after it.`)}
${planner !== null && picture(drawn('plan'), 'The control fit as it is, and under the plan: native mass, graft and both. Hypothetical.')}
${planner !== null && picture(drawn('combinations'), `C-peptide at week ${data.input.durationWeeks} with each part of the plan on or off. S: immune suppression, R: replacement, P: graft protection. The order ranks nothing.`)}
</div>
<h2>The fit</h2>
${fitTable(data)}
${visitsTable(data)}
<h2>Held-out visits</h2>
${heldOutTable(data)}
<h2>How far k is determined</h2>
${identifiabilityTables(data)}
<h2>The plan</h2>
${planParts(data)}
<h2>The data</h2>
${datasetParts(data)}
<h2>Limits, and what this is not</h2>
<ul>${data.limits.map((limit) => html`<li>${limit}</li>`)}</ul>
<p>No run says:</p>
<ul>${data.doesNotSay.map((line) => html`<li>${line}</li>`)}</ul>
<h2>To repeat it</h2>
${repeatParts(data, address)}`;
}

const CHARTS = { fit: fitChart, plan: planChart, combinations: combinationsChart } as const;

function planParts({ planner, input }: BetaCellResult): Html {
  if (planner === null) {
    return html`<p class="notice">The control arm could not be fitted, and the plan stands on it alone: there is none.</p>`;
  }
  const { nativeLossRate, graftLossRate, curve, combinations } = planner;
  const weeks = curve.filter(({ week }) => week % ROW_WEEKS === 0);
  return html`<p>Hypothetical changes of mechanism on the fit of the control arm. Under them the native mass is lost at ${digits(nativeLossRate)} a week and the graft at ${digits(graftLossRate)}. Everything is relative to native C-peptide at week 0.</p>
${table(
  `Each part of the plan on or off, at week ${input.durationWeeks}`,
  [
    { head: 'On', cell: combinationName },
    { head: 'Suppression', cell: ({ suppression }) => onOff(suppression) },
    { head: 'Replacement', cell: ({ replacement }) => onOff(replacement) },
    { head: 'Protection', cell: ({ protection }) => onOff(protection) },
    { head: 'Native', cell: ({ native }) => digits(native), number: true },
    { head: 'Graft', cell: ({ graft }) => digits(graft), number: true },
    { head: 'Total', cell: ({ total }) => digits(total), number: true },
  ],
  combinations,
)}
${table(
  `The plan every ${ROW_WEEKS} weeks`,
  [
    { head: 'Week', cell: ({ week }) => week, number: true },
    { head: 'Without the plan', cell: ({ unperturbed }) => digits(unperturbed), number: true },
    { head: 'Native', cell: ({ native }) => digits(native), number: true },
    { head: 'Graft', cell: ({ graft }) => digits(graft), number: true },
    { head: 'Total', cell: ({ total }) => digits(total), number: true },
  ],
  weeks,
)}`;
}

function onOff(on: boolean): string {
  return on ? 'on' : 'off';
}

/** The dataset of the fit; the texts of a custom dataset come from whoever made the address. */
function datasetParts({ dataset, input }: BetaCellResult): Html {
  const { id, citation, kind, statistic, population, assay, reportedUnit, arms, registration, checksum } = dataset;
  const isCustom = input.dataset === 'custom';
  const given = (text: string): Html => html`<bdi>${text}</bdi>`;
  const told = facts([
    ['Name', given(id)],
    ['Source', isCustom ? agentLink(citation) : html`<a href="${citation}">${citation}</a>`],
    ['Kind', kind],
    ['Statistic of a visit', statistic],
    ['Population', given(population)],
    ['Assay', given(assay)],
    ['Unit as reported', given(reportedUnit)],
    ...arms.map((arm) => [`The ${arm.id} received`, given(arm.label)] as const),
    ...(registration === null
      ? []
      : [['Registration', html`<a href="/trials?q=${registration}">${registration}</a>`] as const]),
    ['Checksum', html`<code>${checksum}</code>`],
  ]);
  return isCustom
    ? html`<div class="written"><p class="written-by">Given in the address of this page by whoever made it, not verified</p>
${told}</div>`
    : told;
}

function repeatParts({ input, replay }: BetaCellResult, address: string): Html {
  const parameters = FIELDS.filter(({ group }) => group !== 'custom');
  return html`<p><a href="${address}">The permanent address of this run</a> holds its whole input and gives the same numbers again. Nothing of a run is stored, so it has no id; these say which one it was:</p>
${facts([
  ...parameters.map(({ name, label }) => [label, String(input[name as keyof typeof input])] as const),
  ['Model', html`<code>${replay.module} ${replay.version}</code>`],
  ['SHA-256 of the input', html`<code>${replay.inputSha256}</code>`],
  ['Checksum of the data', html`<code>${replay.datasetChecksum}</code>`],
  ['SHA-256 of the result', html`<code>${replay.resultSha256}</code>`],
  [
    'Snapshot',
    replay.snapshot === null
      ? 'none: the data came with the input'
      : html`<a href="/snapshots/${replay.snapshot}">${replay.snapshot}</a>`,
  ],
])}`;
}
