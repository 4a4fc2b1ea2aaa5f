import { matchedFilters } from '../../../index-server/search/concepts/answer.ts';
import { coverage } from '../../../index-server/search/counting/coverage.ts';
import { landscape } from '../../../index-server/search/counting/landscape.ts';
import { compileFilters } from '../../../index-server/search/filters.ts';
import type { HintQuery } from '../../../index-server/search/hints/hint.ts';
import { hintsOf } from '../../../index-server/search/hints/hints.ts';
import { matchingRows } from '../../../index-server/search/matching.ts';
import type { RowSet } from '../../../index-server/search/row-set.ts';
import { searchPage } from '../../../index-server/search/search-page.ts';
import { search } from '../../../index-server/search/sort-order.ts';
import { openSnapshotImage, type SnapshotImage } from '../../../index-server/snapshot/snapshot-image.ts';
import { loadRegistrySources } from '../../../snapshot/format/registry-sources.ts';
import { readManifest } from '../../../snapshot/format/versions/current.ts';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';
import { type Latency, latencyOf } from '../latency.ts';
import { misspeltQueries, naturalQueries } from '../natural-queries.ts';
import { drawQueries, QUERY_KINDS, spreadIds } from '../queries.ts';
import type { InServer } from './index-server.ts';

/** Opens the snapshot directory of its first argument, draws queries, searches, and prints an `InServer` as JSON. */

const [, , dir, asOf] = process.argv;
const day = Math.floor(Date.parse(asOf!) / 86_400_000);
const image = openSnapshotImage(dir!);
const queries = drawQueries(image);
const calls: Record<string, Latency> = {};

const ROUNDS = 10;
const WHOLE_ROUNDS = 200;
const PAGE = { offset: 0, limit: 20 };
/** Questions of a measure that are asked once each, so that no answer comes from a cache. */
const ASKED = 600;
/** Asked before them and not counted. */
const WARM_UP = 200;

await measureSearches();
await measureConcepts(await readManifest(dir!));
const found: InServer = { calls, queries, ids: spreadIds(image) };
process.stdout.write(JSON.stringify(found));
image.release();

async function measureSearches(): Promise<void> {
  const repeatedly = (questions: readonly string[]): string[] => Array.from({ length: ROUNDS }, () => questions).flat();
  for (const kind of QUERY_KINDS) {
    const asked = repeatedly(queries[kind]);
    calls[`search, ${kind}`] = await timed(asked, (q) => search(image, compileFilters({ q }), PAGE));
    if (kind === 'rare') continue;
    calls[`search by relevance, ${kind}`] = await timed(asked, (q) => {
      const compiled = compileFilters({ q });
      return search(image, compiled, { ...PAGE, sort: { relevantTo: compiled.text } });
    });
  }
  const counts = {
    coverage: (rows: RowSet) => coverage(image, rows),
    landscape: (rows: RowSet) => landscape(image, rows, day),
  };
  for (const [name, count] of Object.entries(counts)) {
    calls[`${name}, mixed`] = await timed(repeatedly(queries.mixed), (q) =>
      count(matchingRows(image, compileFilters({ q }))),
    );
    calls[`${name}, whole corpus`] = await timed(Array(WHOLE_ROUNDS).fill({}), () =>
      count(matchingRows(image, compileFilters({}))),
    );
  }
}

/** What a search takes beyond its words: concepts, and the help where few trials are found. */
async function measureConcepts(manifest: Manifest): Promise<void> {
  const natural = naturalQueries(image, 2 * (WARM_UP + ASKED));
  const half = Math.floor(natural.length / 2);
  calls['search by concepts, natural'] = await timed(natural.slice(0, half), (q) => byConcepts(image, q, 'updated'));
  calls['search by concepts and relevance, natural'] = await timed(natural.slice(half), (q) =>
    byConcepts(image, q, 'relevance'),
  );
  const sources = loadRegistrySources();
  calls['few results, misspelt'] = await timed(misspeltQueries(image, WARM_UP + ASKED), (q) => {
    const countOf = async ({ match: _, ...asked }: HintQuery) => matchingRows(image, compileFilters(asked)).count;
    const matched = matchedFilters(image, compileFilters({ q }), { q, match: 'words', year: '2026' });
    const sent = { path: '', applied: { q }, query: { q }, matched, found: { total: 0, countOf } };
    return hintsOf({ ...sent, image, manifest, sources });
  });
}

/** A page with why each trial matched, and what `_meta` says of the reading. */
function byConcepts(of: SnapshotImage, q: string, sort: 'updated' | 'relevance'): void {
  const asked = { q, topic: undefined, match: 'concepts', year: '2026' } as const;
  const matched = matchedFilters(of, compileFilters({ q }), asked);
  searchPage(of, matched.compiled, {
    ...{ page: 1, pageSize: PAGE.limit, eligibility: false, matchedBy: matched.groundsOf },
    sort: sort === 'updated' ? sort : { relevantTo: matched.parts },
  });
  matched.meta(false);
}

/** Asks each question; the first ones are not counted. A synchronous answer is not awaited, which would take longer than it. */
async function timed<Question>(questions: readonly Question[], ask: (question: Question) => unknown): Promise<Latency> {
  const times: number[] = [];
  for (const question of questions) {
    const started = performance.now();
    const answer = ask(question);
    if (answer instanceof Promise) await answer;
    times.push(performance.now() - started);
  }
  return latencyOf(times.slice(Math.min(WARM_UP, Math.floor(times.length / 4))));
}
