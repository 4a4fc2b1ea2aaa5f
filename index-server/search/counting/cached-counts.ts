import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { type CompiledFilters, filtersKey } from '../filters.ts';
import { ImageCache, KEPT_FROM_TRIALS } from '../image-cache.ts';
import { matchingRows } from '../matching.ts';
import { rowsOf } from '../row-set.ts';

const KEPT_COUNTS = 500;

/** Counts over the matching trials; `day` is a day number (snapshot/format/words/dates.ts). They may be cached: do not change them. */
type CountMatching<Counts> = (image: SnapshotImage, filters: CompiledFilters, day?: number) => Counts;

/** Those of many trials are made once for each image, day and filters. */
export function cachedCounts<Counts extends object>(
  count: (image: SnapshotImage, rows: Uint32Array, day: number) => Counts,
): CountMatching<Counts> {
  const kept = new ImageCache<Counts>(KEPT_COUNTS);
  return (image, filters, day = 0) => {
    const read = filtersKey(filters);
    const key = read === null ? null : `${day} ${read}`;
    const known = key === null ? undefined : kept.get(image, key);
    if (known !== undefined) return known;
    const rows = rowsOf(matchingRows(image, filters));
    const made = count(image, rows, day);
    if (key !== null && rows.length >= KEPT_FROM_TRIALS) kept.set(image, key, made);
    return made;
  };
}
