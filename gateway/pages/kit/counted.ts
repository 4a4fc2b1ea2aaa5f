import { type Html, html } from '../html.ts';
import { count } from './words.ts';

/** A number that leads to the list of exactly so many; without an address it has no list. Null reads "not known". */
export function counted(value: number | null, href: string | null): Html {
  if (value === null || href === null) return html`<span class="count">${count(value)}</span>`;
  return html`<a class="count" href="${href}">${count(value)}</a>`;
}
