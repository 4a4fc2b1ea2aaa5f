import { pageOf } from '../../../contract/interfaces/pages.ts';
import {
  BETA_CELL_EXAMPLE,
  getBetaCellGuide,
  runBetaCell,
} from '../../../contract/operations/research/twin-beta-cell.ts';
import type { BetaCellGuide } from '../../../contract/schemas/research/beta-cell.ts';
import { docsAddressOf } from '../docs/areas.ts';
import { failedPart, failureNotice } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { ADDRESS_MAX_CHARACTERS } from '../kit/address.ts';
import { field, options } from '../kit/form.ts';
import { section, table } from '../kit/parts.ts';
import { code, list } from '../kit/words.ts';
import type { Page, PageContent, PageRequest } from '../page.ts';
import { type Asked, FailedRead } from '../reads.ts';
import {
  addressOfRun,
  boundsOf,
  defaultOf,
  type Entered,
  enteredOf,
  type Fault,
  FIELDS,
  type Field,
  faultsOf,
  optionsOf,
  valuesOf,
} from './input-fields.ts';
import { resultParts } from './result.ts';

const { path: PAGE_PATH } = pageOf('page-beta-cell');

/** Runs the model from a form; the address of the page is the input. */
export const betaCellPage: Page = {
  id: 'page-beta-cell',
  async respond(request) {
    const { query, path, reads } = request;
    if (query.size === 0) return formPage(await reads.attempt(getBetaCellGuide));
    const entered = enteredOf(query);
    const tooLong = path.length > ADDRESS_MAX_CHARACTERS;
    const faults = [...(tooLong ? [TOO_LONG] : []), ...addressFaults(entered)];
    if (faults.length > 0) {
      const guide = await reads.attempt(getBetaCellGuide);
      return notRun({ entered, faults, guide, status: tooLong ? 414 : 400 });
    }
    return ranPage(request, entered);
  },
};

const TOO_LONG: Fault = {
  field: null,
  message: `this input does not fit the ${ADDRESS_MAX_CHARACTERS.toLocaleString('en-GB')} characters of an address; run it over the API, as below`,
};
/** Does not repeat the parameter's name, which could be about a person. */
const UNKNOWN: Fault = { field: null, message: 'the address has a parameter that is not a field of this form' };

function addressFaults({ unknown, repeated }: Entered): Fault[] {
  return [...(unknown ? [UNKNOWN] : []), ...repeated.map((field) => ({ field, message: 'given more than once' }))];
}

const LEAD = html`<p>Fits the loss of beta-cell function to published or invented averages of C-peptide, checks the fit against later visits that it did not use, and computes hypothetical changes. It says nothing about any one person, and takes no data about one.</p>`;

/** Whether the form may begin with the cited data; it begins with an example where this snapshot does not hold them. */
function citedDataRun(guide: ReadGuide): boolean {
  return !(guide instanceof FailedRead) && guide.data.dataset.state === 'available';
}

function formPage(guide: ReadGuide): PageContent {
  return {
    title: 'Beta-cell model',
    main: html`${LEAD}
${formSection('The input', { values: citedDataRun(guide) ? null : EXAMPLE_VALUES, faults: [], guide })}
${modelNotes(guide)}`,
    calls: ['/api/v1/twin/beta-cell'],
  };
}

async function ranPage({ path, reads }: PageRequest, entered: Entered): Promise<PageContent> {
  const [guide, run] = await Promise.all([reads.attempt(getBetaCellGuide), reads.attempt(runBetaCell, entered.body)]);
  if (run instanceof FailedRead) {
    const { code, issues = [] } = run.error;
    const isRefused = code === runBetaCell.rejection;
    const faults = isRefused ? faultsOf(issues, entered) : [];
    return notRun({ entered, faults, guide, status: run.status }, isRefused ? undefined : failureNotice(run.error));
  }
  const { data, meta } = run;
  // Keeps the address as asked if it would be too long with every default written out.
  const whole = addressOfRun(PAGE_PATH, data);
  const address = whole.length > ADDRESS_MAX_CHARACTERS ? path : whole;
  return {
    title: data.input.dataset === 'custom' ? 'A run of custom data' : 'A run of the cited data',
    main: html`${LEAD}
<p><a href="#change">Change the input</a></p>
${resultParts({ data, honesty: meta.honesty, address })}
<details><summary>Run it with another input</summary>
<div id="change">${formSection('Another input', { values: valuesOf(data), faults: [], guide })}</div></details>
${modelNotes(guide)}`,
    calls: [{ path: '/api/v1/twin/beta-cell', body: data.replay.input }],
  };
}

interface NotRun {
  entered: Entered;
  guide: ReadGuide;
  faults: Fault[];
  status: number;
}

function notRun({ entered, guide, faults, status }: NotRun, notice: Html = faultNotice(faults)): PageContent {
  return {
    title: 'The model was not run',
    status,
    main: html`${notice}
${formSection('The input', { values: entered.values, faults, guide })}
${modelNotes(guide)}`,
    calls: [{ path: '/api/v1/twin/beta-cell', body: entered.body }],
  };
}

