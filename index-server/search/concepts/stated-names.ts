import { POSTING } from '../../../snapshot/format/serving-columns.ts';
import { nameKey } from '../../../snapshot/format/words/other-names.ts';
import { type TextUnit, textUnits, unitKeys } from '../../../snapshot/format/words/tokens.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { ImageCache } from '../image-cache.ts';
import { pageOf, union } from '../row-set.ts';

/** Another name of a substance, as registrations state it beside the one that was asked for. */
export interface StatedName {
  name: string;
  /** How many trials state both for one intervention. */
  trials: number;
  /** Row of one of them. */
  example: number;
}

/**
 * Smallest share of the trials with either name in an intervention that state both for one. Below it the pair says little:
 * one registration that calls its drug "chemotherapy" makes the two no names of one substance.
 */
const LEAST_SHARE = 1 / 50;
/** Names beyond these are left out; the most often stated are kept. */
const NAMES_MAX = 20;

const KEPT_NAMES = 2000;
const kept = new ImageCache<StatedName[]>(KEPT_NAMES);

/**
 * Names that registrations state beside this one, whose keys of pairs begin with `prefix`. One step: the names beside those
 * are not followed.
 */
export function statedBeside(image: SnapshotImage, prefix: string, units: readonly TextUnit[]): readonly StatedName[] {
  const pairs = POSTING.otherName + prefix;
  const { from, to } = image.keysWith(pairs);
  if (from === to) return [];
  // Two phrases of one key may have different words: "AZD9291" and "AZD 9291".
  const key = JSON.stringify([prefix, units]);
  const known = kept.get(image, key) ?? namesAmong(image, image.postingsFrom(pairs), units);
  kept.set(image, key, known);
  return known;
}

type Pairs = ReturnType<SnapshotImage['postingsFrom']>;

function namesAmong(image: SnapshotImage, pairs: Pairs, units: readonly TextUnit[]): StatedName[] {
  const asked = interventionsWith(image, units);
  const spellings = Map.groupBy(pairs, ({ rest }) => nameKey(rest));
  const names = [...spellings.values()].flatMap((same): StatedName[] => {
    const rows = union(
      same.map(({ posting }) => posting),
      image.trials,
    );
    if (rows.count < asked * LEAST_SHARE) return [];
    const name = (same[0] as (typeof same)[number]).rest;
    const others = interventionsWith(image, textUnits(name));
    if (rows.count < others * LEAST_SHARE) return [];
    return [{ name, trials: rows.count, example: pageOf(rows, 0, 1)[0] as number }];
  });
  return names.sort((a, b) => b.trials - a.trials || (a.name < b.name ? -1 : 1)).slice(0, NAMES_MAX);
}

/** At most so many trials have these words in an intervention: as many as have the rarest of them. */
function interventionsWith(image: SnapshotImage, units: readonly TextUnit[]): number {
  const counts = units.map((unit) =>
    Math.max(...unitKeys([unit]).map((key) => image.posting(POSTING.intervention + key)?.count ?? 0)),
  );
  return Math.min(...counts);
}
