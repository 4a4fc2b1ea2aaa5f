import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import type { CompiledFilters } from './filters.ts';
import { matchingRows } from './matching.ts';
import { pageOf } from './row-set.ts';

/** One page of the matching trials in result order, and how many there are in all, always exactly. */
export function search(
  image: SnapshotImage,
  filters: CompiledFilters,
  { offset, limit }: { offset: number; limit: number },
): { total: number; rows: Uint32Array } {
  const matching = matchingRows(image, filters);
  return { total: matching.count, rows: pageOf(matching, offset, limit) };
}
