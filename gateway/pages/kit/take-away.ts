import { DOORS } from '../../../contract/doors.ts';
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

/** Those that this service has. */
export function served(items: readonly TakeAwayItem[]): TakeAwayItem[] {
  return items.filter(({ href }) => DOORS.some(({ path }) => path === href.split('?')[0]));
}
