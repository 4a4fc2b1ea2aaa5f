import { REGISTRY_IDS, type RegistryId } from '../../../contract/ids.ts';
import type { CoverageRecord, StatsRecord } from '../../../contract/schemas/trials/counts.ts';
import { LINK_FLAGS, POSTING } from '../../../snapshot/format/serving-columns.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { compileFilters } from '../filters.ts';
import { cachedCounts } from './cached-counts.ts';
import { sumOf } from './columns.ts';

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
function countLinks({ columns: { registries, links, unresolved } }: SnapshotImage, rows: Uint32Array) {
  const counts = new Uint32Array((ALL_REGISTRIES + 1) << LINK_BITS);
  let [numbers, trials] = [0, 0];
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    const place = ((registries[row] as number) << LINK_BITS) | (links[row] as number);
    counts[place] = (counts[place] as number) + 1;
    const open = unresolved[row] as number;
    numbers += open;
    if (open !== 0) trials += 1;
  }
  return { counts, unresolved: numbers, trialsWithUnresolved: trials };
}

/** Counts over the matching trials. */
export const coverage = cachedCounts((image, rows): Coverage => {
  const linked = countLinks(image, rows);
  const byRegistries = new Uint32Array(ALL_REGISTRIES + 1);
  const byLinks = new Uint32Array(1 << LINK_BITS);
  const bothByLinks = new Uint32Array(1 << LINK_BITS);
  linked.counts.forEach((count, place) => {
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
    distinct: rows.length,
    registrations,
    exclusive: perRegistry((bit) => byRegistries[bit] as number),
    inBoth,
    inflation: sumOf(Object.values(registrations)) - rows.length,
    crossReferences: {
      mutual: sumWhere(bothByLinks, (flags) => strongest(flags) === LINK_FLAGS.mutual),
      oneWay: sumWhere(bothByLinks, (flags) => strongest(flags) === LINK_FLAGS.oneWay),
      shared: sumWhere(bothByLinks, (flags) => strongest(flags) === LINK_FLAGS.shared),
      conflicting: sumWhere(byLinks, (flags) => (flags & LINK_FLAGS.conflict) !== 0),
      unresolved: linked.unresolved,
      trialsWithUnresolved: linked.trialsWithUnresolved,
    },
  };
});

function strongest(flags: number): number {
  for (const flag of [LINK_FLAGS.mutual, LINK_FLAGS.oneWay, LINK_FLAGS.shared]) if ((flags & flag) !== 0) return flag;
  return 0;
}

function sumWhere(counts: Uint32Array, holds: (index: number) => boolean): number {
  return counts.reduce((sum, count, index) => (holds(index) ? sum + count : sum), 0);
}
