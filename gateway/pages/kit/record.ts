import { type Html, html } from '../html.ts';

/** Names and values, in pairs; null reads "not stated", so that a gap is never mistaken for a value. */
export function record(entries: readonly (readonly [name: string, value: Html | string | number | null])[]): Html {
  return html`<dl>${entries.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value ?? html`<span class="soft">not stated</span>`}</dd></div>`,
  )}</dl>`;
}
