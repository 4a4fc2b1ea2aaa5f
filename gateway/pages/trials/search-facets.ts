import { escapeMarkup } from '../../../contract/markup.ts';
import type { OperationOutput } from '../../../contract/operation.ts';
import { getTrialFacets } from '../../../contract/operations/trials/trial-facets.ts';
import { searchTrials } from '../../../contract/operations/trials/trials.ts';
import { FACETS, type Facet } from '../../../contract/schemas/trials/trial-facets.ts';
import { failedPart } from '../failure.ts';
import { Html, html } from '../html.ts';
import { hiddenFields } from '../kit/form.ts';
import { type FacetValue, facet } from '../kit/list-controls.ts';
import { trialsInWords } from '../kit/words.ts';
import { type Asked, FailedRead, type Reads } from '../reads.ts';
import type { AppliedFilters } from '../words/trials.ts';
import { type Given, searchWith } from './search-asked.ts';

/** Facets: values that narrow the trials found, each with the number of trials that its link finds. */

export type AskedFacets = Asked<typeof getTrialFacets>;
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
    note: 'Recruiting is part of running. ISRCTN states none: there it is worked out from dates.',
    open: true,
  },
  phase: { title: 'Phase', plural: 'phases', note: 'A combined phase counts by itself.', open: true },
  startYear: { title: 'Year of start', plural: 'years', open: true },
  condition: { title: 'Condition', plural: 'conditions', note: 'Exactly as registries write it.' },
  sponsorClass: { title: 'Kind of sponsor', plural: 'kinds of sponsors' },
  sponsor: { title: 'Sponsor', plural: 'sponsors', note: 'Exactly as registries write it.' },
  results: {
    title: 'Results',
    plural: 'states of results',
    note: 'Without: also ISRCTN trials, which post no results in the same sense.',
    open: true,
  },
  registry: { title: 'Registry', plural: 'registries', note: 'A trial of both counts in each: never add these up.' },
  modality: {
    title: 'Kind of treatment',
    plural: 'kinds of treatments',
    note: 'Inferred from the interventions: a judgement, no registry fact. Kinds overlap.',
  },
};

/** In place of values that are inferred for every trial when a server begins to serve a snapshot. */
const PENDING =
  'Not counted yet: what kind of treatment each trial tests is being worked out for this version of the data, which takes up to a minute. Load the page again then; the link above waits for it.';

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
            silent: name === 'phase' ? combinedPhases(address) : silent[name],
          }),
        );
  const number = Object.keys(applied).filter((name) => name !== 'q' && name !== 'match').length;
  return html`<aside aria-label="Filters"><details class="filters"><summary>Narrow by country, status, phase …${number > 0 && ` (${number} applied)`}</summary>
${content}</details></aside>`;
}

/** The way from one phase to the combined phases that it is part of. */
function combinedPhases(address: URLSearchParams): Html | undefined {
  if (address.get('phaseMatch') !== 'exact') return undefined;
  return html`<a href="${searchWith(address, { phaseMatch: '' })}">Take the combined phases in too</a>`;
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
  const { title, plural, note, open = false } = FACET_WORDS[name];
  const all = { title: `All ${plural}`, href: facetAddress(name, address) };
  if (facets.data.pending.includes(name))
    return facet({ title, values: [], more: all, note: PENDING, closed: !opened });
  const found = facets.data.facets.find((one) => one.facet === name);
  if (found === undefined) return false;
  if (name === 'startYear') return yearsPart(found, address, { thisYear: Number(facets.data.asOf.slice(0, 4)), all });
  const values = found.values.filter(hasTrials);
  if (first.length + values.length === 0) return false;
  const shown = WHOLE.includes(name) ? values : [...values].sort(byApplied).slice(0, SHOWN);
  return facet({
    title,
    values: [...first, ...valuesOf({ ...found, values: shown }, address)],
    ...((shown.length < values.length || found.others !== null) && { more: all }),
    ...((note ?? silent) !== undefined && { note: html`${note} ${silent}` }),
    closed: !open && !opened,
  });
}

