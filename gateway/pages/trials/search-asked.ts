import { TRIAL_SORTS } from '../../../contract/operations/trials/trials.ts';
import { trialFilterParameters } from '../../../contract/trial-filters.ts';
import { excludedIn, operatorsIn } from '../../../snapshot/format/words/query-syntax.ts';
import { type Html, html } from '../html.ts';
import { type AppliedFilters, FILTER_TITLES, filterWords, type TrialFilter, type TrialSort } from '../words/trials.ts';

/** What an address asks of the search page, and the one clean address for it. */

/** Arguments of a search as an address gives them. */
export type Given = Record<string, string>;

export const FILTERS = Object.keys(trialFilterParameters) as TrialFilter[];

/** How the page shows the trials found; without it as a list of cards. */
const VIEWS = ['list', 'table'] as const;
export type TrialView = (typeof VIEWS)[number];

/** Values that say what holds without them; a clean address does not have them. */
const SAID_BY_SILENCE: Readonly<Record<string, string>> = {
  match: 'words',
  phaseMatch: 'combined',
  sponsorMatch: 'words',
  conditionMatch: 'asked',
  gapClock: 'primaryCompletion',
  gapMonths: '18',
  sort: 'updated',
  page: '1',
  view: 'list' satisfies TrialView,
};

/** Two fields of the form in years, and the day of a year that each stands for. */
const YEARS: Readonly<Record<string, { filter: TrialFilter; day: string }>> = {
  startYearFrom: { filter: 'startedAfter', day: '01-01' },
  startYearTo: { filter: 'startedBefore', day: '12-31' },
};

/** Parameters that the page sets itself, to bound its size. */
const OWN_PARAMETERS = ['pageSize', 'include'];

export interface AskedSearch {
  /** Arguments of the search, including unknown names, so that its answer lists them as ignored. */
  search: Given;
  /** Only the filters. */
  filters: Given;
  view: TrialView;
  /** Parameters of the operation that the page does not accept. */
  dropped: string[];
}

/**
 * The query without what says nothing: empty fields, which a form sends all the same, values that hold without being
 * said, a list given name by name, and years in place of days.
 */
export function cleanQuery(query: URLSearchParams, unsaid: 'words' | 'concepts' = 'concepts'): URLSearchParams {
  const names = [...new Set(query.keys())];
  const valuesOf = (name: string): string =>
    query
      .getAll(name)
      .filter((value) => value.trim() !== '')
      .join(',');
  return new URLSearchParams([
    ...cleanPairs(
      names.map((name) => [name, valuesOf(name)]),
      unsaid,
    ),
  ]);
}

/** The last text that was read: the hundreds of links of a page have the same. */
let last = { q: '', hasOperators: false };

/** Parentheses are part of many names, and a hyphen before a number is mostly one of the number. */
function hasOperators(q: string): boolean {
  if (q !== last.q) {
    const isAsked = operatorsIn(q).some((one) => one === 'OR' || one === 'AND');
    last = { q, hasOperators: isAsked || excludedIn(q).some((one) => !/^\d/.test(one)) };
  }
  return last.hasOperators;
}

/**
 * Each name stands once in `pairs`. `unsaid` is how a text with operators is matched that does not say how: by concepts where
 * somebody typed it, since words take no operators; by words in a link, whose number counts them.
 */
function cleanPairs(
  pairs: readonly (readonly [name: string, value: string])[],
  unsaid: 'words' | 'concepts',
): Map<string, string> {
  const clean = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (value.trim() === '' || value === SAID_BY_SILENCE[name]) continue;
    const year = Object.hasOwn(YEARS, name) ? YEARS[name] : undefined;
    // A year stands above a day of the same filter: it is what the reader typed last.
    if (year === undefined) {
      if (!clean.has(name)) clean.set(name, value);
    } else clean.set(year.filter, /^\d{4}$/.test(value.trim()) ? `${value.trim()}-${year.day}` : value);
  }
  if (!clean.has('match') && hasOperators(clean.get('q') ?? '')) {
    clean.set('match', pairs.some(([name, value]) => name === 'match' && value === 'words') ? 'words' : unsaid);
  }
  for (const [reading, filters] of Object.entries(READS)) {
    if (!filters.some((name) => clean.has(name))) clean.delete(reading);
  }
  return clean;
}

