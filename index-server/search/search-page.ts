import type { MatchGroundRecord } from '../../contract/schemas/matching.ts';
import type { Modalities } from '../modality/modalities.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { documentsIn } from './documents.ts';
import { type CompiledFilters, filtersKey } from './filters.ts';
import { ImageCache } from './image-cache.ts';
import { type SearchedPage, search } from './matching.ts';

/** Bytes of finished pages cached for a snapshot: some hundred pages of the usual size. */
const KEPT_BYTES = 32_000_000;
/** Largest share of these bytes that one cached page may take; larger pages are not cached. */
const KEPT_PAGE_SHARE = 1 / 32;
/** Bytes that a cached page takes besides its JSON: its key and its place. Pages without a trial are cached too. */
const PAGE_OVERHEAD_BYTES = 4096;

/** One page of a search, finished except for its envelope. */
export interface SearchPage {
  total: number;
  returned: number;
  /** Of each trial, where the order is by relevance. */
  scores: number[] | null;
  /** `{"trials": [...]}`; shared with other answers: do not write to it. */
  json: Buffer<ArrayBuffer>;
}

export interface SearchPageOptions {
  /** From 1. */
  page: number;
  pageSize: number;
  sort?: SearchedPage['sort'];
  eligibility: boolean;
  /** Infers the labels of each trial of the page; null where they are not requested. */
  modalities: Modalities | null;
  /** Says why each trial of the page matched; null unless concepts are asked for. */
  groundsOf?: ((row: number) => MatchGroundRecord[]) | null;
}

const kept = new ImageCache<SearchPage>(KEPT_BYTES, ({ json }) => json.length + PAGE_OVERHEAD_BYTES);

/** The page of the matching trials in result order. */
export function searchPage(image: SnapshotImage, filters: CompiledFilters, options: SearchPageOptions): SearchPage {
  const { page, pageSize, sort = 'updated', eligibility, modalities, groundsOf = null } = options;
  const filtered = filtersKey(filters);
  const key =
    filtered &&
    JSON.stringify([page, pageSize, sort, eligibility, modalities?.vocabulary ?? null, groundsOf !== null, filtered]);
  const known = key === null ? undefined : kept.get(image, key);
  if (known !== undefined) return known;
  const { total, rows, scores } = search(image, filters, { offset: (page - 1) * pageSize, limit: pageSize, sort });
  const json = documentsIn('trials', image, rows, {
    detail: 'brief',
    eligibility,
    matchedBy: groundsOf,
    ...(modalities ? { modality: (row: number) => modalities.labelsOf(image, row) } : {}),
  });
  const made = { total, returned: rows.length, scores, json };
  if (key !== null && json.length <= KEPT_BYTES * KEPT_PAGE_SHARE) kept.set(image, key, made);
  return made;
}
