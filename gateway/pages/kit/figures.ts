import { type Html, html } from '../html.ts';

/** Large numbers in a row. */
export function figures(entries: readonly (readonly [string, string | number])[]): Html {
  return html`<ul class="facts">${entries.map(([name, value]) => html`<li><b>${value}</b> ${name}</li>`)}</ul>`;
}