function formSection(
  heading: string,
  { values, faults, guide }: { values: Record<string, string> | null; faults: Fault[]; guide: ReadGuide },
): Html {
  const dataset = guide instanceof FailedRead ? null : guide.data.dataset;
  return section(
    'input',
    heading,
    html`${guide instanceof FailedRead && failedPart('The guide of the model', guide)}
${inputForm({ values, faults, dataset })}`,
  );
}

type ReadGuide = Asked<typeof getBetaCellGuide>;

/** The parts of the model, from its guide, and links to read on. */
function modelNotes(guide: ReadGuide): Html {
  return html`${!(guide instanceof FailedRead) && fromGuide(guide)}
<h2>Further</h2>
<ul>
<li><a href="${docsAddressOf('beta-cell')}">The guide of this model</a> and <a href="${docsAddressOf('beta-cell-run')}">its run over the API</a>, with the same bounds</li>
<li><a href="${docsAddressOf('twin-experiment')}">Experiments</a>: a reaction network of your own, its arms and its uncertainties; <a href="${docsAddressOf('twin-benchmark')}">benchmarks</a> compare two or three</li>
<li><a href="${docsAddressOf('twin-explore')}">Explore</a>: what is registered around an assumption, by condition, stage and markers</li>
<li><a href="${docsAddressOf('finding-submit')}">Publish a finding</a> with the hashes of a run, so that others can repeat it; <a href="/board">the board</a> shows what is there</li>
</ul>`;
}

function fromGuide({ data: { version, equations, rules, sources } }: Exclude<ReadGuide, FailedRead>): Html {
  return html`<h2>The model</h2>
<p>Version <code>${version}</code>. k is fitted (loss per week), h is fitted (stressed over functional mass at week 0), r is assumed (recovery per week), t is in weeks.</p>
<details><summary>Equations, rules and sources</summary>
${table('Equations', equations, [
  ['Quantity', ({ name }) => name],
  ['Equation', ({ equation }) => code(equation)],
  ['Meaning', ({ meaning }) => meaning],
])}
<h3>Rules</h3>
${list(rules)}
<h3>Sources</h3>
${list(sources.map(({ title, url, use }) => html`<a href="${url}">${title}</a>: ${use}`))}</details>`;
}

/** An example that runs on any snapshot. */
const EXAMPLE_ADDRESS = addressOfRun(PAGE_PATH, {
  input: BETA_CELL_EXAMPLE,
  dataset: BETA_CELL_EXAMPLE.customDataset,
});
const EXAMPLE_VALUES = Object.fromEntries(new URL(EXAMPLE_ADDRESS, 'http://form').searchParams);
/** Faults shown at one field; a text area may have a fault on every line. */
const FAULTS_SHOWN = 5;

interface FormInput {
  /** As typed or as run; null for the defaults. */
  values: Record<string, string> | null;
  faults: readonly Fault[];
  /** Null if the guide could not be read. */
  dataset: BetaCellGuide['dataset'] | null;
}

/** The form whose fields make the address of a run. */
function inputForm({ values, faults, dataset }: FormInput): Html {
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
  return html`<p class="notice">The data of the cited trial cannot be used now: ${dataset.reason}. The form begins with an invented example, which runs.</p>`;
}

function fieldHtml(one: Field, value: string, faults: readonly string[]): Html {
  const hint = [one.schema.description ?? '', boundsOf(one)].filter((part) => part !== '').join('; ');
  const more = faults.length - FAULTS_SHOWN;
  const shown = [...faults.slice(0, FAULTS_SHOWN).map(sentence), ...(more > 0 ? [`And ${more} more.`] : [])];
  return field({ id: one.name, label: one.label, hint, faults: shown }, (state) => controlHtml(one, value, state));
}

function controlHtml(one: Field, value: string, state: Html): Html {
  const { control } = one;
  if (control === 'choice') return choice(optionsOf(one), value, state);
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
function choice(known: readonly unknown[], value: string, state: Html): Html {
  const values = known.map(String);
  const shown = values.includes(value) ? values : [value, ...values];
  return html`<select${state}>${options(
    shown.map((one) => [one, OPTION_WORDS.get(one) ?? one]),
    value,
  )}</select>`;
}

const sentence = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;

/** Says that nothing was run, and lists every faulty field. */
function faultNotice(faults: readonly Fault[]): Html {
  const fields = [...new Set(faults.map(({ field }) => field))];
  const countOf = (field: Field | null): number => faults.filter((fault) => fault.field === field).length;
  return html`<div class="failure" role="alert">
<p>Your input is kept below. Please correct:</p>
<ul>${fields.map((field) =>
    field === null
      ? faults.filter((fault) => fault.field === null).map(({ message }) => html`<li>${sentence(message)}</li>`)
      : html`<li><a href="#${field.name}">${field.label}</a>${countOf(field) > 1 && `, ${countOf(field)} faults`}</li>`,
  )}</ul></div>`;
}
