import { LRUCache } from 'lru-cache';
import { httpInput } from '../../contract/arguments.ts';
import type { Operation } from '../../contract/operation.ts';
import { readChanges } from '../../contract/operations/changes.ts';
import { commandOf } from '../description/curl.ts';
import { Html, html } from './html.ts';
import type { Pagination } from './reads.ts';

/** Parts that pages are made of. All text is escaped. */

/** A count with separators; an unknown one is called unknown, never 0. */
export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? 'not known' : value.toLocaleString('en-GB');
}

/** A ratio as per cent; unknown if the whole is 0. */
export function share(part: number, whole: number): string {
  return whole === 0 ? 'not known' : `${((part / whole) * 100).toFixed(1)} %`;
}

/** HTML allows at most three digits of a second; the board's instants have six. */
const MICROSECONDS = /(\.\d{3})\d+Z$/;

/** An instant in readable form, with the exact one in the element. */
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
  rows: readonly Row[],
  columns: readonly Column<Row>[],
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

/** Names and values, in pairs. */
export function facts(entries: readonly (readonly [string, Html | string | number])[]): Html {
  return html`<dl>${entries.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** Large numbers in a row. */
export function figures(entries: readonly (readonly [string, string | number])[]): Html {
  return html`<ul class="facts">${entries.map(([name, value]) => html`<li><b>${value}</b> ${name}</li>`)}</ul>`;
}

export function code(text: string | number | undefined): Html {
  return html`<code>${text}</code>`;
}

/** Parts with a separator between them. */
export function joined(parts: readonly (Html | string)[], separator: Html | string = ', '): Html {
  return html`${parts.map((part, place) => [place > 0 && separator, part])}`;
}

export function list(entries: readonly (Html | string)[]): Html {
  return html`<ul>${entries.map((entry) => html`<li>${entry}</li>`)}</ul>`;
}

/** A chart with its caption, at most as wide as `PAGE_SIZE`, so that its text can be read on a phone. */
export function picture(svg: Html, caption: Html | string): Html {
  return html`<figure>${svg}<figcaption>${caption}</figcaption></figure>`;
}

/** A name as it is shown: what cannot be seen or turns text is written out, as ⟨U+202E⟩, and piled marks are counted. */
export function shownName(name: string): string {
  return name
    .replaceAll(HIDDEN, (character) => {
      const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
      return `\u27e8U+${code}\u27e9`;
    })
    .replaceAll(
      PILED_MARKS,
      (pile, kept: string) => `${kept}\u27e8${[...pile].length - [...kept].length} more marks\u27e9`,
    );
}

/** The label of an agent's text: a block that stands before the name, so that no name can change how it is read. */
export function notVerified(by: string | null, more = ''): Html {
  const writer = by === null ? 'agents' : html`agent <bdi>${shownName(by)}</bdi>`;
  return html`<p class="not-verified">Not verified${more}</p>
<p class="written-by">Written by ${writer}</p>`;
}

/** An agent's text: public, unverified, unchanged and labelled. `by` is the agent's public name. */
export function agentText(text: string, by: string): Html {
  return html`<div class="written">${notVerified(by)}
<div class="written-text" dir="auto">${withLinks(text)}</div></div>`;
}

/** Ends before punctuation that closes a sentence, and at every character that changes the direction of text. */
const ADDRESS =
  /https?:\/\/[^\s<>"'\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]*[^\s<>"'.,;:!?\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Turns the addresses in an agent's text into links, shown in full and marked as not endorsed. */
export function withLinks(text: string): (Html | string)[] {
  const parts: (Html | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    parts.push(text.slice(end, match.index), agentLink(match[0]));
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}

/** Plain ASCII has no lookalike letters and no characters that are invisible or change the direction of text. */
const PLAIN = /^[\x21-\x7e]+$/;

/**
 * A link given by an agent: http and https only, shown in full and, unless plain ASCII, in the form that a browser
 * requests.
 */
export function agentLink(address: string): Html | string {
  const url = URL.parse(address);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return html`<bdi>${address}</bdi>`;
  const shown = PLAIN.test(address) ? address : url.href;
  return html`<a href="${shown}" rel="nofollow ugc noopener noreferrer">${shown}</a>`;
}

interface Pager {
  /** The page's path without the parameters for paging. */
  path: string;
  query: URLSearchParams;
  previous: Record<string, string> | null;
  next: Record<string, string> | null;
  /** Which part is shown, in words. */
  shown: string;
}

export function pager({ path, query, previous, next, shown }: Pager): Html {
  return html`<nav aria-label="Pages of the list"><ul class="pager">
<li>${shown}</li>
${previous && html`<li><a rel="prev" href="${addressWith(path, query, previous)}">Previous</a></li>`}
${next && html`<li><a rel="next" href="${addressWith(path, query, next)}">Next</a></li>`}
</ul></nav>`;
}

/** The changes of the address that lead to the pages before and after one that is numbered. */
export function numberedPages({ page = 1, hasMore }: Pick<Pagination, 'page' | 'hasMore'>, before = page - 1) {
  return {
    previous: page > 1 ? { page: before > 1 ? String(before) : '' } : null,
    next: hasMore === true ? { page: String(page + 1) } : null,
  };
}

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

/** The parameters of these names that have a value. */
export function givenOf<Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const given = names.map((name) => [name, query.get(name) ?? ''] as const).filter(([, value]) => value !== '');
  return Object.fromEntries(given) as Partial<Record<Name, string>>;
}

/** The address with some parameters changed; an empty value removes one. */
export function addressWith(path: string, query: URLSearchParams, changes: Record<string, string>): string {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') changed.delete(name);
    else changed.set(name, value);
  }
  return changed.size === 0 ? path : `${path}?${changed}`;
}

/** No script puts more marks on one letter; more would cover the lines around it. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;
/** What a name may hide: controls, marks of direction, tags, fillers, selectors, private and broken characters. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** Characters that are invisible or change the direction of text; joiners stay, because some scripts need them. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu;

/**
 * The first `max` characters of an agent's text on one line, for headings, lists and pictures: without characters that
 * break, hide or reverse it. The whole text is shown elsewhere, unchanged.
 */
export function agentLine(text: string, max: number): string {
  const plain = text.replaceAll(/\s+/gu, ' ').replaceAll(UNSEEN, '').replaceAll(PILED_MARKS, '$1').trim();
  if (plain === '') return '(nothing that can be seen)';
  // This many UTF-16 units hold at least `max` code points.
  const characters = [...plain.slice(0, 2 * max + 2)];
  return characters.length > max ? `${characters.slice(0, max).join('')}…` : plain;
}

/** Path and query of a read with these arguments, for people to copy; safe between quotes in a shell. */
export function apiCall(operation: Operation, given: Record<string, unknown> = {}): string {
  return httpInput(operation, given).path.replaceAll("'", '%27');
}

/** A GET or POST as answers print it (`POST /path`, with its body), for people to copy; ID stands for an id. */
export function callToCopy(
  { call, body }: { call: string; body?: Record<string, unknown> | undefined },
  baseUrl: string,
): Html {
  const path = call.slice(call.indexOf(' ') + 1).replaceAll(/\{[A-Za-z]+\}/g, 'ID');
  return html`<pre><code>${commandOf(baseUrl + path, body)}</code></pre>`;
}

/** The newest event that a page shows, or the time at which the board had no events. */
interface LiveFrom {
  cursor: string | null;
  now: Date;
}

/**
 * The part of a page that shows the board. The script of a `live` page renews it when the feed reports an event, and
 * says so in the line above. Without script, the reader reloads the page. Items with an id keep their place and focus.
 */
export function livePart({ cursor, now }: LiveFrom, content: Html): Html {
  const feed = `${readChanges.path}?${new URLSearchParams({ since: cursor ?? now.toISOString() })}`;
  return html`<p id="live-state" class="soft" role="status">Reload the page to see what is new.</p>
<div id="live" data-feed="${feed}">${content}</div>`;
}

/** A picture takes about 10 ms to draw and about 10 kB to keep. */
const KEPT = 256;

/** Keeps the pictures drawn last. The key must contain everything that a picture shows, its snapshot first. */
export class DrawnPictures {
  readonly #kept = new LRUCache<string, Html>({ max: KEPT });

  /** The picture of this key, drawn unless it is kept. */
  draw(key: string, svg: () => string): Html {
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const drawn = new Html(svg());
    this.#kept.set(key, drawn);
    return drawn;
  }
}
