import { searchTrials } from '../../../contract/operations/trials/trials.ts';
import { jsonSchemaOf } from '../../../contract/parameters.ts';
import { trialFilterParameters } from '../../../contract/trial-filters.ts';
import type { ErrorBody } from '../../../server-kit/problem.ts';
import { type Html, html } from '../html.ts';
import { type Choice, field, hiddenFields, options, withGiven } from '../kit/form.ts';
import { FILTER_TITLES, listOf, named, type TrialFilter, type TrialSort, titleOfField } from '../words/trials.ts';
import { FILTERS, type Given, type TrialView } from './search-asked.ts';

/** Fields behind "More filters", in groups. What the facets choose is kept in hidden fields instead. */
const GROUPS: readonly { title: string; fields: readonly TrialFilter[] }[] = [
  { title: 'What is studied', fields: ['condition', 'intervention', 'keyword', 'topic', 'studyType'] },
  { title: 'Who is behind it', fields: ['sponsor', 'anySponsor'] },
  { title: 'Where', fields: ['country', 'siteCountry', 'sitePlace', 'siteStatus'] },
  { title: 'Who can take part', fields: ['age', 'sex', 'sexMatch', 'enrollmentMin', 'enrollmentMax'] },
  {
    title: 'Dates',
    fields: [
      ...(['startedAfter', 'startedBefore', 'primaryCompletionAfter', 'primaryCompletionBefore'] as const),
      ...(['completedAfter', 'completedBefore', 'resultsPostedAfter', 'resultsPostedBefore'] as const),
      ...(['firstPostedAfter', 'firstPostedBefore', 'updatedAfter', 'updatedBefore'] as const),
    ],
  },
  { title: 'Registrations', fields: ['inBoth', 'conflictsOn', 'phaseMatch'] },
];
const IN_GROUPS: ReadonlySet<string> = new Set(GROUPS.flatMap(({ fields }) => fields));

/** What a field takes, where its label does not say it all. */
const HELP: Partial<Record<TrialFilter, string>> = {
  condition: 'As a registry writes it, such as “Asthma”.',
  intervention: 'Words of a drug, device or procedure.',
  sponsor: 'Words of the name of the lead sponsor.',
  anySponsor: 'Also collaborators and funders.',
  country: 'By its name or code: United Kingdom, UK, GB.',
  siteCountry: 'Only trials that list a site there.',
  sitePlace: 'The whole name of a city.',
  siteStatus: 'Of a site in that country and city, else anywhere; where no site there states one, that of the trial.',
  keyword:
    'Words of the keywords that ClinicalTrials.gov holds; the search box reads them for other names and narrower kinds alone.',
  age: 'In years: trials that take a person of this age.',
  sex: 'Trials that take a person of this sex: also those for all.',
  sexMatch: 'Exact: what the record states, so that female leaves out trials for all.',
  enrollmentMin: 'Planned until a trial is completed.',
  conflictsOn: 'Both registrations state it, and they differ.',
  phaseMatch: 'Phase 1/2 counts as phase 1 and as phase 2, unless matched exactly.',
};

interface SearchFormInput {
  /** As given or as applied. */
  values: Given;
  sort: TrialSort;
  view: TrialView;
  /** Number of a trial that is held, to be tried. */
  exampleId?: string | undefined;
  /** Error of a refused search; each fault is shown at its field. */
  error?: ErrorBody['error'];
}

/** The search box, the switch for concepts beside it, and further filters, which are folded. */
export function searchForm({ values, sort, view, exampleId, error }: SearchFormInput): Html {
  const faults = faultsOf(error);
  const isFaulty = GROUPS.some(({ fields }) => fields.some((name) => faults.has(name)));
  const kept = [
    ...FILTERS.filter((name) => name !== 'q' && name !== 'match' && !IN_GROUPS.has(name) && !faults.has(name)),
    ...['sort', 'view'],
  ].map((name) => [name, { ...values, sort, view }[name] ?? ''] as const);
  return html`<form class="search" id="search" action="/trials" method="get" role="search" aria-label="Trials">
${queryField(values.q ?? '', faults.get('q') ?? null, exampleId)}
<p class="switch"><label><input type="checkbox" name="match" value="concepts" aria-describedby="match-help"${values.match === 'concepts' && html` checked`}> Also find other names and narrower kinds</label>
<span class="hint" id="match-help">“Heart attack” then finds myocardial infarction too. OR, AND and -word switch this on.</span></p>
<details class="more"${isFaulty && html` open`}><summary>More filters</summary>
${GROUPS.map(
  ({
    title,
    fields,
  }) => html`<fieldset><legend>${title}</legend><div class="fields">${fields.map((name) => fieldOf(name, values[name] ?? '', faults.get(name)))}</div></fieldset>
`,
)}<p><button type="submit">Search with these filters</button></p></details>
${hiddenFields(kept.filter(([name, value]) => value !== '' && !(name === 'sort' && value === 'updated') && !(name === 'view' && value === 'list')))}
</form>`;
}

