import { httpInput } from '../../contract/interfaces/arguments.ts';
import { ANSWER_MAX_TOKENS, CHARACTERS_PER_TOKEN, FULL_ANSWER_MAX_TOKENS } from '../../contract/interfaces/view.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Envelope } from '../envelope.ts';
import type { View } from './asked-view.ts';
import { cutText } from './cut-text.ts';
import { isObject, type JsonObject, listOf, objectOf, objectsOf } from './json.ts';

/**
 * An answer over MCP or A2A that is too long for a model is cut at whole items. `_meta.cut` names what was cut, and either
 * the call that brings it or its address over REST, where no answer is cut.
 */

/** What was cut: the list at a path of the data, or a text. */
interface Cut {
  at: string;
  shown: number;
  of: number;
  unit: 'items' | 'characters';
  /** Path of the whole answer over REST, for what no further call over the door brings. */
  whole?: string;
}

interface Found {
  path: readonly (string | number)[];
  value: unknown[] | string;
  characters: number;
}

/** Room for `_meta.cut` and the call. */
const TOLD_CHARACTERS = 1_000;
const CUTS_MAX = 20;
/** A shorter text or list is not what makes an answer too long. */
const WORTH_CUTTING_CHARACTERS = 2_000;

export function withinCeiling(operation: Operation, envelope: Envelope, view: View): Envelope {
  const tokens = view.detail === 'full' ? FULL_ANSWER_MAX_TOKENS : ANSWER_MAX_TOKENS;
  const most = tokens * CHARACTERS_PER_TOKEN;
  if (JSON.stringify(envelope).length <= most) return envelope;
  const data = structuredClone(envelope.data);
  const room = most - TOLD_CHARACTERS - JSON.stringify(envelope._meta).length;
  const page = pagedList(operation, envelope);
  const cuts: Cut[] = [];
  for (let turn = 0; turn < CUTS_MAX; turn += 1) {
    const excess = JSON.stringify(data).length - room;
    if (excess <= 0) break;
    const found = longest(data, page);
    if (found === null) break;
    cuts.push(cutOne(data, found, excess, page));
  }
  return told(operation, { data, _meta: envelope._meta }, view, { cuts, page });
}

/** The list that the answer has a page of, and where the page begins. */
interface PagedList {
  name: string;
  before: number;
}

function pagedList({ query = {} }: Operation, { data, _meta }: Envelope): PagedList | null {
  const { page, returned, offset } = objectOf(_meta.pagination);
  const found = Object.entries(objectOf(data)).find(
    ([name, value]) => name !== 'nextCalls' && Array.isArray(value) && value.length === returned,
  );
  if (found === undefined) return null;
  const [name] = found;
  if ('pageSize' in query && typeof page === 'number') return { name, before: page - 1 };
  return 'offset' in query && typeof offset === 'number' ? { name, before: offset } : null;
}

/** The list or text that takes the most room; the list of the page first, since a further call brings its rest. */
function longest(data: unknown, page: PagedList | null): Found | null {
  const all = found(data, []).sort((a, b) => b.characters - a.characters);
  const ofPage = all.find(({ path }) => path.length === 1 && path[0] === page?.name);
  if (ofPage !== undefined && ofPage.value.length > 1) return ofPage;
  // A list that holds nearly everything in one item is not the place: the item is.
  return all.find(({ value }) => typeof value === 'string' || value.length > 1) ?? all[0] ?? null;
}

function found(value: unknown, path: readonly (string | number)[]): Found[] {
  if (typeof value === 'string') {
    return value.length < WORTH_CUTTING_CHARACTERS ? [] : [{ path, value, characters: value.length }];
  }
  if (Array.isArray(value)) {
    const characters = JSON.stringify(value).length;
    if (characters < WORTH_CUTTING_CHARACTERS) return [];
    return [{ path, value, characters }, ...value.flatMap((item, at) => found(item, [...path, at]))];
  }
  return isObject(value) ? Object.entries(value).flatMap(([name, inner]) => found(inner, [...path, name])) : [];
}

