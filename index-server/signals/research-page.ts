import { hash } from 'node:crypto';
import type { ResearchItem } from '../../contract/schemas/trials/signals.ts';

/**
 * A page of the items, from an offset or a cursor. A cursor names the last item shown, so that added items cause neither
 * repeats nor gaps; it belongs to one keyword. Null for a cursor that was not made here for this keyword.
 */
export function researchPage(
  items: readonly ResearchItem[],
  { limit, offset, cursor }: { limit: number; offset: number; cursor: string | undefined },
  keyword: string | undefined,
) {
  const binding = hash('sha256', JSON.stringify(['research', keyword ?? null]), 'base64url').slice(0, 8);
  const cursorTo = (year: number | string, id: string): string =>
    Buffer.from(`${binding} ${year} ${id}`).toString('base64url');
  let start = offset;
  if (cursor !== undefined) {
    const [, year = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
    if (!/^\d{4}$/.test(year) || cursorTo(year, id) !== cursor) return null;
    // After the place of the item, also where the item itself is gone.
    start = items.findIndex((item) => item.year < Number(year) || (item.year === Number(year) && item.id > id));
    if (start < 0) start = items.length;
  }
  const page = items.slice(start, start + limit);
  const last = page.at(-1);
  const hasMore = start + page.length < items.length;
  const nextCursor = hasMore && last !== undefined ? cursorTo(last.year, last.id) : null;
  return {
    items: page,
    pagination: { limit, offset: start, returned: page.length, total: items.length, hasMore, nextCursor },
  };
}
