import { type Html, html } from '../html.ts';
import { addressWith } from '../parts.ts';
import { FILTERS, listOf } from './search-query.ts';
import { FILTER_TITLES, named, type TrialFilter } from './words.ts';

/** Filters that take free text, shown as given. */
const TEXTS: readonly TrialFilter[] = ['q', 'condition', 'intervention', 'sponsor', 'country', 'topic'];

type Applied = Partial<Record<TrialFilter, string>>;

/** One filter in words. */
export function filterWords(name: TrialFilter, value: string): string {
  return TEXTS.includes(name) ? value : listOf(value).map(named).join(' or ');
}

/** The applied filters; each is a link that removes it. */
export function appliedChips(applied: Applied): Html | false {
  const names = FILTERS.filter((name) => applied[name] !== undefined);
  if (names.length === 0) return false;
  const address = new URLSearchParams(applied as Record<string, string>);
  return html`<h2 id="applied">Applied filters</h2>
<ul class="chips" aria-labelledby="applied">${names.map((name) => {
    const value = filterWords(name, applied[name]!);
    return html`<li><a href="${addressWith('/trials', address, { [name]: '' })}" aria-label="Remove the filter ${FILTER_TITLES[name]}: ${value}">${FILTER_TITLES[name]}: <bdi>${value}</bdi> ×</a></li>`;
  })}</ul>`;
}

/** Names the parameters that had no effect. */
export function ignoredNotice(ignored: readonly string[]): Html | false {
  if (ignored.length === 0) return false;
  return html`<p class="notice" role="note"><strong>Ignored:</strong> ${ignored.map((name, place) => html`${place > 0 && ', '}<code><bdi>${name}</bdi></code>`)}. This page does not know ${ignored.length === 1 ? 'this parameter' : 'these parameters'}; nothing was narrowed by ${ignored.length === 1 ? 'it' : 'them'}.</p>`;
}