function queryField(value: string, fault: string | null, exampleId?: string): Html {
  return html`<div class="query"><label for="q">Words, a registry number or a country</label>
<div class="box"><input id="q" name="q" type="search" autocomplete="off" value="${value}" aria-describedby="q-help${fault !== null && ' q-fault'}"${fault !== null && html` aria-invalid="true"`}><button type="submit">Search</button></div>
<p class="hint" id="q-help">For example: type 1 diabetes, ${exampleId !== undefined && html`${exampleId}, `}insulin. Words for a country, a city, a status or a phase are offered as filters.</p>
${faultOf('q', fault)}</div>`;
}

/** Faults of a refused search that belong to no field of the form. */
export function otherFaults(error: ErrorBody['error']): { name: string; message: string }[] {
  return [...faultsOf(error)]
    .filter(([name]) => name !== 'q' && !IN_GROUPS.has(name))
    .map(([name, message]) => ({ name, message }));
}

/** What was expected of each refused parameter, as a sentence. */
function faultsOf(error: ErrorBody['error'] | undefined): Map<string, string> {
  const issues = error?.issues ?? [];
  const faults = new Map(issues.map(({ path, message }) => [path, message]));
  if (error?.parameter !== undefined && !faults.has(error.parameter)) {
    faults.set(error.parameter, error.expected === undefined ? error.message : `expected ${error.expected}`);
  }
  return new Map([...faults].map(([name, message]) => [name, asAdvice(name, message)]));
}

/** How a refusal begins its near names (contract/nearest-names.ts). */
const NEAR = '; nearest to the text that was sent: ';

/** What to write instead, for people. */
function asAdvice(name: string, message: string): string {
  if (isDate(name)) return 'Write a date as year, month and day, such as 2026-01-31.';
  const [wanted = '', near] = message
    .replace(/^expected /, '')
    .replaceAll('`', '')
    .split(NEAR);
  const meant = near === undefined ? '' : ` Did you mean ${near.replace(/, (?=[^,]*$)/, ' or ')}?`;
  return `Please use ${wanted.replace(/\.$/, '')}.${meant}`;
}

function faultOf(name: string, fault: string | null): Html | false {
  return fault !== null && html`<p class="fault" id="${name}-fault">${fault}</p>`;
}

function fieldOf(name: TrialFilter, value: string, fault: string | undefined): Html {
  const choices = choicesOf(name);
  const faults = fault === undefined ? [] : [fault];
  return field({ id: name, label: FILTER_TITLES[name], hint: HELP[name], faults }, (state) =>
    choices === null
      ? html`<input${state} type="${inputType(name, value)}" value="${value}">`
      : html`<select${state}><option value="">Any</option>${options(withGiven(choices, value, orOf(choices, value)), value)}</select>`,
  );
}

/** The choices of a field; null if it takes any text. */
function choicesOf(name: TrialFilter): Choice[] | null {
  const { type, items, ...own } = jsonSchemaOf(trialFilterParameters[name]) as {
    type?: string;
    enum?: string[];
    items?: { enum?: string[] };
  };
  const values = type === 'boolean' ? ['true', 'false'] : (items?.enum ?? own.enum);
  return values?.map((value): Choice => [value, name === 'conflictsOn' ? titleOfField(value) : named(value)]) ?? null;
}

/** Several of the choices at once, in words. */
function orOf(choices: readonly Choice[], given: string): string {
  return listOf(given)
    .map((part) => choices.find(([value]) => value === part)?.[1] ?? part)
    .join(' or ');
}

const isDate = (name: string): boolean => /(?:After|Before)$/.test(name);

/** A browser shows an invalid date as empty, so that it stays text for the reader to correct. */
function inputType(name: TrialFilter, value: string): 'date' | 'text' {
  if (!isDate(name)) return 'text';
  return value === '' || searchTrials.query[name].safeParse(value).success ? 'date' : 'text';
}
