import { readChanges } from '../../../contract/operations/board/changes.ts';
import { type Html, html, type Part } from '../html.ts';
import { count } from './words.ts';

/** The parts that pages are made of. */

/** A part of a page under its heading, to which `#id` leads. */
export function section(id: string, title: Html | string, content: Part): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${content}</section>`;
}

/** What is shown only when it is asked for, because it is long or for few. */
export function folded(summary: Html | string, content: Part, isOpen = false): Html {
  return html`<details${isOpen && html` open`}><summary>${summary}</summary>
${content}</details>`;
}

/** A name with its value, or nothing. */
export type Entry = readonly [name: Html | string, value: Html | string | number | null] | false;

/** Names and values, in pairs, each value beside its name or `stacked` below it; null reads "not stated", so that a gap is never mistaken for a value. */
export function record(entries: readonly Entry[], look?: 'stacked'): Html {
  return html`<dl${look && html` class="${look}"`}>${entries.map(
    (entry) =>
      entry && html`<div><dt>${entry[0]}</dt><dd>${entry[1] ?? html`<span class="soft">not stated</span>`}</dd></div>`,
  )}</dl>`;
}

/** Large numbers in a row. */
export function figures(entries: readonly (readonly [name: string, value: Html | string | number])[]): Html {
  return html`<ul class="facts">${entries.map(([name, value]) => html`<li><b>${value}</b> ${name}</li>`)}</ul>`;
}

/** A number that leads to the list of exactly so many; without an address it has no list. Null reads "not known". */
export function counted(value: number | null, href: string | null): Html {
  if (value === null || href === null) return html`<span class="count">${count(value)}</span>`;
  return html`<a class="count" href="${href}">${count(value)}</a>`;
}

/** A column by its heading and its cells; a number is aligned by its digits, and an address sorts by the column. */
export type Column<Row> = readonly [
  head: string,
  cell: (row: Row) => Html | string | number,
  kind?: 'number' | 'text',
  sorted?: string | null,
];

/** A table of so few columns fits a phone as it is. */
const FITS_COLUMNS = 2;
const FITS_COLUMNS_OF_NUMBERS = 3;

/**
 * A table whose first cell of a row is the heading of the row. On a phone each row is a card, in which the heading of
 * the column stands before its value. The roles are written out because a browser drops them from a table that is not
 * laid out as one.
 */
export function table<Row>(
  caption: Html | string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  rowClass: (row: Row) => string | false = () => false,
): Html {
  const classOf = ([, , kind]: Column<Row>): Html | false => kind === 'number' && html` class="number"`;
  const numbers = columns.slice(1).filter(([, , kind]) => kind === 'number').length;
  const fits =
    columns.length <= FITS_COLUMNS || (columns.length <= FITS_COLUMNS_OF_NUMBERS && numbers === columns.length - 1);
  const [first, ...rest] = columns;
  return html`<table role="table" class="${fits ? 'fits' : 'stacks'}">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map((column) => html`<th scope="col" role="columnheader"${classOf(column)}>${column[3] ? html`<a href="${column[3]}">${column[0]}</a>` : column[0]}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => {
    const name = rowClass(row);
    return html`<tr role="row"${name && html` class="${name}"`}><th scope="row" role="rowheader"${first && classOf(first)}>${first?.[1](row)}</th>${rest.map(
      (column) => html`<td role="cell" data-label="${column[0]}"${classOf(column)}>${column[1](row)}</td>`,
    )}</tr>
`;
  })}</tbody></table>`;
}

export interface Card {
  /** Keeps its place and focus when a live page renews itself. */
  id?: string;
  title: Html | string;
  href: string;
  /** What is said below the title, a line each. */
  lines: readonly (Html | string)[];
  /** Short states that stand beside the title, such as "Recruiting". */
  tags?: readonly string[];
}

/** Entries of a list, each with a title that leads to its page. */
export function cards(items: readonly Card[]): Html {
  return html`<ul class="cards">${items.map(cardItem)}</ul>`;
}

/** One entry, for a list that has entries of other forms too. */
export function cardItem({ id, title, href, lines, tags = [] }: Card): Html {
  return html`<li${id !== undefined && html` id="${id}"`}>
<h3><a href="${href}">${title}</a></h3>
${tags.length > 0 && html`<p class="tags">${tags.map((tag) => html`${tagged(tag)} `)}</p>`}
${lines.map((line) => html`<p>${line}</p>`)}
</li>
`;
}

/** A short state of something. */
export function tagged(words: string): Html {
  return html`<span class="tag">${words}</span>`;
}

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

/** Code on one line with a button that copies it; the button appears only where scripts run. */
export function copyable(text: string): Html {
  return html`<code data-copy="${text}">${text}</code>`;
}

/** A command in a block of its own, with a button that copies it. */
export function command(text: string): Html {
  return html`<pre data-copy-block><code>${text}</code></pre>`;
}

/** Letters of an id that are shown before it is cut. */
const SHOWN_LETTERS = 12;

/** A long id or hash, shortened; the whole is in its title and is what is copied. */
export function shortId(id: string): Html {
  if (id.length <= SHOWN_LETTERS + 1) return copyable(id);
  return html`<code class="short-id" title="${id}" data-copy="${id}">${id.slice(0, SHOWN_LETTERS)}…</code>`;
}

/**
 * The part of a page that shows the board, from the newest event that it shows on, or from `now` where there is none. The
 * script of a `live` page renews it when the feed reports an event, and says so in the line above. Without script, the
 * reader reloads the page. Items with an id keep their place and focus.
 */
export function livePart(cursor: string | null, now: Date, content: Html): Html {
  const feed = `${readChanges.path}?${new URLSearchParams({ since: cursor ?? now.toISOString() })}`;
  return html`<p id="live-state" class="soft" role="status">Reload the page to see what is new.</p>
<div id="live" data-feed="${feed}">${content}</div>`;
}
