import type { BoardPagination } from '../contract/schemas/board-fields.ts';

/** `pagination` of a page of `returned` items out of `total`. */
export function boardPagination(
  page: { limit: number; offset: number },
  returned: number,
  total: number,
): BoardPagination {
  return { limit: page.limit, offset: page.offset, returned, total, hasMore: page.offset + returned < total };
}
