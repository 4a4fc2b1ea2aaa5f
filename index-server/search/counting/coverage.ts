import { REGISTRY_IDS, type RegistryId } from '../../../contract/ids.ts';
import type { CoverageRecord, StatsRecord } from '../../../contract/schemas/trials/counts.ts';
import { LINK_FLAGS, POSTING } from '../../../snapshot/format/serving-columns.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { type CompiledFilters, compileFilters, filtersKey } from '../filters.ts';
import { ImageCache, KEPT_COUNTS, KEPT_FROM_TRIALS } from '../image-cache.ts';
import { matchingRows } from '../matching.ts';
import { countNext, type Preparation, type Tally, tallyOf } from './tally.ts';

/** What the image holds; a registry that never answered counts 0 here (present-counts.ts makes it unknown). */
export interface Coverage extends Pick<CoverageRecord, 'distinct' | 'crossReferences'> {
  registrations: Record<RegistryId, number>;
  exclusive: Record<RegistryId, number>;
  inBoth: number;
  inflation: number;
}

/** What the index holds as a whole: counts of all trials, and of each topic in the reviewed order. */
export type Stats = { corpus: Coverage } & Pick<StatsRecord, 'topics'>;

export function stats(image: SnapshotImage): Stats {
  const trialsOf = (key: string): number => image.posting(key)?.count ?? 0;
  return {
    corpus: coverage(image, compileFilters({})),
    topics: image.topics.map(({ id, title, reading }) => ({
      id,
      title,
      trials: trialsOf(POSTING.topic + id),
      trialsByConcepts: reading === null ? null : trialsOf(POSTING.topicByConcepts + id),
    })),
  };
}

const ALL_REGISTRIES = (1 << REGISTRY_IDS.length) - 1;
const LINK_BITS = 4;

/** Trials by the registries that hold them and by their link flags, and their unresolved numbers. */
class CoverageTally implements Tally<CoverageTally> {
  readonly #image: SnapshotImage;
  readonly counts: Uint32Array;
  trials: number;
  unresolved: number;
  trialsWithUnresolved: number;

  constructor(image: SnapshotImage, from: CoverageTally | null = null) {
    this.#image = image;
    this.counts = from?.counts.slice() ?? new Uint32Array((ALL_REGISTRIES + 1) << LINK_BITS);
    this.trials = from?.trials ?? 0;
    this.unresolved = from?.unresolved ?? 0;
    this.trialsWithUnresolved = from?.trialsWithUnresolved ?? 0;
  }

  copy(): CoverageTally {
    return new CoverageTally(this.#image, this);
  }

  count(rows: Uint32Array, step: 1 | -1): void {
    const { registries, links, unresolved } = this.#image.columns;
    const { counts } = this;
    let openSum = 0;
    let withOpen = 0;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] as number;
      const place = ((registries[row] as number) << LINK_BITS) | (links[row] as number);
      counts[place] = (counts[place] as number) + step;
      const open = unresolved[row] as number;
      if (open === 0) continue;
      openSum += open;
      withOpen += 1;
    }
    this.trials += step * rows.length;
    this.unresolved += step * openSum;
    this.trialsWithUnresolved += step * withOpen;
  }
}

/** Counts of all trials of an image. */
const wholes = new WeakMap<SnapshotImage, CoverageTally>();

function wholeCoverage(image: SnapshotImage): CoverageTally {
  const known = wholes.get(image);
  if (known !== undefined) return known;
  const tally = new CoverageTally(image);
  countNext(tally, image.trials, image.trials);
  wholes.set(image, tally);
  return tally;
}

/** Rows counted in one slice: about a millisecond. */
const STEP_ROWS = 65_536;

/** Counts all trials in slices, so that the first coverage does not. The image must be held until it is done. */
export async function prepareCoverage(image: SnapshotImage, { pause, isWanted }: Preparation): Promise<void> {
  if (wholes.has(image)) return;
  const tally = new CoverageTally(image);
  while (tally.trials < image.trials) {
    countNext(tally, image.trials, STEP_ROWS);
    await pause();
    if (!isWanted()) return;
  }
  wholes.set(image, tally);
}

const kept = new ImageCache<Coverage>(KEPT_COUNTS);

/** Counts over the matching trials. The answer may be cached: do not change it. */
export function coverage(image: SnapshotImage, filters: CompiledFilters): Coverage {
  const key = filtersKey(filters);
  const known = key === null ? undefined : kept.get(image, key);
  if (known !== undefined) return known;
  const counts = countCoverage(image, filters);
  if (key !== null && counts.distinct >= KEPT_FROM_TRIALS) kept.set(image, key, counts);
  return counts;
}

function countCoverage(image: SnapshotImage, filters: CompiledFilters): Coverage {
  const set = matchingRows(image, filters);
  const tally = tallyOf(
    set,
    image.trials,
    () => new CoverageTally(image),
    () => wholeCoverage(image),
  );
  const byRegistries = new Uint32Array(ALL_REGISTRIES + 1);
  const byLinks = new Uint32Array(1 << LINK_BITS);
  const bothByLinks = new Uint32Array(1 << LINK_BITS);
  tally.counts.forEach((count, place) => {
    const held = place >>> LINK_BITS;
    const flags = place % (1 << LINK_BITS);
    byRegistries[held] = (byRegistries[held] as number) + count;
    byLinks[flags] = (byLinks[flags] as number) + count;
    if (held === ALL_REGISTRIES) bothByLinks[flags] = count;
  });
  const inBoth = byRegistries[ALL_REGISTRIES] as number;
  const perRegistry = (count: (bit: number) => number): Record<RegistryId, number> =>
    Object.fromEntries(REGISTRY_IDS.map((id, number) => [id, count(1 << number)])) as Record<RegistryId, number>;
  const registrations = perRegistry((bit) => sumWhere(byRegistries, (held) => (held & bit) !== 0));
  return {
    distinct: tally.trials,
    registrations,
    exclusive: perRegistry((bit) => byRegistries[bit] as number),
    inBoth,
    inflation: Object.values(registrations).reduce((sum, count) => sum + count, 0) - tally.trials,
    crossReferences: {
      mutual: sumWhere(bothByLinks, (flags) => strongest(flags) === LINK_FLAGS.mutual),
      oneWay: sumWhere(bothByLinks, (flags) => strongest(flags) === LINK_FLAGS.oneWay),
      shared: sumWhere(bothByLinks, (flags) => strongest(flags) === LINK_FLAGS.shared),
      conflicting: sumWhere(byLinks, (flags) => (flags & LINK_FLAGS.conflict) !== 0),
      unresolved: tally.unresolved,
      trialsWithUnresolved: tally.trialsWithUnresolved,
    },
  };
}

function strongest(flags: number): number {
  for (const flag of [LINK_FLAGS.mutual, LINK_FLAGS.oneWay, LINK_FLAGS.shared]) if ((flags & flag) !== 0) return flag;
  return 0;
}

function sumWhere(counts: Uint32Array, holds: (index: number) => boolean): number {
  return counts.reduce((sum, count, index) => (holds(index) ? sum + count : sum), 0);
}
