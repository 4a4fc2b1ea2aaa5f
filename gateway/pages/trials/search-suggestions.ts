import { QUERY_MAX_CHARACTERS } from '../../../contract/limits/limits.ts';
import { searchTrials } from '../../../contract/operations/trials/trials.ts';
import { readFiltersIn } from '../../../snapshot/format/words/named-filters.ts';
import { saysNothing } from '../../../snapshot/format/words/plain-words.ts';
import { type Html, html } from '../html.ts';
import { joined, trialsInWords } from '../kit/words.ts';
import { FailedRead, type Reads } from '../reads.ts';
import { FILTER_TITLES, named, type TrialFilter } from '../words/trials.ts';
import { type Given, searchWith } from './search-asked.ts';

/**
 * Words of the search box that name a country, a status, a phase or a city ("recruiting trials in the UK"), offered as the filters
 * that they name. They are never applied by themselves: the words stay words until the reader follows the link.
 */

/** Signs with which a query says exactly what it wants. */
const EXACT = /["\u201c-\u201f()]|(?:^|\s)-\S|\b(?:OR|AND|NOT)\b/u;

export interface NamedFilters {
  filters: Partial<Record<'country' | 'status' | 'phase' | 'sitePlace', string>>;
  /** The words that are left; empty if all of them name filters or say nothing. */
  words: string;
}

/** The filters that words of a query name, beside those that are given; null if they name none. */
function filtersNamed({ q, ...given }: Given): NamedFilters | null {
  // The search refuses a longer text.
  if (q === undefined || q.length > QUERY_MAX_CHARACTERS || EXACT.test(q)) return null;
  const { rest, filters } = readFiltersIn(q.split(/\s+/), new Set(Object.keys(given)));
  if (Object.keys(filters).length === 0) return null;
  return { filters, words: rest.filter((word) => !saysNothing(word.replace(/(?<![?.,;:!])[?.,;:!]+$/, ''))).join(' ') };
}

/** The suggestion with the number of trials that its link finds; null if it finds none, or could not be counted. */
export async function countedSuggestion(
  reads: Reads,
  asked: Given,
): Promise<(NamedFilters & { trials: number }) | null> {
  const suggested = filtersNamed(asked);
  if (suggested === null) return null;
  const { q: _words, ...others } = asked;
  const found = await reads.attempt(searchTrials, { ...others, ...queryOf(suggested), pageSize: 1 });
  const trials = found instanceof FailedRead ? 0 : (found.meta.pagination?.totalItems ?? 0);
  return trials === 0 ? null : { ...suggested, trials };
}

const queryOf = ({ filters, words }: NamedFilters): Given => ({ ...filters, ...(words !== '' && { q: words }) });

export function suggestion(
  { filters, words, trials }: NamedFilters & { trials: number },
  address: URLSearchParams,
): Html {
  const target = searchWith(address, { ...filters, q: words });
  return html`<p class="notice tip"><a href="${target}">Only ${filtersInWords(filters)}${words !== '' && html` with “<bdi>${words}</bdi>”`}: ${trialsInWords(trials)}</a></p>`;
}

/**
 * The one reading that explains why a search finds nothing, as the heading in place of a large zero, so that the reader is
 * one click from what was meant. The search itself stays as it was asked.
 */
export function readingFirst(
  { filters, words, trials }: NamedFilters & { trials: number },
  address: URLSearchParams,
): Html {
  const parts = [
    ...Object.entries(filters).map(
      ([name, value]) => html`${FILTER_TITLES[name as TrialFilter].toLowerCase()} ${valueInWords(name, value)}`,
    ),
    ...(words === '' ? [] : [html`words “<bdi>${words}</bdi>”`]),
  ];
  return html`<h2 class="reading" id="found"><a href="${searchWith(address, { ...filters, q: words })}">Read as: ${joined(parts)}: ${trialsInWords(trials)}</a></h2>`;
}

function valueInWords(name: string, value: string): Html | string {
  if (name === 'sitePlace') return html`<bdi>${value}</bdi>`;
  return name === 'country' ? value : named(value);
}

/** "Recruiting, Phase 2, United Kingdom, a site in Leeds". */
export function filtersInWords(filters: NamedFilters['filters']): Html {
  const words = Object.entries(filters).map(([name, value]) =>
    name === 'sitePlace' ? html`a site in <bdi>${value}</bdi>` : valueInWords(name, value),
  );
  return joined(words);
}
