import { CURSOR_EXPECTED } from '../../contract/paging.ts';
import type { BoardPagination } from '../../contract/schemas/board/board-fields.ts';
import { enteredJson } from '../../server-kit/entered-json.ts';
import { contentHash } from '../../server-kit/hashing.ts';
import type { Fail, RequestContext } from '../../server-kit/mount.ts';
import type { PageRange } from '../store/page-range.ts';

/** Raised when the content of a cursor changes, so that an older cursor is refused and not misread. */
const CURSOR_VERSION = 1;
/** Enough to tell any two sets of filters apart. */
const BINDING_CHARACTERS = 16;

/** A requested page of a list. */
export interface Page {
  limit: number;
  /** What the store reads: one row more than the page shows, to learn whether there is another page. */
  range: PageRange;
  /** Names the list and its filters; a cursor is valid for these only. */
  binding: string;
}

/** Reads the paging parameters of `list`. `filter` holds everything that decides its rows and their order. */
export function pageOf(
  list: string,
  filter: Record<string, unknown>,
  { limit, offset, cursor }: { limit: number; offset: number; cursor?: string | undefined },
  fail: Fail<'INVALID_PARAM'>,
): Page {
  const binding = contentHash(list, filter).slice(0, BINDING_CHARACTERS);
  if (cursor === undefined) return { limit, binding, range: { limit: limit + 1, offset, after: null } };
  const after = keyIn(cursor, binding) ?? refuseCursor(fail);
  return { limit, binding, range: { limit: limit + 1, offset: 0, after } };
}

/** The rows of a page in the order of `seq`, and its `pagination`, from the rows that the store read. */
export function shown<Row extends { seq: number }>(page: Page, read: readonly Row[], total: number | null) {
  return shownBy(page, read, total, ({ seq }) => seq);
}

/** As `shown`, for a list in the order of another key. */
export function shownBy<Row>(
  { limit, range, binding }: Page,
  read: readonly Row[],
  total: number | null,
  keyOf: (row: Row) => number,
): { rows: Row[]; pagination: BoardPagination } {
  const rows = read.slice(0, limit);
  const last = rows.at(-1);
  const hasMore = read.length > limit;
  const nextCursor = hasMore && last !== undefined ? cursorTo(keyOf(last), binding) : null;
  return { rows, pagination: { limit, offset: range.offset, returned: rows.length, total, hasMore, nextCursor } };
}

/** The parameters of a list in `_meta`: those applied, and an offset that a cursor made void. */
export function appliedOf(context: RequestContext): { filters: Record<string, string>; ignored?: string[] } {
  const { offset, ...others } = context.applied;
  if (others.cursor === undefined || offset === undefined) return { filters: context.applied };
  return { filters: others, ignored: [...context.ignored, 'offset'] };
}

function cursorTo(key: number, binding: string): string {
  return Buffer.from(JSON.stringify({ v: CURSOR_VERSION, f: binding, k: key })).toString('base64url');
}

/** The key in a cursor that `cursorTo` made under the same binding; null for anything else. */
function keyIn(cursor: string, binding: string): number | null {
  let content: { k?: unknown } | null;
  try {
    content = enteredJson(Buffer.from(cursor, 'base64url')).value as typeof content;
  } catch {
    return null;
  }
  const key = content?.k;
  if (typeof key !== 'number' || !Number.isSafeInteger(key)) return null;
  return cursorTo(key, binding) === cursor ? key : null;
}

function refuseCursor(fail: Fail<'INVALID_PARAM'>): never {
  return fail('INVALID_PARAM', {
    message: `The parameter cursor is not usable: expected ${CURSOR_EXPECTED}.`,
    parameter: 'cursor',
    expected: CURSOR_EXPECTED,
    issues: [{ path: 'cursor', message: `expected ${CURSOR_EXPECTED}` }],
  });
}
