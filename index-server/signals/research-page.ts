import { createHash } from 'node:crypto';
import type { ResearchItem } from '../../contract/schemas/trials/signals.ts';

export interface ResearchPage {
  items: ResearchItem[];
  total: number;
  pagination: {
    limit: number;
    offset: number;
    returned: number;
    total: number;
    hasMore: boolean;
    nextCursor: string | null;
  };
}

const BINDING_CHARACTERS = 8;

/**
 * A page of the items, from an offset or a cursor. A cursor names the last item shown, so that added items cause neither
 * repeats nor gaps; it belongs to one keyword. Null for a cursor that was not made here for this keyword.
 */
export function researchPage(
  items: readonly ResearchItem[],
  { limit, offset, cursor }: { limit: number; offset: number; cursor: string | undefined },
  keyword: string | undefined,
): ResearchPage | null {
  const start = cursor === undefined ? offset : startOf(items, cursor, keyword);
  if (start === null) return null;
  const page = items.slice(start, start + limit);
  const last = page.at(-1);
  const hasMore = start + page.length < items.length;
  const nextCursor = hasMore && last !== undefined ? cursorTo(last, keyword) : null;
  const pagination = { limit, offset: start, returned: page.length, total: items.length, hasMore, nextCursor };
  return { items: page, total: items.length, pagination };
}

/** Place after the item that the cursor names, even if the item is gone; null for an invalid cursor. */
function startOf(items: readonly ResearchItem[], cursor: string, keyword: string | undefined): number | null {
  const [binding, year, id] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  if (binding !== bindingOf(keyword) || id === undefined || !/^\d{4}$/.test(year ?? '')) return null;
  const key = { year: Number(year), id };
  if (cursorTo(key, keyword) !== cursor) return null;
  const after = items.findIndex((item) => item.year < key.year || (item.year === key.year && item.id > key.id));
  return after < 0 ? items.length : after;
}

function cursorTo({ year, id }: Pick<ResearchItem, 'year' | 'id'>, keyword: string | undefined): string {
  return Buffer.from(`${bindingOf(keyword)} ${year} ${id}`).toString('base64url');
}

function bindingOf(keyword: string | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify(['research', keyword ?? null]))
    .digest('base64url')
    .slice(0, BINDING_CHARACTERS);
}
