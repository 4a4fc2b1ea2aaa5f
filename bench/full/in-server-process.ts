import { coverage } from '../../index-server/search/coverage.ts';
import { documents } from '../../index-server/search/documents.ts';
import { compileFilters } from '../../index-server/search/filters.ts';
import { landscape } from '../../index-server/search/landscape.ts';
import { search } from '../../index-server/search/matching.ts';
import { openSnapshotImage, type SnapshotImage } from '../../index-server/snapshot/snapshot-image.ts';
import { type Latency, measureCalls } from '../latency.ts';
import { drawQueries, type QueryKind } from '../queries.ts';
import type { InServer } from './in-server.ts';

/** Opens the snapshot directory of its first argument, draws queries, searches, and prints an `InServer` as JSON. */

const ROUNDS = 10;
const WHOLE_ROUNDS = 200;
const PAGE = { offset: 0, limit: 20 };
const IDS = 200;
const KINDS: readonly QueryKind[] = ['rare', 'common', 'mixed'];

const [, , dir, today] = process.argv;
const image = openSnapshotImage(dir!);
const queries = drawQueries(image);
const day = Math.floor(Date.parse(today!) / 86_400_000);
const calls: Record<string, Latency> = {};
for (const kind of KINDS) {
  calls[`search, ${kind}`] = measureCalls(queries[kind], ROUNDS, (q) => search(image, compileFilters({ q }), PAGE));
}
calls['coverage, mixed'] = measureCalls(queries.mixed, ROUNDS, (q) => coverage(image, compileFilters({ q })));
calls['landscape, mixed'] = measureCalls(queries.mixed, ROUNDS, (q) => landscape(image, compileFilters({ q }), day));
calls['coverage, whole corpus'] = measureCalls([{}], WHOLE_ROUNDS, (all) => coverage(image, compileFilters(all)));
calls['landscape, whole corpus'] = measureCalls([{}], WHOLE_ROUNDS, (all) =>
  landscape(image, compileFilters(all), day),
);
const found: InServer = { trials: image.trials, calls, queries, ids: idsOf(image) };
process.stdout.write(JSON.stringify(found));
image.release();

/** Canonical ids, spread evenly over the corpus. */
function idsOf(of: SnapshotImage): string[] {
  const step = Math.max(1, Math.floor(of.trials / IDS));
  const rows = Array.from({ length: Math.min(IDS, of.trials) }, (_, place) => place * step);
  const text = documents(of, rows, { detail: 'brief', eligibility: false }).toString('utf8');
  return (JSON.parse(text) as { canonicalId: string }[]).map(({ canonicalId }) => canonicalId);
}
