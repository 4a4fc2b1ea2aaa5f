import { type Html, html } from '../html.ts';

/** A link of a pager: its words and its address. */
type Turn = readonly [words: string, address: string];

/** Links from one part of a list back to its beginning and on to its next part; nothing if there is neither. */
export function turning(
  of: string,
  back: Turn | false,
  next: Turn | false,
  shown: string | false = false,
): Html | false {
  return (
    (back || next) &&
    html`<nav aria-label="Pages of ${of}"><ul class="pager">
${shown && html`<li>${shown}</li>`}
${back && html`<li><a href="${back[1]}">${back[0]}</a></li>`}
${next && html`<li><a rel="next" href="${next[1]}">${next[0]}</a></li>`}
</ul></nav>`
  );
}
