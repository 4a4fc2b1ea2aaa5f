import { searchTrials, TRIAL_SORTS, trialFilterParameters } from '../../../contract/operations/trials.ts';
import { descriptionOf, expectedOf, jsonSchemaOf } from '../../../contract/parameters.ts';
import type { ErrorBody } from '../../../server-kit/problem.ts';
import { type Html, html } from '../html.ts';
import { FILTER_TITLES, listOf, named, SORT_TITLES, type TrialFilter, titleOfField } from './words.ts';

/** Further fields beside the words; folded, because most searches need none. */
const FURTHER: readonly TrialFilter[] = [
  'condition',
  'intervention',
  'sponsor',
  'country',
  'status',
  'phase',
  'studyType',
  'registry',
  'topic',
  'modality',
  'resultsAvailable',
  'startedAfter',
  'startedBefore',
  'completedAfter',
  'completedBefore',
  'updatedAfter',
  'updatedBefore',
  'primaryCompletionAfter',
  'primaryCompletionBefore',
  'firstPostedAfter',
  'firstPostedBefore',
  'resultsPostedAfter',
  'resultsPostedBefore',
  'enrollmentMin',
  'enrollmentMax',
  'sponsorClass',
  'anySponsor',
  'inBoth',
  'conflictsOn',
  'resultsGap',
  'phaseMatch',
  'age',
  'sex',
  'siteCountry',
  'sitePlace',
];

/** Arguments of a search as an address gives them. */
export type Given = Record<string, string | string[]>;

export interface SearchFormInput {
  /** As given or as applied. */
  values: Given;
  /** Null if the topics could not be read; the field then takes an id as text. */
  topics: readonly { id: string; title: string }[] | null;
  /** Error of a refused search; each fault is shown at its field. */
  error?: ErrorBody['error'];
}

interface Choice {
  value: string;
  title: string;
}

/** The form of a search; every field is a filter of the operation. */
export function searchForm({ values, topics, error }: SearchFormInput): Html {
  const faults = faultsOf(error);
  const field = (name: TrialFilter): Html =>
    fieldOf(name, { value: textOf(values[name]), fault: faults.get(name) ?? null, topics });
  // Applied filters stand in the chips; a faulty field must be visible.
  const isOpen = FURTHER.some((name) => faults.has(name));
  return html`<form class="fields" action="/trials" method="get" role="search" aria-label="Trials">
<div class="wide">${field('q')}</div>
<div class="wide">${matchSwitch(textOf(values.match), faults.get('match') ?? null)}</div>
<details class="wide"${isOpen && html` open`}><summary>Filters</summary><div class="fields">${FURTHER.map(field)}</div></details>
${orderField(textOf(values.sort), faults.get('sort') ?? null)}
<p class="wide"><button type="submit">Search</button> <a href="/trials">Clear all</a></p>
</form>`;
}

function orderField(value: string, fault: string | null): Html {
  return html`<div><label for="sort">Order</label>
<select id="sort" name="sort" aria-describedby="sort-note${fault !== null && ' sort-fault'}">${TRIAL_SORTS.map((sort) => html`<option value="${sort === 'updated' ? '' : sort}"${sort === value && html` selected`}>${SORT_TITLES[sort]}</option>`)}</select>
<p class="bounds" id="sort-note">Trials without the value come last. The best match counts text alone and says nothing of how promising a trial is: each word, phrase or name gives a trial 4 points where its title or acronym has it, else 3 for its conditions, 2 for its interventions, 1 for any other text; the most points come first, then the newest update.</p>
${fault !== null && html`<p class="fault" id="sort-fault">${sentence(fault)}</p>`}</div>
`;
}

