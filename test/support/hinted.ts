import { matchedFilters } from '../../index-server/search/concepts/answer.ts';
import { compileFilters } from '../../index-server/search/filters.ts';
import type { HintQuery } from '../../index-server/search/hints/hint.ts';
import { hintsOf } from '../../index-server/search/hints/hints.ts';
import { matchingRows } from '../../index-server/search/matching.ts';
import type { SnapshotImage } from '../../index-server/snapshot/snapshot-image.ts';
import { loadRegistrySources } from '../../snapshot/format/registry-sources.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';

const sources = loadRegistrySources();

/** The hints and notices of a search in an image, as an answer of few or of many trials has them. */
export async function hinted(image: SnapshotImage, query: HintQuery, more = 0): ReturnType<typeof hintsOf> {
  const read = ({ match = 'words', ...filters }: HintQuery) =>
    matchedFilters(image, compileFilters(filters), { ...filters, match, year: '2026' });
  const countOf = async (other: HintQuery) => matchingRows(image, read(other).compiled).count;
  const found = { total: (await countOf(query)) + more, countOf };
  const manifest = { asOf: '2026-10-01', registries: [] } as unknown as Manifest;
  const sent = { path: '/search', applied: { ...(query as Record<string, string>), page: '2' } };
  return hintsOf({ ...sent, image, manifest, sources, query, matched: read(query), found });
}
