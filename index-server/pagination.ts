import type { RequestContext } from '../server-kit/mount.ts';

export interface Paging {
  page: number;
  pageSize: number;
  totalItems: number;
  returned: number;
}

/** `pagination` and `links` of a paged answer; the next address repeats every known parameter as it was sent. */
export function pageLinks(context: RequestContext, paging: Paging): Record<string, unknown> {
  const hasMore = paging.page * paging.pageSize < paging.totalItems;
  const query = new URLSearchParams({ ...context.applied, page: '' });
  const address = (page: number): string => {
    query.set('page', String(page));
    return `${context.baseUrl}${context.path}?${query}`;
  };
  const nextUrl = hasMore ? address(paging.page + 1) : null;
  return {
    pagination: { ...paging, hasMore, nextUrl },
    links: { self: address(paging.page), ...(nextUrl === null ? {} : { next: nextUrl }) },
  };
}
