import { coverage } from '../../index-server/search/counting/coverage.ts';
import { landscape } from '../../index-server/search/counting/landscape.ts';
import { compileFilters } from '../../index-server/search/filters.ts';
import { matchingRows, search } from '../../index-server/search/matching.ts';
import type { SnapshotImage } from '../../index-server/snapshot/snapshot-image.ts';
import { type Latency, measureCalls } from './latency.ts';
import { QUERY_KINDS, type Queries } from './queries.ts';

const ROUNDS = 10;
const WHOLE_ROUNDS = 200;
const PAGE = { offset: 0, limit: 20 };

/** Times searches, coverage and landscape in this process; `asOf` is YYYY-MM-DD. */
export function searchesInProcess(image: SnapshotImage, queries: Queries, asOf: string): Record<string, Latency> {
  const day = Math.floor(Date.parse(asOf) / 86_400_000);
  const calls: Record<string, Latency> = {};
  for (const kind of QUERY_KINDS) {
    calls[`search, ${kind}`] = measureCalls(queries[kind], ROUNDS, (q) => search(image, compileFilters({ q }), PAGE));
  }
  for (const [name, count] of Object.entries({
    coverage: (filters: { q?: string }) => coverage(image, matchingRows(image, compileFilters(filters))),
    landscape: (filters: { q?: string }) => landscape(image, matchingRows(image, compileFilters(filters)), day),
  })) {
    calls[`${name}, mixed`] = measureCalls(queries.mixed, ROUNDS, (q) => count({ q }));
    calls[`${name}, whole corpus`] = measureCalls([{}], WHOLE_ROUNDS, count);
  }
  return calls;
}
