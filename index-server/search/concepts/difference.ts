import { type CompiledFilters, filtersKey } from '../filters.ts';
import { ImageCache } from '../image-cache.ts';
import { matchingRows } from '../matching.ts';
import { intersect, type RowSet } from '../row-set.ts';
import { type Both, KEPT_QUERIES } from './asked.ts';

const differences = new ImageCache<{ added: number; lost: number; strict: number; expanded: number }>(KEPT_QUERIES);

/** How many trials words find, concepts find, and only one of them finds. */
export function differenceOf({ image, strict, expanded }: Both) {
  const key = keyOf(strict, expanded);
  const known = key === null ? undefined : differences.get(image, key);
  if (known !== undefined) return known;
  const [words, concepts] = [matchingRows(image, strict), matchingRows(image, expanded)];
  const common = shared(words, concepts);
  const made = {
    strict: words.count,
    expanded: concepts.count,
    added: concepts.count - common,
    lost: words.count - common,
  };
  if (key !== null) differences.set(image, key, made);
  return made;
}

function keyOf(strict: CompiledFilters, expanded: CompiledFilters): string | null {
  const [one, other] = [filtersKey(strict), filtersKey(expanded)];
  return one === null || other === null ? null : `${one} ${other}`;
}

function shared(one: RowSet, other: RowSet): number {
  return one.count === 0 || other.count === 0 ? 0 : intersect([one, other]).count;
}
