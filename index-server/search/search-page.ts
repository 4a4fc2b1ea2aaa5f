import type { SitesThere } from '../../contract/schemas/site-status.ts';
import type { MatchGroundRecord } from '../../contract/schemas/trials/matching.ts';
import type { Modalities } from '../modality/modalities.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import type { GapClockAsked } from './counting/results-clock.ts';
import { resultsDueOf } from './counting/results-clock.ts';
import { documentsIn } from './documents.ts';
import type { CompiledFilters } from './filters.ts';
import { readListItem } from './hints/held-trial.ts';
import { type SearchedPage, search } from './matching.ts';

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
  /** What each trial of the page says of its sites; null unless the request is about their status. */
  sitesThere?: ((row: number) => SitesThere) | null;
  /** Shows how many days the results of each trial are overdue by this clock; null unless they are asked for. */
  overdueBy?: GapClockAsked | null;
}

/** The page of the matching trials in result order. */
export function searchPage(image: SnapshotImage, filters: CompiledFilters, options: SearchPageOptions): SearchPage {
  const { page, pageSize, sort = 'updated', eligibility, modalities } = options;
  const { groundsOf = null, sitesThere = null, overdueBy = null } = options;
  const { total, rows, scores } = search(image, filters, { offset: (page - 1) * pageSize, limit: pageSize, sort });
  const dueOf = overdueBy === null ? null : resultsDueOf(image, overdueBy);
  const json = documentsIn('trials', image, rows, {
    detail: 'brief',
    eligibility,
    matchedBy: groundsOf,
    sitesThere,
    overdue: dueOf && ((row) => dueOf(row)?.days ?? null),
    ...(modalities ? { modality: (row: number) => modalities.labelsOf(image, row) } : {}),
  });
  const first = [...rows.slice(0, 1)].map((row) => ({ canonicalId: readListItem(image, row).canonicalId }));
  return { total, returned: rows.length, scores, first, json };
}
