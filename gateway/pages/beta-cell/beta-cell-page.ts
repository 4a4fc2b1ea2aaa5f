import { getBetaCellGuide, runBetaCell } from '../../../contract/operations/twin-beta-cell.ts';
import { pageOf } from '../../../contract/pages.ts';
import { failedPart, failureNotice } from '../failure.ts';
import { type Html, html } from '../html.ts';
import type { Page, PageContent, PageRequest } from '../page.ts';
import { FailedRead } from '../reads.ts';
import { faultNotice, inputForm } from './form.ts';
import { addressOfRun, type Entered, enteredOf, type Fault, faultsOf, valuesOf } from './input-fields.ts';
import { modelNotes, type ReadGuide } from './model-notes.ts';
import { resultParts } from './result.ts';

const { path: PAGE_PATH } = pageOf('page-beta-cell');
/** Longest address that browsers, proxies and servers accept, with a margin. */
const ADDRESS_MAX_CHARACTERS = 8_000;

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
      return refusedPage({ entered, faults, guide, status: tooLong ? 414 : 400 });
    }
    return ranPage(request, entered);
  },
};

const TOO_LONG: Fault = {
  field: null,
  message: `this input does not fit the ${ADDRESS_MAX_CHARACTERS.toLocaleString('en-GB')} characters of an address; run it over the API, as below`,
};
/** Does not repeat the parameter's name, which could be about a person. */
const UNKNOWN: Fault = { field: null, message: 'the address holds something that is no field of this form' };

function addressFaults({ unknown, repeated }: Entered): Fault[] {
  return [...(unknown ? [UNKNOWN] : []), ...repeated.map((field) => ({ field, message: 'given more than once' }))];
}

const LEAD = html`<p>Fits the loss of beta-cell function to published or invented averages of C-peptide, checks the fit against later visits that it never saw, and plays through hypothetical changes. It says nothing about one person, and takes no data of one.</p>`;

function formPage(guide: ReadGuide): PageContent {
  return {
    title: 'Beta-cell model',
    main: html`${LEAD}
${formSection('The input', { values: null, faults: [], guide })}
${modelNotes(guide)}`,
    calls: ['/api/v1/twin/beta-cell'],
  };
}

async function ranPage({ path, reads, pictures }: PageRequest, entered: Entered): Promise<PageContent> {
  const [guide, run] = await Promise.all([reads.attempt(getBetaCellGuide), reads.attempt(runBetaCell, entered.body)]);
  if (run instanceof FailedRead) return notRunPage({ entered, run, guide });
  const { data, meta } = run;
  // Keeps the address as asked if it would be too long with every default written out.
  const whole = addressOfRun(PAGE_PATH, data);
  const address = whole.length > ADDRESS_MAX_CHARACTERS ? path : whole;
  return {
    title: data.input.dataset === 'custom' ? 'A run of custom data' : 'A run of the cited data',
    main: html`${LEAD}
<p><a href="#input">Change the input</a></p>
${resultParts({ data, honesty: [meta.honesty ?? []].flat(), address, pictures })}
${formSection('Another input', { values: valuesOf(data), faults: [], guide })}
${modelNotes(guide)}`,
    calls: [{ path: '/api/v1/twin/beta-cell', body: data.replay.input }],
  };
}

interface NotRun {
  entered: Entered;
  guide: ReadGuide;
}

function notRunPage({ entered, run, guide }: NotRun & { run: FailedRead }): PageContent {
  const { issues = [], code } = run.error;
  if (code === runBetaCell.rejection) {
    return refusedPage({ entered, guide, faults: faultsOf(issues, entered), status: run.status });
  }
  return refusal({ entered, guide, faults: [], status: run.status, notice: failureNotice(run.error) });
}

function refusedPage(input: NotRun & { faults: Fault[]; status: number }): PageContent {
  return refusal({ ...input, notice: faultNotice(input.faults) });
}

function refusal({
  entered,
  guide,
  faults,
  status,
  notice,
}: NotRun & { faults: Fault[]; status: number; notice: Html }): PageContent {
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
  return html`<section aria-labelledby="input"><h2 id="input">${heading}</h2>
${guide instanceof FailedRead && failedPart('The guide of the model', guide)}
${inputForm({ values, faults, dataset })}</section>`;
}
