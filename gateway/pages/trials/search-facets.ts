import type { OperationOutput } from '../../../contract/operation.ts';
import { getTrialFacets } from '../../../contract/operations/trial-facets.ts';
import { searchTrials } from '../../../contract/operations/trials.ts';
import { FACETS, type Facet } from '../../../contract/schemas/trial-facets.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { type FacetValue, facet } from '../kit/list-controls.ts';
import { type Answered, FailedRead, type Reads } from '../reads.ts';
import { type Given, searchWith } from './search-asked.ts';
import { yearBars, yearFields } from './start-years.ts';
import type { AppliedFilters } from './words.ts';

/** Facets: values that narrow the trials found, each with the number of trials that its link finds. */

export type AskedFacets = Answered<OperationOutput<typeof getTrialFacets>> | FailedRead;
export type FacetRecord = OperationOutput<typeof getTrialFacets>['facets'][number];

/** The facets of a search; `only` these, where a page shows no others, because each takes time to count. */
export function readFacets(reads: Reads, filters: Given, only?: readonly Facet[]): Promise<AskedFacets> {
  return reads.attempt(getTrialFacets, { ...filters, ...(only !== undefined && { facet: only.join(',') }) });
}

interface Shown {
  title: string;
  /** Its values, at the end of "All …". */
  plural: string;
  note?: string;
  /** Whether it shows its values before it is asked for. */
  open?: true;
}

export const FACET_WORDS: Record<Facet, Shown> = {
  country: { title: 'Country', plural: 'countries', note: 'A trial counts in each of its countries.', open: true },
  status: {
    title: 'Status',
    plural: 'statuses',
    note: 'ISRCTN states none: there it is worked out from dates.',
    open: true,
  },
  phase: { title: 'Phase', plural: 'phases', open: true },
  startYear: { title: 'Year of start', plural: 'years', open: true },
  condition: { title: 'Condition', plural: 'conditions', note: 'Exactly as registries write it.' },
  sponsorClass: { title: 'Kind of sponsor', plural: 'kinds of sponsors' },
  sponsor: { title: 'Sponsor', plural: 'sponsors', note: 'Exactly as registries write it.' },
  results: { title: 'Results', plural: 'states of results', open: true },
  registry: { title: 'Registry', plural: 'registries', note: 'A trial of both counts in each: never add these up.' },
  modality: {
    title: 'Kind of treatment',
    plural: 'kinds of treatments',
    note: 'Inferred from the interventions: a judgement, no registry fact. Kinds overlap.',
  },
};

/** Values of a facet before the link to all of them. */
const SHOWN = 6;
/** Facets with a fixed and short list of values, which is shown whole. */
const WHOLE: readonly Facet[] = ['status', 'results', 'registry', 'sponsorClass', 'phase'];

/** The finer status that people look for, which stands among the coarse ones: they count running trials. */
const RECRUITING = 'recruiting';

/** Trials that recruit, with every other filter of the search; null where they could not be counted. */
export async function readRecruiting(reads: Reads, filters: Given): Promise<number | null> {
  const found = await reads.attempt(searchTrials, { ...filters, status: RECRUITING, pageSize: 1 });
  return found instanceof FailedRead ? null : (found.meta.pagination?.totalItems ?? null);
}

interface AsideInput {
  applied: AppliedFilters;
  /** Of the search with its filters, order and view. */
  address: URLSearchParams;
  recruiting: number | null;
  /** Why a value that means that nothing is stated is so large. */
  silent: Partial<Record<Facet, Html>>;
}

/** The facets beside the list; on a phone folded above it. */
export function facetsAside(facets: AskedFacets, { applied, address, recruiting, silent }: AsideInput): Html {
  const content =
    facets instanceof FailedRead
      ? failedPart('The counts by value', facets)
      : FACETS.map((name) =>
          facetPart(facets, name, address, {
            first: name === 'status' ? recruitingValue(recruiting, address) : [],
            silent: silent[name],
          }),
        );
  const number = Object.keys(applied).filter((name) => name !== 'q' && name !== 'match').length;
  return html`<aside aria-label="Filters"><details class="filters"><summary>Narrow by country, status, phase …${number > 0 && ` (${number} applied)`}</summary>
${content}</details></aside>`;
}

function recruitingValue(trials: number | null, address: URLSearchParams): FacetValue[] {
  const applied = address.get('status') === RECRUITING;
  if (trials === 0 && !applied) return [];
  return [{ title: 'Recruiting', trials, applied, href: searchWith(address, { status: applied ? '' : RECRUITING }) }];
}

interface PartInput {
  /** Values before those of the facet. */
  first?: readonly FacetValue[];
  /** Whether its values are shown, whatever the facet is like. */
  open?: boolean;
  /** What else is to be known of its numbers. */
  silent?: Html | undefined;
}

/** One facet by itself; the failure in its place where the counts could not be read. */
export function facetPart(
  facets: AskedFacets,
  name: Facet,
  address: URLSearchParams,
  { first = [], open: opened = false, silent }: PartInput = {},
): Html | false {
  if (facets instanceof FailedRead) return failedPart('The counts by value', facets);
  const found = facets.data.facets.find((one) => one.facet === name);
  if (found === undefined) return false;
  const { title, plural, note, open = false } = FACET_WORDS[name];
  const all = { title: `All ${plural}`, href: facetAddress(name, address) };
  if (name === 'startYear') return yearsPart(found, address, { thisYear: Number(facets.data.asOf.slice(0, 4)), all });
  const values = [...first, ...valuesOf(found, address)];
  if (values.length === 0) return false;
  const ranked = [...values.filter(({ applied }) => applied), ...values.filter(({ applied }) => !applied)];
  const shown = WHOLE.includes(name) ? values : ranked.slice(0, SHOWN);
  return facet({
    title,
    values: shown,
    ...((shown.length < values.length || found.others !== null) && { more: all }),
    ...((note ?? silent) !== undefined && { note: html`${note} ${silent}` }),
    closed: !open && !opened,
  });
}

/** Address of the page with every value of a facet, for the same search. */
export function facetAddress(name: Facet, address: URLSearchParams): string {
  return searchWith(address, { view: '', sort: '' }, `/trials/by/${name}`);
}

/** Each value as a link that puts it in place of the facet's own filters; an applied one is taken away instead. */
export function valuesOf({ values, own }: FacetRecord, address: URLSearchParams): FacetValue[] {
  const without = Object.fromEntries(own.map((name) => [name, '']));
  return values
    .filter(({ trials, applied }) => trials !== 0 || applied)
    .map(({ title, trials, query, applied }) => ({
      ...{ title, trials, applied },
      href: query === null ? null : searchWith(address, { ...without, ...(applied ? {} : query) }),
    }));
}

interface YearsInput {
  thisYear: number;
  all: { title: string; href: string };
}

function yearsPart(found: FacetRecord, address: URLSearchParams, { thisYear, all }: YearsInput): Html {
  const without = Object.fromEntries(found.own.map((name) => [name, '']));
  const years = found.values.flatMap(({ value, trials, query, applied }) =>
    query === null || !/^\d{4}$/.test(value)
      ? []
      : [{ year: Number(value), trials: trials ?? 0, applied, href: searchWith(address, { ...without, ...query }) }],
  );
  return html`<details class="facet" open><summary>${FACET_WORDS.startYear.title}</summary>
${yearBars(years, thisYear)}
${yearFields(address)}
<p><a href="${all.href}">${all.title}</a></p></details>`;
}