/** Address of the page with every value of a facet, for the same search. */
function facetAddress(name: Facet, address: URLSearchParams): string {
  return searchWith(address, { view: '', sort: '' }, `/trials/by/${name}`);
}

/** Each value as a link that puts it in place of the facet's own filters; an applied one is taken away instead. */
export function valuesOf({ values, own }: FacetRecord, address: URLSearchParams): FacetValue[] {
  const without = Object.fromEntries(own.map((name) => [name, '']));
  return values.filter(hasTrials).map(({ title, trials, query, applied }) => ({
    ...{ title, trials, applied },
    href: query === null ? null : searchWith(address, { ...without, ...(applied ? {} : query) }),
  }));
}

type Value = FacetRecord['values'][number];

/** An applied value stays, so that it can be taken away. */
function hasTrials({ trials, applied }: Value): boolean {
  return trials !== 0 || applied;
}

function byApplied(one: Value, other: Value): number {
  return Number(other.applied) - Number(one.applied);
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

/** Trials by the year of their start, as a small picture whose bars are links, and two fields for a span of years. */

interface StartYear {
  year: number;
  trials: number;
  /** The trials of this year alone. */
  href: string;
  applied: boolean;
}

const WIDTH = 280;
const HEIGHT = 72;
/** The least that a bar shows, so that a year with one trial is seen. */
const LEAST_PX = 2;
/** Years drawn: a registry holds wrong years too, which the list has. */
const DRAWN_YEARS = 40;

/**
 * The bars are for the mouse: on a keyboard some forty stops would stand in the way, and the same links follow as a list.
 */
function yearBars(years: readonly StartYear[], asOfYear: number): Html | false {
  const last = Math.min(asOfYear, Math.max(...years.map(({ year }) => year)));
  const first = Math.max(last - DRAWN_YEARS + 1, Math.min(...years.map(({ year }) => year)));
  const drawn = years.filter(({ year }) => year >= first && year <= last);
  if (drawn.length < 2) return false;
  const most = Math.max(...drawn.map(({ trials }) => trials));
  const step = WIDTH / (last - first + 1);
  const bars = drawn.map(({ year, trials, href, applied }) => {
    const height = trials === 0 ? 0 : Math.max(LEAST_PX, (trials / most) * HEIGHT);
    const x = ((year - first) * step).toFixed(1);
    const title = `${year}: ${trialsInWords(trials)}`;
    return `<a href="${escapeMarkup(href)}" tabindex="-1"><title>${title}</title><rect class="reach" x="${x}" y="0" width="${step.toFixed(1)}" height="${HEIGHT}"/><rect class="bar${applied ? ' applied' : ''}" x="${x}" y="${(HEIGHT - height).toFixed(1)}" width="${Math.max(1, step - 1).toFixed(1)}" height="${height.toFixed(1)}"/></a>`;
  });
  return html`<div class="year-bars" aria-hidden="true"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">${new Html(bars.join(''))}</svg>
<p><span>${first}</span><span>${last}</span></p></div>`;
}

/** A form of its own: it keeps the rest of the search in hidden fields. */
function yearFields(address: URLSearchParams): Html {
  const kept = [...address].filter(([name]) => name !== 'startedAfter' && name !== 'startedBefore');
  const field = (name: string, title: string, value: string | undefined): Html =>
    html`<label>${title} <input name="${name}" inputmode="numeric" pattern="\\d{4}" maxlength="4" size="4" value="${value ?? ''}"></label>`;
  return html`<form class="years" action="/trials" method="get" aria-label="Years of start">
${hiddenFields(kept)}
${field('startYearFrom', 'From', address.get('startedAfter')?.slice(0, 4))}
${field('startYearTo', 'to', address.get('startedBefore')?.slice(0, 4))}
<button type="submit">Set</button>
</form>`;
}
