import type { MatchingRecord } from '../../../contract/schemas/trials/matching.ts';
import type { Terminology } from '../../../snapshot/terminology/terminology.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import type { CompiledFilters } from '../filters.ts';
import { matchingRows } from '../matching.ts';
import { commonCount } from '../row-set.ts';
import type { ConceptParameter, ConceptQuery } from './concept-query.ts';

/** A text of the request as concepts read it. */
export interface ReadText {
  parameter: ConceptParameter;
  value: string;
  query: ConceptQuery;
}

/** The texts and the topic of one request as concepts read them, and its filters in both ways to match. */
export interface Readings {
  image: SnapshotImage;
  terminology: Terminology;
  texts: ReadText[];
  /** Null without `topic`. */
  topic: MatchingRecord['topic'] | null;
  strict: CompiledFilters;
  expanded: CompiledFilters;
  /** Year of the records: that of the snapshot. */
  year: string;
}

/** How many trials words find, concepts find, and only one of them finds. */
export function differenceOf({ image, strict, expanded }: Readings) {
  const [words, concepts] = [matchingRows(image, strict), matchingRows(image, expanded)];
  const common = commonCount(words, concepts);
  return {
    strict: words.count,
    expanded: concepts.count,
    added: concepts.count - common,
    lost: words.count - common,
  };
}
