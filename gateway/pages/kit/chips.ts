import { type Html, html } from '../html.ts';

interface Chip {
  title: Html | string;
  /** The address without it. */
  removeHref: string;
}

/** What is applied, each with a link that takes it away; nothing if there is none. */
export function chips(label: string, items: readonly Chip[]): Html | false {
  return (
    items.length > 0 &&
    html`<div class="applied-chips"><span>${label}</span><ul class="chips">${items.map(
      ({ title, removeHref }) =>
        html`<li><a href="${removeHref}"><span class="unseen">Remove </span>${title} <span aria-hidden="true">×</span></a></li>`,
    )}</ul></div>`
  );
}
