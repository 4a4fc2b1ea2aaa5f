import { DOORS } from '../../../contract/doors.ts';
import type { ChartName } from '../../../contract/take-away.ts';
import { type Html, html } from '../html.ts';

export interface TakeAwayItem {
  title: string;
  href: string;
  /** What is in it, for whom, in a few words. */
  hint: string;
}

/** Downloads and feeds of what a page shows; the last block before the calls of the API. */
export function takeAway(items: readonly TakeAwayItem[]): Html {
  return html`<section class="take-away" aria-labelledby="take-away">
<h2 id="take-away">Take away</h2>
<ul>${items.map(({ title, href, hint }) => html`<li><a href="${href}">${title}</a> <span class="hint">${hint}</span></li>`)}</ul>
</section>`;
}

/** A chart with an address of its own, for these filters; `what` says what its bars are. */
export function chartFiles(name: ChartName, what: string, filters: Record<string, string> = {}): TakeAwayItem[] {
  const query = new URLSearchParams(filters);
  const address = (ending: string): string => `/charts/${name}.${ending}${query.size === 0 ? '' : `?${query}`}`;
  return [
    { title: `${what} as SVG`, href: address('svg'), hint: 'a picture with its source' },
    { title: `${what} as CSV`, href: address('csv'), hint: 'the numbers, with snapshot, query and licence' },
    { title: `${what} to embed`, href: address('html'), hint: 'a page of the picture alone, to stand in another' },
  ];
}

/** Those that this service has. */
export function served(items: readonly TakeAwayItem[]): TakeAwayItem[] {
  return items.filter(({ href }) => DOORS.some(({ path }) => path === href.split('?')[0]));
}
