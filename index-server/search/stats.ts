import { POSTING } from '../../snapshot-format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { type Coverage, coverage } from './coverage.ts';
import { compileFilters } from './filters.ts';

export interface Stats {
  /** Counts over the whole corpus. */
  corpus: Coverage;
  /** Curated topics in their reviewed order, each with how many trials it finds. */
  topics: { id: string; title: string; trials: number }[];
}

/** What the index holds as a whole. */
export function stats(image: SnapshotImage): Stats {
  return {
    corpus: coverage(image, compileFilters({})),
    topics: image.topics.map(({ id, title }) => ({ id, title, trials: image.posting(POSTING.topic + id)?.count ?? 0 })),
  };
}
