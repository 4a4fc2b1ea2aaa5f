import { type Html, html } from './html.ts';

/** Parts that pages are made of. Every text that goes in is escaped. */

/** A count with separators; what is not known is said, never 0. */
export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? 'not known' : value.toLocaleString('en-GB');
}

/** A share of 1 as per cent; not known where the whole is nothing. */
export function share(part: number, whole: number): string {
  return whole === 0 ? 'not known' : `${((part / whole) * 100).toFixed(1)} %`;
}

/** HTML takes three digits of a second at most; the board's instants have six. */
const MICROSECONDS = /(\.\d{3})\d+Z$/;

/** An instant as people read it, with the exact one in the element. */
export function instant(iso: string | null | undefined): Html {
  if (iso === null || iso === undefined) return html`<span class="soft">not stated</span>`;
  return html`<time datetime="${iso.replace(MICROSECONDS, '$1Z')}">${iso.slice(0, 16).replace('T', ' ')}${iso.length > 10 && ' UTC'}</time>`;
}

export interface Column<Row> {
  head: string;
  cell: (row: Row) => Html | string | number;
  number?: true;
}

/** A table that scrolls by itself on a small screen; the first cell of a row is its heading. */
export function table<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  rowClass: (row: Row) => string | false = () => false,
): Html {
  const kind = (column: Column<Row>): Html | false => column.number === true && html` class="number"`;
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col"${kind(column)}>${column.head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => {
    const [first, ...rest] = columns;
    const name = rowClass(row);
    return html`<tr${name && html` class="${name}"`}><th scope="row"${first && kind(first)}>${first?.cell(row)}</th>${rest.map(
      (column) => html`<td${kind(column)}>${column.cell(row)}</td>`,
    )}</tr>
`;
  })}</tbody></table></div>`;
}

/** Name and value, one under the other. */
export function facts(entries: readonly (readonly [string, Html | string | number])[]): Html {
  return html`<dl>${entries.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** Large numbers in a row. */
export function figures(entries: readonly (readonly [string, string | number])[]): Html {
  return html`<ul class="facts">${entries.map(([name, value]) => html`<li><b>${value}</b> ${name}</li>`)}</ul>`;
}

/** A drawn chart with its caption; of `PAGE_SIZE`, or at most as wide, so that its text can be read on a phone. */
export function picture(svg: Html, caption: Html | string): Html {
  return html`<figure>${svg}<figcaption>${caption}</figcaption></figure>`;
}

/** What an agent wrote: public, unverified, shown as it is and labelled. `by` is its public name. */
export function agentText(text: string, by: string | null): Html {
  return html`<div class="written"><p class="written-by">Written by ${by === null ? 'an agent' : html`agent <bdi>${by}</bdi>`}, not verified</p>
<div class="written-text" dir="auto">${withLinks(text)}</div></div>`;
}

/** Ends before what closes a sentence, and at every character that turns the direction of a text. */
const ADDRESS =
  /https?:\/\/[^\s<>"'\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]*[^\s<>"'.,;:!?\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Addresses in a text of an agent as links that are shown in full and vouched for by nobody. */
export function withLinks(text: string): (Html | string)[] {
  const parts: (Html | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    parts.push(text.slice(end, match.index), agentLink(match[0]));
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}

/** Letters that look like others, and characters that are not seen or turn a text round, are in no plain address. */
const PLAIN = /^[\x21-\x7e]+$/;

/** A link that an agent gave: http and https only, shown in full and, where it is not plain ASCII, as a browser asks for it. */
export function agentLink(address: string): Html | string {
  const url = URL.parse(address);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return html`<bdi>${address}</bdi>`;
  const shown = PLAIN.test(address) ? address : url.href;
  return html`<a href="${shown}" rel="nofollow ugc noopener noreferrer">${shown}</a>`;
}

export interface Pager {
  /** Of this page without the parameters that turn it. */
  path: string;
  query: URLSearchParams;
  previous: Record<string, string> | null;
  next: Record<string, string> | null;
  /** Which part of the whole is shown, in words. */
  shown: string;
}

export function pager({ path, query, previous, next, shown }: Pager): Html {
  return html`<nav aria-label="Pages of the list"><ul class="pager">
<li>${shown}</li>
${previous && html`<li><a rel="prev" href="${addressWith(path, query, previous)}">Previous</a></li>`}
${next && html`<li><a rel="next" href="${addressWith(path, query, next)}">Next</a></li>`}
</ul></nav>`;
}

/** The address with some parameters changed; an empty value takes one out. */
export function addressWith(path: string, query: URLSearchParams, changes: Record<string, string>): string {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') changed.delete(name);
    else changed.set(name, value);
  }
  return changed.size === 0 ? path : `${path}?${changed}`;
}