function cutOne(data: unknown, { path, value }: Found, excess: number, page: PagedList | null): Cut {
  const at = path.join('.');
  if (typeof value === 'string') {
    const kept = cutText(value, Math.max(0, value.length - excess - MARK_CHARACTERS));
    put(data, path, kept);
    return { at, shown: Math.min(kept.length, value.length), of: value.length, unit: 'characters' };
  }
  const shown = itemsThatFit(value, excess, page !== null && path.length === 1 && path[0] === page.name);
  const of = value.length;
  value.splice(shown);
  return { at, shown, of, unit: 'items' };
}

const MARK_CHARACTERS = 40;

function itemsThatFit(list: readonly unknown[], excess: number, isPage: boolean): number {
  let kept = list.length;
  let freed = 0;
  while (kept > (isPage ? 1 : 0) && freed < excess) {
    kept -= 1;
    freed += JSON.stringify(list[kept]).length + 1;
  }
  return kept;
}

function put(data: unknown, path: readonly (string | number)[], value: string): void {
  const [last, holder] = [path.at(-1)!, path.slice(0, -1)];
  const inside = holder.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], data);
  (inside as Record<string | number, unknown>)[last] = value;
}

function told(
  operation: Operation,
  { data, _meta }: Envelope,
  { asked = {} }: View,
  { cuts, page }: { cuts: readonly Cut[]; page: PagedList | null },
): Envelope {
  // Cuts that a view made before.
  const before = objectsOf(_meta.cut);
  const ofPage = cuts.find(({ at }) => at === page?.name);
  const path = pathOf(operation, asked);
  const named = cuts.map((cut) => (cut === ofPage || path === null ? cut : { ...cut, whole: path }));
  if (ofPage === undefined || page === null) return { data, _meta: { ..._meta, cut: [...before, ...named] } };
  const { next, shown } = restOf(operation, asked, page, ofPage);
  const call = pathOf(operation, { ...asked, ...next });
  const rest = { call: `${operation.method} ${call}`, why: `The ${page.name} after the ${shown} that are shown.` };
  const { next: _, nextUrl: _u, nextCursor: _c, ...pagination } = objectOf(_meta.pagination);
  const own = objectOf(data);
  const shownData = {
    ...own,
    [page.name]: listOf(own[page.name]).slice(0, shown),
    nextCalls: [rest, ...objectsOf(own.nextCalls)],
  };
  const cut = [...before, ...named].map((each) => (each.at === page.name ? { ...each, shown } : each));
  return { data: shownData, _meta: { ..._meta, pagination: { ...pagination, returned: shown, next }, cut } };
}

/**
 * The arguments of the call whose first item is the first that was cut. A page is counted in its own size, so that the size must
 * divide what lies before: fewer items are shown until it does.
 */
function restOf(
  { query = {} }: Operation,
  asked: Readonly<Record<string, unknown>>,
  { before }: PagedList,
  { shown, of }: Cut,
): { next: JsonObject; shown: number } {
  if (!('pageSize' in query)) {
    // What a cursor begins at has no number: the same call with a lower limit ends where this one was cut.
    if (asked.cursor !== undefined && asked.cursor !== null) return { next: { limit: shown }, shown };
    return { next: { offset: before + shown, limit: of - shown }, shown };
  }
  const size = Number(asked.pageSize ?? query.pageSize!.safeParse(undefined).data);
  const skipped = before * size;
  let fits = shown;
  while (skipped % fits !== 0) fits -= 1;
  return { next: { page: skipped / fits + 2, pageSize: fits }, shown: fits };
}

function pathOf(operation: Operation, given: Readonly<Record<string, unknown>>): string | null {
  try {
    return httpInput(operation, given).path;
  } catch {
    return null;
  }
}
