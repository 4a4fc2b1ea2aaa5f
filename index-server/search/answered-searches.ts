import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { ImageCache } from './image-cache.ts';
import type { SearchPage } from './search-page.ts';

/** Bytes of answers cached for a snapshot: some hundred pages of the usual size. */
const KEPT_BYTES = 32_000_000;
/** Largest share of these bytes that one cached answer may take; larger ones are not cached. */
const KEPT_ANSWER_SHARE = 1 / 32;
/** Bytes that a cached answer takes besides its texts: its place, and what its `_meta` says of the snapshot. Answers without a trial are cached too. */
const OVERHEAD_BYTES = 4096;
/** A character of a text whose characters are not all in Latin-1. */
const CHARACTER_BYTES = 2;

/** A search as it is answered, except for what time or the caller's address changes. */
export interface AnsweredSearch {
  /** Its JSON is shared with other answers: do not write to it. */
  page: SearchPage;
  /** What `_meta` gains from the reading of the filters, from the order, and as help. */
  reading: Record<string, unknown>;
  relevance: Record<string, unknown>;
  help: Record<string, unknown>;
  /** The query of each of its pages. */
  pageQuery: (page: number) => string;
}

const kept = new ImageCache<AnsweredSearch & { bytes: number }>(KEPT_BYTES, ({ bytes }) => bytes);

/**
 * What is answered to a request for the first time, and from then on without asking again. The key must name everything
 * besides the image that the answer depends on.
 */
export async function answeredOnce(
  image: SnapshotImage,
  key: string,
  answer: () => Promise<AnsweredSearch>,
): Promise<AnsweredSearch> {
  const known = kept.get(image, key);
  if (known !== undefined) return known;
  const made = await answer();
  const metaBytes = [made.reading, made.relevance, made.help].reduce((sum, part) => sum + heldBytes(part), 0);
  const bytes = made.page.json.length + metaBytes + key.length * CHARACTER_BYTES + OVERHEAD_BYTES;
  if (bytes <= KEPT_BYTES * KEPT_ANSWER_SHARE) kept.set(image, key, { ...made, bytes });
  return made;
}

/** What a part of `_meta` takes: as objects and as text. */
function heldBytes(part: Record<string, unknown>): number {
  return JSON.stringify(part).length * CHARACTER_BYTES * 2;
}
