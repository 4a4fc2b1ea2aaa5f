import { matchedFilters } from '../../index-server/search/concepts/answer.ts';
import { compileFilters } from '../../index-server/search/filters.ts';
import type { HintQuery } from '../../index-server/search/hints/hint.ts';
import { hintsOf } from '../../index-server/search/hints/hints.ts';
import { matchingRows, search } from '../../index-server/search/matching.ts';
import { searchPage } from '../../index-server/search/search-page.ts';
import type { SnapshotImage } from '../../index-server/snapshot/snapshot-image.ts';
import { loadRegistrySources } from '../../snapshot/format/registry-sources.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { type Latency, latencyOf, measureCalls } from './latency.ts';
import { misspeltQueries, naturalQueries } from './natural-queries.ts';
import type { Queries } from './queries.ts';

/** What a search takes beyond its words: relevance, concepts, and the help where few trials are found. */

const sources = loadRegistrySources();
const ROUNDS = 10;
const PAGE = { offset: 0, limit: 20 };
/** Questions of a measure; each is asked once, so that no answer comes from a cache. */
const ASKED = 600;
/** Asked before them and not counted. */
const WARM_UP = 200;

export async function expandedInProcess(
  image: SnapshotImage,
  manifest: Manifest,
  queries: Queries,
): Promise<Record<string, Latency>> {
  const calls: Record<string, Latency> = {};
  for (const kind of ['common', 'mixed'] as const) {
    calls[`search by relevance, ${kind}`] = measureCalls(queries[kind], ROUNDS, (q) => {
      const compiled = compileFilters({ q });
      return search(image, compiled, { ...PAGE, sort: { relevantTo: compiled.text } });
    });
  }
  const natural = naturalQueries(image, 2 * (WARM_UP + ASKED));
  const half = Math.floor(natural.length / 2);
  calls['search by concepts, natural'] = await once(natural.slice(0, half), (q) => byConcepts(image, q, 'updated'));
  calls['search by concepts and relevance, natural'] = await once(natural.slice(half), (q) =>
    byConcepts(image, q, 'relevance'),
  );
  calls['few results, misspelt'] = await once(misspeltQueries(image, WARM_UP + ASKED), (q) => {
    const countOf = async ({ match: _, ...asked }: HintQuery) => matchingRows(image, compileFilters(asked)).count;
    const matched = matchedFilters(image, compileFilters({ q }), { q, match: 'words', year: '2026' });
    const sent = { path: '', applied: { q }, query: { q }, matched, found: { total: 0, countOf } };
    return hintsOf({ ...sent, image, manifest, sources });
  });
  return calls;
}

/** A page with why each trial matched, and what `_meta` says of the reading. */
function byConcepts(image: SnapshotImage, q: string, sort: 'updated' | 'relevance'): void {
  const asked = { q, topic: undefined, match: 'concepts', year: '2026' } as const;
  const matched = matchedFilters(image, compileFilters({ q }), asked);
  searchPage(image, matched.compiled, {
    ...{ page: 1, pageSize: PAGE.limit, eligibility: false, modalities: null, groundsOf: matched.groundsOf },
    sort: sort === 'updated' ? sort : { relevantTo: matched.parts },
  });
  matched.meta(false);
}

async function once(questions: readonly string[], ask: (q: string) => unknown): Promise<Latency> {
  const times: number[] = [];
  for (const q of questions) {
    const started = performance.now();
    await ask(q);
    times.push(performance.now() - started);
  }
  return latencyOf(times.slice(Math.min(WARM_UP, Math.floor(times.length / 4))));
}
