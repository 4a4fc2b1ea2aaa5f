import { type Html, html } from '../html.ts';
import { FILTERS, READS, searchWith } from './search-asked.ts';
import { type AppliedFilters, FILTER_TITLES, filterWords } from './words.ts';

/** The applied filters; each is a link that removes it, with what says how it is read. */
export function appliedChips(
  applied: AppliedFilters,
  address: URLSearchParams,
  path = '/trials',
): { title: Html; removeHref: string }[] {
  const isShown = (name: string): boolean => !Object.hasOwn(READS, name) && address.has(name);
  return FILTERS.filter((name) => isShown(name) && applied[name] !== undefined).map((name) => ({
    title: html`${FILTER_TITLES[name]}: <bdi>${filterWords(name, applied[name]!)}</bdi>${isExact(name, address) && ' exactly'}`,
    removeHref: searchWith(address, { [name]: '' }, path),
  }));
}

function isExact(name: string, address: URLSearchParams): boolean {
  return Object.entries(READS).some(([reading, [first]]) => first === name && address.get(reading) === 'exact');
}
