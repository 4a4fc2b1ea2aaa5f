import { cleanQuery, type Given } from '../trials/search-asked.ts';

/** The search page with these filters; a number that links there is the number that it shows. */
export function searchAddress(filters: Given): string {
  const query = cleanQuery(new URLSearchParams(filters));
  return query.size === 0 ? '/trials' : `/trials?${query}`;
}
