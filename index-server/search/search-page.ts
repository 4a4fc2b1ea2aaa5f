import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { type AddedMembers, documents } from './documents.ts';
import type { CompiledFilters } from './filters.ts';
import { readListItem } from './hints/held-trial.ts';
import { type SearchedPage, search } from './sort-order.ts';

/** One page of a search, finished except for its envelope. */
export interface SearchPage {
  total: number;
  returned: number;
  /** Of each trial, where the order is by relevance. */
  scores: number[] | null;
  /** The first trial of it, where there is one. */
  first: { canonicalId: string }[];
  /** `{"trials": [...]}` */
  json: Buffer<ArrayBuffer>;
}

export interface SearchPageOptions extends AddedMembers {
  /** From 1. */
  page: number;
  pageSize: number;
  sort?: SearchedPage['sort'];
  eligibility: boolean;
}

/** The page of the matching trials in result order. */
export function searchPage(image: SnapshotImage, filters: CompiledFilters, options: SearchPageOptions): SearchPage {
  const { page, pageSize, sort = 'updated', ...shown } = options;
  const { total, rows, scores } = search(image, filters, { offset: (page - 1) * pageSize, limit: pageSize, sort });
  const trials = documents(image, rows, { ...shown, detail: 'brief' });
  const json = Buffer.concat([Buffer.from('{"trials":'), trials, Buffer.from('}')]);
  const first = [...rows.slice(0, 1)].map((row) => ({ canonicalId: readListItem(image, row).canonicalId }));
  return { total, returned: rows.length, scores, first, json };
}
