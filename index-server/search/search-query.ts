import type { TRIAL_SORTS } from '../../contract/operations/trials/trials.ts';
import type { FilterQuery } from './filters.ts';

/** What a search is asked, as its parameters were read. */
export type SearchQuery = FilterQuery & {
  page: number;
  pageSize: number;
  sort?: (typeof TRIAL_SORTS)[number] | undefined;
  include?: readonly string[] | undefined;
};