const CLOCKED = ['resultsGap', 'resultsDue', 'resultsDueAfter', 'resultsDueBefore', 'sort'];
/** Parameters that say how filters are read, and those filters: without one of them they say nothing. */
export const READS: Readonly<Record<string, readonly string[]>> = {
  match: ['q', 'condition', 'intervention', 'topic'],
  phaseMatch: ['phase'],
  sponsorMatch: ['sponsor'],
  conditionMatch: ['condition'],
  gapClock: CLOCKED,
  gapMonths: CLOCKED,
};

/** Where a query that is not clean is answered; null if it is. */
export function cleanAddress(path: string, query: URLSearchParams): string | null {
  const clean = cleanQuery(query);
  const isClean = clean.size === query.size && [...clean].every(([name, value]) => query.get(name) === value);
  if (isClean) return null;
  return clean.size === 0 ? path : `${path}?${clean}`;
}

/** The search page, or another for the same search, with some parameters changed; an empty value takes one away. */
export function searchWith(address: URLSearchParams, changes: Record<string, string>, path = '/trials'): string {
  return addressOn(path, { ...Object.fromEntries(address), ...changes });
}

/** The search page with these filters; a number that links there is the number that it shows. */
export function searchAddress(filters: Given): string {
  return addressOn('/trials', filters);
}

/** A page has hundreds of links, so that the query is written once, when it is clean. */
function addressOn(path: string, query: Given): string {
  const clean = cleanPairs(Object.entries(query), 'words');
  return clean.size === 0 ? path : `${path}?${new URLSearchParams([...clean])}`;
}

export function askedSearch(query: URLSearchParams): AskedSearch {
  const given = [...query].filter(([name]) => name !== 'view');
  const isFilter = (name: string): boolean => (FILTERS as readonly string[]).includes(name);
  const isOwn = (name: string): boolean => OWN_PARAMETERS.includes(name);
  return {
    search: Object.fromEntries(given.filter(([name]) => !isOwn(name))),
    filters: Object.fromEntries(given.filter(([name]) => isFilter(name))),
    view: VIEWS.find((view) => view === query.get('view')) ?? 'list',
    dropped: given.map(([name]) => name).filter(isOwn),
  };
}

/** The filters that an answer reports as applied. */
export function appliedFilters(filters: Record<string, unknown> | undefined): AppliedFilters {
  return Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = filters?.[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

/** The order that was asked for; without one it is that of updates. */
export function orderOf({ search: { sort } }: Pick<AskedSearch, 'search'>): TrialSort {
  return TRIAL_SORTS.find((one) => one === sort) ?? 'updated';
}

/** Query of the page for these filters, in this order and view; the first of its pages. */
export function addressOf(
  applied: AppliedFilters,
  { sort, view }: { sort: TrialSort; view: TrialView },
): URLSearchParams {
  return cleanQuery(new URLSearchParams({ ...applied, sort, view }), 'words');
}

/** The applied filters and the clock of overdue results; each is a link that removes it, with what says how it is read. */
export function appliedChips(
  applied: AppliedFilters,
  address: URLSearchParams,
  path = '/trials',
): { title: Html; removeHref: string }[] {
  const isClock = (name: string): boolean => READS[name] === CLOCKED;
  const isShown = (name: string): boolean => (isClock(name) || !Object.hasOwn(READS, name)) && address.has(name);
  return FILTERS.filter((name) => isShown(name) && applied[name] !== undefined).map((name) => ({
    title: html`${FILTER_TITLES[name]}: <bdi>${filterWords(name, applied[name]!)}</bdi>${isExact(name, address) && ' exactly'}`,
    removeHref: searchWith(address, { [name]: '' }, path),
  }));
}

function isExact(name: string, address: URLSearchParams): boolean {
  return Object.entries(READS).some(([reading, [first]]) => first === name && address.get(reading) === 'exact');
}
