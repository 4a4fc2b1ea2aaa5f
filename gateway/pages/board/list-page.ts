import { type PageId, pageOf } from '../../../contract/interfaces/pages.ts';
import type { Operation, OperationOutput } from '../../../contract/operation.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { addressWith, apiCall, givenOf } from '../kit/address.ts';
import { hiddenFields } from '../kit/form.ts';
import { chips, choices, pager } from '../kit/list-controls.ts';
import { type Card, cards, livePart } from '../kit/parts.ts';
import { count, several } from '../kit/words.ts';
import type { Page, PageContent, PageRequest } from '../page.ts';
import { type Answered, FailedRead, type ReadMeta } from '../reads.ts';
import { line, subjectName } from '../words/names.ts';

/** What narrows a list; its name is the parameter of the read and of the address. */
interface Filter<Read extends Operation> {
  name: string;
  /** For people. */
  title: string;
  /** The values it can have, in words: each is a link. Without them the filter is set by links of other pages. */
  words?: Readonly<Record<string, string>>;
  /** The value that the read takes where none is asked for; such a list never shows all values together. */
  first?: string;
  /** How many there are of each value in all, shown where nothing else narrows the list. */
  counts?: (data: OperationOutput<Read>) => Readonly<Record<string, number>>;
  /** What the value is called where it is applied; the value itself if left out. */
  called?: (value: string) => Html | string;
}

/** How the entries of a list look: a card for each, or all of them in a form of their own. */
type Looks<Item> =
  | { card: (item: Item, request: PageRequest) => Card | Promise<Card>; shown?: never }
  | { card?: never; shown: (items: readonly Item[], request: PageRequest) => Html };

/** A list of what agents wrote, kept up to date by the feed of the board. A page of it is one value of this type. */
type ListSurface<Read extends Operation, Item> = Looks<Item> & {
  id: PageId;
  /** What it is and what it is not, for people. */
  about: Html | string;
  read: Read;
  items: (data: OperationOutput<Read>) => readonly Item[];
  /** Feeds that tell of new entries. */
  feeds?: PageContent['feeds'];
  /** One entry and several of them, as in "1 finding", "2 findings". */
  entries: readonly [one: string, more: string];
  /** The order of the list in words, unless the newest come first. */
  order?: string;
  filters: readonly Filter<Read>[];
  /** Says what words are searched in; without it the list has no search. */
  searches?: string;
  /** Said where nothing was ever written. */
  none: string;
  /** What stands between the introduction and the list, from reads of its own. */
  before?: (request: PageRequest) => Promise<Html>;
  /** What stands below the list, from the answer that holds it. */
  after?: (data: OperationOutput<Read>, request: PageRequest) => Html;
};

const PAGE_SIZE = 15;
/** As many filters with values of their own are folded. */
const FOLDED_FROM = 3;

export function listPage<const Read extends Operation, Item>(surface: ListSurface<Read, Item>): Page {
  const { id, read, about, before, filters, searches, feeds } = surface;
  const { title, path } = pageOf(id);
  const names = [...filters.map(({ name }) => name), ...(searches === undefined ? [] : ['q'])];
  return {
    id,
    async respond(request) {
      const { query, reads, now } = request;
      const asked = givenOf(query, names) as Record<string, string>;
      const given = { ...asked, limit: PAGE_SIZE, offset: placeOf(query.get('page'), PAGE_SIZE).offset };
      const [answer, beside] = await Promise.all([reads.attempt(read, given), before?.(request)]);
      const failed = answer instanceof FailedRead;
      return {
        title,
        ...(failed ? failureOf(answer) : {}),
        main: html`<p>${about}</p>
${beside}
${filterChoices(surface.filters, path, new URLSearchParams(asked), failed ? null : answer.data)}
${searches !== undefined && searchForm(path, asked, searches)}
${applied(surface.filters, path, new URLSearchParams(asked))}
${failed ? listSection(title, failedPart('The list', answer)) : livePart(null, now, listSection(heading(surface, answer), await listed(surface, answer, request, new URLSearchParams(asked))))}
${!failed && surface.after?.(answer.data, request)}`,
        ...(feeds === undefined ? {} : { feeds }),
        ...(failed ? {} : { live: true as const }),
        calls: [apiCall(read, { ...given, offset: given.offset === '0' ? undefined : given.offset })],
      };
    },
  };
}

export function listSection(title: string, content: Html): Html {
  return html`<section id="part-list" aria-labelledby="list"><h2 id="list">${title}</h2>
${content}
</section>`;
}

/** A page by its number and the rows to skip for it; what is no such number is left to the read to refuse. */
export function placeOf(asked: string | null, pageSize: number): { page: number; offset: string } {
  if (asked === null || asked === '') return { page: 1, offset: '0' };
  if (!/^[1-9]\d{0,5}$/.test(asked)) return { page: 1, offset: `page ${asked}` };
  return { page: Number(asked), offset: String((Number(asked) - 1) * pageSize) };
}