/** A switch that works without script: unchecked, it sends nothing, and the words alone count. */
function matchSwitch(value: string, fault: string | null): Html {
  return html`<label for="match"><input type="checkbox" id="match" name="match" value="concepts" aria-describedby="match-note${fault !== null && ' match-fault'}"${value === 'concepts' && html` checked`}> Match by concepts</label>
<p class="bounds" id="match-note">Also finds other names of the same disease or substance and narrower kinds, each named; OR, NOT, “a phrase” and parentheses work too.</p>
${fault !== null && html`<p class="fault" id="match-fault">${sentence(fault)}</p>`}`;
}

/** Faults of a refused search that belong to no field. */
export function otherFaults(error: ErrorBody['error']): { name: string; message: string }[] {
  return [...faultsOf(error)]
    .filter(([name]) => name !== 'sort' && !Object.hasOwn(trialFilterParameters, name))
    .map(([name, message]) => ({ name, message }));
}

/** Each parameter and its expected value. */
function faultsOf(error: ErrorBody['error'] | undefined): Map<string, string> {
  const issues = error?.issues ?? [];
  const faults = new Map(issues.map(({ path, message }) => [path, message]));
  if (error?.parameter !== undefined && !faults.has(error.parameter)) {
    faults.set(error.parameter, error.expected === undefined ? error.message : `expected ${error.expected}`);
  }
  return faults;
}

function textOf(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(',') : (value ?? '');
}

interface FieldState extends Pick<SearchFormInput, 'topics'> {
  value: string;
  fault: string | null;
}

function fieldOf(name: TrialFilter, { value, fault, topics }: FieldState): Html {
  const schema = searchTrials.query[name];
  const notes = `${name}-note${fault === null ? '' : ` ${name}-fault`}`;
  const state = html` id="${name}" name="${name}" aria-describedby="${notes}"${fault !== null && html` aria-invalid="true"`}`;
  const choices = choicesOf(name, topics);
  const control =
    choices === null
      ? html`<input${state} type="${inputType(name, value)}"${name === 'q' && html` autocomplete="off"`} value="${value}">`
      : html`<select${state}><option value="">Any</option>${withGiven(choices, value).map(
          (choice) =>
            html`<option value="${choice.value}"${choice.value === value && html` selected`}>${choice.title}</option>`,
        )}</select>`;
  const meaning = [descriptionOf(schema), ...(choices === null ? [expectedOf(schema)] : [])].map(sentence).join(' ');
  return html`<div><label for="${name}">${FILTER_TITLES[name]}</label>
${control}
<p class="bounds" id="${name}-note">${meaning}</p>
${fault !== null && html`<p class="fault" id="${name}-fault">${sentence(fault)}</p>`}</div>
`;
}

function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1).replace(/\.$/, '')}.`.replaceAll('`', '');
}

/** The choices of a field; null if it takes any text. */
function choicesOf(name: TrialFilter, topics: SearchFormInput['topics']): Choice[] | null {
  if (name === 'topic') return topics?.map(({ id, title }) => ({ value: id, title })) ?? null;
  const { type, items, ...own } = jsonSchemaOf(searchTrials.query[name]) as {
    type?: string;
    enum?: string[];
    items?: { enum?: string[] };
  };
  const values = type === 'boolean' ? ['true', 'false'] : (items?.enum ?? own.enum);
  return (
    values?.map((value) => ({ value, title: name === 'conflictsOn' ? titleOfField(value) : named(value) })) ?? null
  );
}

/** The choices, and the given value as one more if it is a combination or not among them. */
function withGiven(choices: readonly Choice[], value: string): Choice[] {
  if (value === '' || choices.some((choice) => choice.value === value)) return [...choices];
  const titles = listOf(value).map((part) => choices.find((choice) => choice.value === part)?.title ?? part);
  return [...choices, { value, title: titles.join(' or ') }];
}

/** A browser shows an invalid date as empty, so that it stays text for the reader to correct. */
function inputType(name: TrialFilter, value: string): 'date' | 'search' | 'text' {
  if (name === 'q') return 'search';
  if (!/(?:After|Before)$/.test(name)) return 'text';
  return value === '' || searchTrials.query[name].safeParse(value).success ? 'date' : 'text';
}
