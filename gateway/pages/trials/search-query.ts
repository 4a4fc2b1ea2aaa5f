import { trialFilterParameters } from '../../../contract/operations/trials.ts';
import type { TrialFilter } from './words.ts';

export const FILTERS = Object.keys(trialFilterParameters) as TrialFilter[];

/** Parameters that the page sets itself, to bound its size. */
const OWN_PARAMETERS = ['pageSize', 'include'];

export type Given = Record<string, string | string[]>;

export interface AskedSearch {
  /** Arguments of the search, including unknown names, so that its answer lists them as ignored. */
  search: Given;
  /** Only the filters, for coverage and landscape. */
  filters: Given;
  /** Parameters of the operation that the page does not accept. */
  dropped: string[];
}

/** Parses the address: an empty field does not filter, and a list may be given as repeated parameters. */
export function askedSearch(query: URLSearchParams): AskedSearch {
  const given = [...new Set(query.keys())].flatMap((name): [string, string | string[]][] => {
    const values = query.getAll(name).filter((value) => value.trim() !== '');
    const [first, ...others] = values;
    if (first === undefined) return [];
    return [[name, others.length === 0 ? first : values]];
  });
  const isFilter = (name: string): boolean => (FILTERS as readonly string[]).includes(name);
  const isOwn = (name: string): boolean => OWN_PARAMETERS.includes(name);
  return {
    search: Object.fromEntries(given.filter(([name]) => !isOwn(name))),
    filters: Object.fromEntries(given.filter(([name]) => isFilter(name))),
    dropped: given.map(([name]) => name).filter(isOwn),
  };
}

/** The filters that an answer reports as applied. */
export function appliedFilters(filters: Record<string, unknown> | undefined): Partial<Record<TrialFilter, string>> {
  return Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = filters?.[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

/** The values of a filter that takes several. */
export function listOf(value: string | undefined): string[] {
  return value === undefined ? [] : value.split(',').map((part) => part.trim());
}
