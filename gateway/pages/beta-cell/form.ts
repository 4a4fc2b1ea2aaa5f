import { BETA_CELL_EXAMPLE } from '../../../contract/operations/twin-beta-cell.ts';
import { pageOf } from '../../../contract/pages.ts';
import type { BetaCellGuide } from '../../../contract/schemas/beta-cell.ts';
import { type Html, html } from '../html.ts';
import { addressOfRun, boundsOf, defaultOf, type Fault, FIELDS, type Field } from './input-fields.ts';

const { path: PAGE_PATH } = pageOf('page-beta-cell');
/** An example that runs on any snapshot. */
const EXAMPLE_ADDRESS = addressOfRun(PAGE_PATH, {
  input: BETA_CELL_EXAMPLE,
  dataset: BETA_CELL_EXAMPLE.customDataset,
});
/** Faults shown at one field; a text area may have a fault on every line. */
const FAULTS_SHOWN = 5;

export interface FormInput {
  /** As typed or as run; null for the defaults. */
  values: Record<string, string> | null;
  faults: readonly Fault[];
  /** Null if the guide could not be read. */
  dataset: BetaCellGuide['dataset'] | null;
}

/** The form whose fields make the address of a run. */
export function inputForm({ values, faults, dataset }: FormInput): Html {
  const fieldsOf = (group: Field['group']): Html[] =>
    FIELDS.filter((field) => field.group === group).map((field) =>
      fieldHtml(
        field,
        // An empty field runs with its default.
        values?.[field.name] || defaultOf(field),
        faults.filter((fault) => fault.field === field).map(({ message }) => message),
      ),
    );
  const isCustom =
    values !== null &&
    (values.dataset === 'custom' ||
      FIELDS.some(({ group, name }) => group === 'custom' && (values[name] ?? '') !== ''));
  return html`<p>Fill in by a link: <a href="${EXAMPLE_ADDRESS}">an invented example</a>${
    dataset?.state === 'available' &&
    html`, or <a href="${PAGE_PATH}?dataset=clver">the cited data${dataset.synthetic === true && ' (synthetic in this corpus)'}</a>`
  }.</p>
${datasetState(dataset)}
<p><strong>Published or invented groups only, never a person.</strong> What you enter becomes the address of the result: your browser and every server on the way can keep it.</p>
<form method="get" action="${PAGE_PATH}" aria-labelledby="input">
<fieldset class="fields"><legend>Data and fit</legend>
${fieldsOf('fit')}</fieldset>
<fieldset class="fields"><legend>Plan: hypothetical changes on the control fit</legend>
${fieldsOf('plan')}</fieldset>
<details${isCustom && html` open`}><summary>Data of your own, for a run of custom data</summary>
<fieldset class="fields"><legend>Data of your own</legend>
${fieldsOf('custom')}</fieldset></details>
<p><button type="submit">Run the model</button> <a href="${PAGE_PATH}">Clear all</a></p>
</form>`;
}

function datasetState(dataset: FormInput['dataset']): Html | false {
  if (dataset === null || dataset.state === 'available') return false;
  return html`<p class="notice">The data <code>clver</code> cannot be used now: ${dataset.reason}. Data of your own run all the same.</p>`;
}

function fieldHtml(field: Field, value: string, faults: readonly string[]): Html {
  const { name, label, schema } = field;
  const state = html` id="${name}" name="${name}" aria-describedby="${name}-note${faults.length > 0 && ` ${name}-fault`}"${
    faults.length > 0 && html` aria-invalid="true"`
  }`;
  const meaning = [schema.description ?? '', boundsOf(field)].filter((part) => part !== '').join('; ');
  return html`<div><label for="${name}">${label}</label>
${controlHtml(field, value, state)}
<p class="bounds" id="${name}-note">${meaning}</p>
${faults.length > 0 && faultsHtml(name, faults)}</div>
`;
}

function controlHtml({ control, schema }: Field, value: string, state: Html): Html {
  if (control === 'choice') return choice(schema.enum as unknown[], value, state);
  // HTML drops a line break right after the tag.
  if (control === 'points') {
    return html`<textarea${state} rows="7" autocomplete="off" spellcheck="false">
${value}</textarea>`;
  }
  return html`<input${state} type="text"${control === 'number' && html` inputmode="decimal"`} autocomplete="off" value="${value}">`;
}

const OPTION_WORDS = new Map([
  ['', 'choose'],
  ['clver', 'clver, the cited trial'],
  ['custom', 'custom, data of your own'],
]);

/** The options, and the given value if it is not among them, so that the reader can correct it. */
function choice(options: readonly unknown[], value: string, state: Html): Html {
  const known = options.map(String);
  const shown = known.includes(value) ? known : [value, ...known];
  return html`<select${state}>${shown.map(
    (option) =>
      html`<option value="${option}"${option === value && html` selected`}>${OPTION_WORDS.get(option) ?? option}</option>`,
  )}</select>`;
}

function faultsHtml(name: string, faults: readonly string[]): Html {
  const more = faults.length - FAULTS_SHOWN;
  return html`<div id="${name}-fault">${faults
    .slice(0, FAULTS_SHOWN)
    .map(
      (fault) => html`<p class="fault">${sentence(fault)}</p>`,
    )}${more > 0 && html`<p class="fault">And ${more} more.</p>`}</div>`;
}

function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

/** Says that nothing was run, and lists every faulty field. */
export function faultNotice(faults: readonly Fault[]): Html {
  const fields = [...new Set(faults.map(({ field }) => field))];
  const countOf = (field: Field | null): number => faults.filter((fault) => fault.field === field).length;
  return html`<div class="failure" role="alert">
<p>What was entered is kept below. To mend:</p>
<ul>${fields.map((field) =>
    field === null
      ? faults.filter((fault) => fault.field === null).map(({ message }) => html`<li>${sentence(message)}</li>`)
      : html`<li><a href="#${field.name}">${field.label}</a>${countOf(field) > 1 && `, ${countOf(field)} faults`}</li>`,
  )}</ul></div>`;
}
