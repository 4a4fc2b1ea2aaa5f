import type { OperationOutput } from '../../../contract/operation.ts';
import { getTrialFacets } from '../../../contract/operations/trial-facets.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { addressWith } from '../kit/address.ts';
import { type FacetValue, facet } from '../kit/facet.ts';
import { type Answered, FailedRead, type Reads } from '../reads.ts';
import type { Given } from './search-asked.ts';
import { yearBars, yearFields } from './start-years.ts';
import type { AppliedFilters } from './words.ts';

/** Facets: values that narrow the trials found, each with the number of trials that its link finds. */

export type AskedFacets = Answered<OperationOutput<typeof getTrialFacets>> | FailedRead;
type FacetRecord = OperationOutput<typeof getTrialFacets>['facets'][number];

export function readFacets(reads: Reads, filters: Given): Promise<AskedFacets> {
  return reads.attempt(getTrialFacets, filters);
}

/** Every facet, in the order of the page. */
export const FACETS = {
  country: { title: 'Country', note: 'A trial counts in each of its countries.' },
  status: { title: 'Status', note: null },
  phase: { title: 'Phase', note: 'A combined phase, such as 1/2, counts in each of its parts too.' },
  startYear: { title: 'Year of start', note: null },
  condition: { title: 'Condition', note: 'As registries write it.' },
  results: { title: 'Results', note: null },
  sponsorClass: { title: 'Kind of sponsor', note: null },
  sponsor: { title: 'Sponsor', note: 'By all words of the name.' },
  registry: { title: 'Registry', note: 'A trial of both counts in each: never add these up.' },
  modality: { title: 'Kind of treatment', note: 'Inferred from the interventions: a judgement, no registry fact.' },
} as const satisfies Record<string, { title: string; note: string | null }>;
export type FacetName = keyof typeof FACETS;
export const FACET_NAMES = Object.keys(FACETS) as FacetName[];

/** Values of a facet before the link to all of them. */
const SHOWN = 6;
/** Facets that are open from the start; the others show their title. */
const OPEN: readonly FacetName[] = ['country', 'status', 'phase', 'startYear', 'results'];

/** The filters beside the list; on a phone folded above it. */
export function filtersAside(
  facets: AskedFacets,
  { applied, address, total }: { applied: AppliedFilters; address: URLSearchParams; total: number },
): Html {
  const content =
    facets instanceof FailedRead
      ? failedPart('The counts by value', facets)
      : FACET_NAMES.map((name) => facetPart(facets, name, address));
  const number = Object.keys(applied).filter((name) => name !== 'q' && name !== 'match').length;
  return html`<aside aria-label="Filters"><details class="filters"><summary>Filter ${total === 0 ? 'the trials' : `these trials`}${number > 0 && ` (${number} applied)`}</summary>
${content}</details></aside>`;
}

/** One facet by itself; the failure in its place where the counts could not be read. */
export function facetPart(facets: AskedFacets, name: FacetName, address: URLSearchParams): Html | false {
  if (facets instanceof FailedRead) return failedPart('The counts by value', facets);
  const found = facets.data.facets.find(({ filter }) => filter === name);
  if (found === undefined || found.values.length === 0) return false;
  if (name === 'startYear') return yearsPart(found, address, facets.meta.provenance?.asOf);
  const { title, note } = FACETS[name];
  const values = valuesOf(found, name, address);
  const shown = [...values.filter(({ applied }) => applied), ...values.filter(({ applied }) => !applied)].slice(0, SHOWN);
  const left = values.length - shown.length + found.others;
  return facet({
    title,
    values: shown,
    ...(left > 0 && { more: { title: `All ${title.toLowerCase()} values`, href: facetAddress(name, address) } }),
    ...(note !== null && { note }),
    closed: !OPEN.includes(name),
  });
}

/** The parameters that a value of a facet sets; an empty one is taken away. */
export function changesOf(name: FacetName, value: string): Given {
  if (name === 'startYear') return { startedAfter: `${value}-01-01`, startedBefore: `${value}-12-31` };
  if (name === 'results') return { resultsAvailable: '', resultsGap: '', ...RESULTS[value] };
  return { [name]: value };
}

const RESULTS: Readonly<Record<string, Given>> = {
  posted: { resultsAvailable: 'true' },
  'not-posted': { resultsAvailable: 'false' },
  gap: { resultsGap: 'true' },
};

/** Address of the page with every value of a facet, for the same search. */
export function facetAddress(name: FacetName, address: URLSearchParams): string {
  return addressWith(`/trials/by/${name}`, address, { view: '', sort: '' });
}

function isApplied(address: URLSearchParams, changes: Given): boolean {
  return Object.entries(changes).every(([name, value]) => (address.get(name) ?? '').toLowerCase() === value.toLowerCase());
}

/** Each value as a link that puts it in place of the facet's own filter; an applied one is taken away instead. */
export function valuesOf({ values }: FacetRecord, name: FacetName, address: URLSearchParams): FacetValue[] {
  return values.map(({ value, title, trials }) => {
    const changes = changesOf(name, value);
    const applied = isApplied(address, changes);
    const target = applied ? Object.fromEntries(Object.keys(changes).map((key) => [key, ''])) : changes;
    return { title, trials, href: addressWith('/trials', address, target), applied };
  });
}

function yearsPart(found: FacetRecord, address: URLSearchParams, asOf: unknown): Html {
  const values = valuesOf(found, 'startYear', address);
  const years = found.values.map(({ value, trials }, at) => ({
    ...{ year: Number(value), trials },
    ...{ href: values[at]!.href ?? '', applied: values[at]!.applied },
  }));
  const thisYear = Number(String(asOf ?? '').slice(0, 4)) || Math.max(...years.map(({ year }) => year));
  return html`<details class="facet" open><summary>${FACETS.startYear.title}</summary>
${yearBars(years, thisYear)}
${yearFields(address)}
<p><a href="${facetAddress('startYear', address)}">All years with their numbers</a></p></details>`;
}