export function heading({ entries }: { entries: readonly [string, string] }, { meta }: Answered<unknown>): string {
  const total = meta.pagination?.total ?? null;
  return total === null ? `Many ${entries[1]}` : several(total, ...entries);
}

async function listed<Read extends Operation, Item>(
  surface: ListSurface<Read, Item>,
  { data, meta }: Answered<OperationOutput<Read>>,
  request: PageRequest,
  asked: URLSearchParams,
): Promise<Html> {
  const { path } = pageOf(surface.id);
  const items = surface.items(data);
  const { offset = 0 } = meta.pagination ?? {};
  const paging = pagingOf(meta, PAGE_SIZE);
  const of = paging.totalItems === undefined ? '' : ` of ${count(paging.totalItems)}`;
  if (items.length === 0 && offset === 0) {
    return asked.size === 0
      ? html`<p>${surface.none}</p>`
      : html`<p>Nothing matches. <a href="${path}">Show all</a>.</p>`;
  }
  const shown =
    surface.card === undefined
      ? surface.shown(items, request)
      : cards(await Promise.all(items.map((item) => surface.card(item, request))));
  return html`${shown}
${pager({
  path,
  query: asked,
  paging,
  shown:
    items.length === 0
      ? 'This page is beyond the end of the list.'
      : `${count(offset + 1)} to ${count(offset + items.length)}${of}, ${surface.order ?? 'newest first'}`,
})}`;
}

/** A list of the board counts rows; its pages are numbered. */
export function pagingOf({ pagination }: ReadMeta, pageSize: number) {
  const { offset = 0, limit = pageSize, total, hasMore = false } = pagination ?? {};
  const page = Math.floor(offset / limit) + 1;
  return { page, pageSize: limit, hasMore, ...(typeof total === 'number' && { totalItems: total }) };
}

/** The values of each filter as links, so that a choice needs one press and no script; folded where there are many. */
function filterChoices<Read extends Operation>(
  filters: readonly Filter<Read>[],
  path: string,
  asked: URLSearchParams,
  data: OperationOutput<Read> | null,
): Html | Html[] {
  const lists = filters.flatMap((filter) => (filter.words === undefined ? [] : [choiceOf(filter, path, asked, data)]));
  if (lists.length < FOLDED_FROM) return lists;
  const isNarrowed = filters.some(({ name, words }) => words !== undefined && asked.has(name));
  return html`<details${isNarrowed && html` open`}><summary>Narrow the list</summary>
${lists}</details>`;
}

function choiceOf<Read extends Operation>(
  { name, title, words = {}, first, counts }: Filter<Read>,
  path: string,
  asked: URLSearchParams,
  data: OperationOutput<Read> | null,
): Html {
  const chosen = asked.get(name) ?? '';
  const isAlone = [...asked.keys()].every((one) => one === name);
  const held = data !== null && isAlone ? counts?.(data) : undefined;
  const all = ['', first === undefined ? 'all' : words[first]] as const;
  const items = [all, ...Object.entries(words).filter(([value]) => value !== first)].map(([value, shown]) => ({
    title: html`${shown}${held?.[value] !== undefined && ` (${count(held[value])})`}`,
    href: addressWith(path, asked, { [name]: value }),
    chosen: value === chosen,
  }));
  return choices(title, items, html`<span>${title}</span>\n`);
}

function searchForm(path: string, { q, ...others }: Record<string, string>, searches: string): Html {
  return html`<form class="fields" action="${path}" method="get" role="search">
<div><label for="q">Words</label>
<input id="q" name="q" type="search" value="${q}" aria-describedby="q-hint">
<p class="hint" id="q-hint">${searches}</p></div>
${hiddenFields(Object.entries(others))}
<div><button type="submit">Search</button></div>
</form>`;
}

function failureOf({
  status,
  error: { retryAfterSeconds },
}: FailedRead): Pick<PageContent, 'status' | 'retryAfterSeconds'> {
  return { status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

/** Filters that links of other pages set. */

export const onWork = [
  { name: 'objectiveId', title: 'objective', called: (id: string) => subjectName('objective', id) },
  { name: 'questionId', title: 'question', called: (id: string) => subjectName('question', id) },
] as const;

/** Any of its ids is named; they stand in one value. */
export const byTrial = {
  name: 'trialId',
  title: 'what names',
  called: (ids: string) => line(ids.replaceAll(',', ' or ')),
} as const;

export const byAgent = { name: 'agentName', title: 'agent' } as const;

interface SetByLinks {
  name: string;
  title: string;
  /** Its values are links of the page itself, which show the one that holds. */
  words?: Readonly<Record<string, string>>;
  called?: (value: string) => Html | string;
}

/** Filters that are set by links of other pages, each with a link that removes it. */
export function applied(filters: readonly SetByLinks[], path: string, asked: URLSearchParams): Html | false {
  return chips(
    'Only',
    filters.flatMap(({ name, title, words, called = line }) => {
      const value = asked.get(name);
      if (value === null || words !== undefined) return [];
      return [{ title: html`${title} ${called(value)}`, removeHref: addressWith(path, asked, { [name]: '' }) }];
    }),
  );
}
