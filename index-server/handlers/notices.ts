import type { Paging } from '../meta.ts';

/** What a page behind the last one says: it is no empty answer. */
export function beyondNotice({ page, pageSize, totalItems, returned }: Paging): string[] {
  if (page === 1 || returned > 0 || totalItems === 0) return [];
  const last = Math.ceil(totalItems / pageSize);
  return [`page=${page} is beyond the last page, page=${last}: it shows none of the ${totalItems} trials.`];
}

/** What leaves contacts out says so, and where they are. */
export const CONTACTS_LEFT_OUT = "Contacts are left out; the registry's record has them (citation.verifyAt)";
