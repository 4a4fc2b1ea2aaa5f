import { type Html, html } from '../html.ts';
import type { Pagination } from '../reads.ts';
import { addressWith } from './address.ts';
import { counted } from './parts.ts';
import { count } from './words.ts';

/** How readers narrow a list and turn its pages: by links, so that a choice needs one press and no script. */

export interface FacetValue {
  title: string;
  /** How many trials are found with this value; null if that was not counted. */
  trials: number | null;
  /** Address with this value applied, or taken away where it is applied; null if it leads nowhere. */
  href: string | null;
  applied: boolean;
}

interface Facet {
  title: string;
  values: readonly FacetValue[];
  /** Where the values are that are not shown. */
  more?: { title: string; href: string };
  note?: Html | string;
  /** Closed shows the title alone until it is asked for; a facet with an applied value is open. */
  closed?: boolean;
}

/** Values that narrow a list, each with the number that is found with it. */
export function facet({ title, values, more, note, closed = false }: Facet): Html {
  const isOpen = !closed || values.some(({ applied }) => applied);
  return html`<details class="facet"${isOpen && html` open`}>
<summary>${title}</summary>
<ul>${values.map(valueLine)}${more && html`<li><a href="${more.href}">${more.title}</a></li>`}</ul>
${note && html`<p class="hint">${note}</p>`}
</details>`;
}

function valueLine({ title, trials, href, applied }: FacetValue): Html {
  if (applied)
    return html`<li class="applied"><span><strong>${title}</strong>${href !== null && html` <a class="remove" href="${href}">Remove<span class="unseen"> ${title}</span></a>`}</span><span class="count">${count(trials)}</span></li>`;
  if (href === null) return html`<li><span>${title}</span>${counted(trials, null)}</li>`;
  // One link for both, so that the number too leads to its list.
  return html`<li><a href="${href}"><span>${title}</span> <span class="count">${count(trials)}</span></a></li>`;
}

/** What is applied, each with a link to the address without it; nothing if there is none. */
export function chips(label: string, items: readonly { title: Html | string; removeHref: string }[]): Html | false {
  return (
    items.length > 0 &&
    html`<div class="applied-chips"><span>${label}</span><ul class="chips">${items.map(
      ({ title, removeHref }) =>
        html`<li><a href="${removeHref}"><span class="unseen">Remove </span>${title} <span aria-hidden="true">×</span></a></li>`,
    )}</ul></div>`
  );
}

interface Choice {
  title: Html | string | undefined;
  href: string;
  /** Whether it is the one that the page shows. */
  chosen: boolean;
}

/** Several ways to show a page, one of them chosen; `label` is for those who hear the links. */
export function choices(label: string, items: readonly Choice[], title: Html | false = false): Html {
  return html`<nav${title && html` class="choices"`} aria-label="${label}">${title}<ul class="chips">${items.map(
    ({ title, href, chosen }) => html`<li><a href="${href}"${chosen && html` aria-current="true"`}>${title}</a></li>`,
  )}</ul></nav>`;
}

interface Pager {
  /** The page's path without the parameters for paging. */
  path: string;
  query: URLSearchParams;
  paging: Pick<Pagination, 'page' | 'pageSize' | 'totalItems' | 'hasMore'>;
  /** Which part is shown, in words. */
  shown: Html | string;
  /** The part of the page to which a link leads, such as `#research`. */
  fragment?: string;
}

/** Pages on each side of the one that is shown; at an end as many in all. */
const BESIDE = 1;

/** Links to the pages of a list by number: the first, the last, and those around the one that is shown. */
export function pager({ path, query, paging, shown, fragment = '' }: Pager): Html {
  const { page = 1, pageSize = 1, totalItems, hasMore } = paging;
  const last =
    totalItems === undefined ? (hasMore === true ? page + 1 : page) : Math.max(1, Math.ceil(totalItems / pageSize));
  const address = (number: number) => addressWith(path, query, { page: number === 1 ? '' : String(number) }) + fragment;
  const numbers = numbersAround(Math.min(page, last), last);
  return html`<nav class="pager" aria-label="Pages of the list">
<p>${shown}</p>
${
  last > 1 &&
  html`<ul>
${page > 1 && html`<li><a rel="prev" href="${address(Math.min(page - 1, last))}">Previous</a></li>`}
${numbers.map((number, place) => [
  place > 0 && number > numbers[place - 1]! + 1 && html`<li aria-hidden="true">…</li>`,
  html`<li><a href="${address(number)}" aria-label="Page ${count(number)}"${number === page && html` aria-current="page"`}>${count(number)}</a></li>`,
])}
${page < last && html`<li><a rel="next" href="${address(page + 1)}">Next</a></li>`}
</ul>`
}
</nav>`;
}

/** A gap that one page would fill is filled; the first and the last page are reached from everywhere. */
function numbersAround(page: number, last: number): number[] {
  const start = Math.max(1, Math.min(page - BESIDE, last - 2 * BESIDE));
  const around = Array.from({ length: 2 * BESIDE + 1 }, (_, place) => start + place);
  const wanted = [1, last, ...around, ...(start === 3 ? [2] : []), ...(around.at(-1) === last - 2 ? [last - 1] : [])];
  return [...new Set(wanted)].filter((number) => number >= 1 && number <= last).sort((a, b) => a - b);
}

/** A link of a list by cursor: its words and its address. */
type Turn = readonly [words: string, address: string];

interface Stretch {
  /** Entries before the first that is shown. */
  offset: number;
  shown: number;
  total: number;
}

/** Links of a list within a page, which begins at the parameter `<name>Offset` of its address and has `name` as its id. */
export function turningByOffset(
  path: string,
  query: URLSearchParams,
  name: string,
  { offset, shown, total }: Stretch,
): Html | false {
  const end = offset + shown;
  const at = (place: string) => `${addressWith(path, query, { [`${name}Offset`]: place })}#${name}`;
  const which =
    shown === 0 ? `None from ${count(offset + 1)} on` : `${count(offset + 1)} to ${count(end)} of ${count(total)}`;
  return turning(
    `the ${name}`,
    offset > 0 && ['From the first', at('')],
    end < total && shown > 0 && ['Next', at(String(end))],
    `${which}, oldest first`,
  );
}

/** Links from one part of a list back to its beginning and on to its next part; nothing if there is neither. */
export function turning(of: string, back: Turn | false, next: Turn | false, shown: string): Html | false {
  return (
    (back || next) &&
    html`<nav aria-label="Pages of ${of}"><ul class="pager">
<li>${shown}</li>
${back && html`<li><a href="${back[1]}">${back[0]}</a></li>`}
${next && html`<li><a rel="next" href="${next[1]}">${next[0]}</a></li>`}
</ul></nav>`
  );
}
