import { POSTING } from '../../../snapshot/format/serving-columns.ts';
import { saysNothing } from '../../../snapshot/format/words/plain-words.ts';
import type { TextUnit } from '../../../snapshot/format/words/tokens.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { type Requirement, unitRequirement } from '../filters.ts';
import { rowsMeeting } from '../matching.ts';
import { intersect, type RowSet } from '../row-set.ts';

/** Words of a query, some of them the name of a concept, that stand together in the name of a sponsor. */
export interface SponsorWords {
  words: string;
  requirement: Requirement;
}

/** The words of a query side by side, as they are written and as they are looked up. */
export interface QueryWords {
  written: readonly string[];
  units: readonly TextUnit[];
  /** Whether the word at a place belongs to a concept. */
  isOfConcept: (place: number) => boolean;
}

/**
 * "National Cancer Institute" is a sponsor, though cancer is a concept. The name of a concept with the words beside it, as many
 * as some sponsor's name has all together; null where that takes no word which names no concept.
 */
export function sponsorWords(
  image: SnapshotImage,
  { written, units, isOfConcept }: QueryWords,
  { from, to }: { from: number; to: number },
): SponsorWords | null {
  if (to - from === units.length) return null;
  const requirementOf = (place: number): Requirement => unitRequirement(units[place] as TextUnit, POSTING.sponsor);
  const taken = Array.from({ length: to - from }, (_, place) => from + place);
  let rows: RowSet = intersect(taken.map((place) => rowsMeeting(image, requirementOf(place))));
  let others = 0;
  /** Takes words one after the other, until no sponsor's name has the next one besides. */
  const take = (places: readonly number[]): void => {
    for (const place of places) {
      if (saysNothing(written[place] as string)) continue;
      const next = intersect([rows, rowsMeeting(image, requirementOf(place))]);
      if (next.count === 0) return;
      rows = next;
      taken.push(place);
      if (!isOfConcept(place)) others += 1;
    }
  };
  if (rows.count === 0) return null;
  take(Array.from({ length: from }, (_, before) => from - 1 - before));
  take(Array.from({ length: units.length - to }, (_, after) => to + after));
  if (others === 0) return null;
  taken.sort((a, b) => a - b);
  const words = written.slice(taken[0], (taken.at(-1) as number) + 1).join(' ');
  return { words, requirement: { allOf: taken.map(requirementOf) } };
}
