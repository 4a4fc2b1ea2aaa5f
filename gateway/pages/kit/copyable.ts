import { type Html, html } from '../html.ts';

/** Letters of an id that are shown before it is cut. */
const SHOWN_LETTERS = 12;

/** Code on one line with a button that copies it; the button appears only where scripts run. */
export function copyable(text: string): Html {
  return html`<code data-copy="${text}">${text}</code>`;
}

/** A command in a block of its own, with a button that copies it. */
export function command(text: string): Html {
  return html`<pre data-copy-block><code>${text}</code></pre>`;
}

/** A long id or hash, shortened; the whole is in its title and is what is copied. */
export function shortId(id: string): Html {
  if (id.length <= SHOWN_LETTERS + 1) return copyable(id);
  return html`<code class="short-id" title="${id}" data-copy="${id}">${id.slice(0, SHOWN_LETTERS)}…</code>`;
}
