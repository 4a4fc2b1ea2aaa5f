import { type Html, html } from '../html.ts';
import { addressWith } from '../kit/address.ts';
import { FILTERS } from './search-asked.ts';
import { type AppliedFilters, FILTER_TITLES, filterWords } from './words.ts';

/** The applied filters; each is a link that removes it. How words are matched has a switch of its own. */
export function appliedChips(
  applied: AppliedFilters,
  address: URLSearchParams,
  path = '/trials',
): { title: Html; removeHref: string }[] {
  return FILTERS.filter((name) => name !== 'match' && applied[name] !== undefined && address.has(name)).map((name) => ({
    title: html`${FILTER_TITLES[name]}: <bdi>${filterWords(name, applied[name]!)}</bdi>`,
    removeHref: addressWith(path, address, { [name]: '' }),
  }));
}
