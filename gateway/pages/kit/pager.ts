import { type Html, html } from '../html.ts';
import type { Pagination } from '../reads.ts';
import { addressWith } from './address.ts';
import { count } from './words.ts';

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
