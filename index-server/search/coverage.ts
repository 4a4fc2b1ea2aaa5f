import { REGISTRY_IDS, type RegistryId } from '../../contract/ids.ts';
import { LINK_FLAGS } from '../../snapshot-format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import type { CompiledFilters } from './filters.ts';
import { matchingRows } from './matching.ts';
import { rowsOf } from './row-set.ts';

export interface Coverage {
  /** Distinct trials: the only number to quote as a total. */
  distinct: number;
  /** Registrations held per registry; never to be summed. */
  registrations: Record<RegistryId, number>;
  /** Trials held by this registry alone. */
  exclusive: Record<RegistryId, number>;
  inBoth: number;
  /** What summing the registries would count too much. */
  inflation: number;
  crossReferences: {
    /** Trials in both registries by their strongest evidence: these three sum to `inBoth`. */
    mutual: number;
    oneWay: number;
    shared: number;
    /** Trials touched by a link whose two sides name different partners. */
    conflicting: number;
    /** NCT and ISRCTN numbers that are declared but held by no record, and the trials that declare them. */
    unresolved: number;
    trialsWithUnresolved: number;
  };
}

/** Counts over the matching trials, in one pass. */
export function coverage(image: SnapshotImage, filters: CompiledFilters): Coverage {
  const { registries, links, unresolved } = image.columns;
  const rows = rowsOf(matchingRows(image, filters));
  const byRegistries = new Uint32Array(1 << REGISTRY_IDS.length);
  const byLinks = new Uint32Array(256);
  const bothByLinks = new Uint32Array(256);
  const both = (1 << REGISTRY_IDS.length) - 1;
  let unresolvedSum = 0;
  let trialsWithUnresolved = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    const held = registries[row] as number;
    const flags = links[row] as number;
    byRegistries[held] = (byRegistries[held] as number) + 1;
    byLinks[flags] = (byLinks[flags] as number) + 1;
    if (held === both) bothByLinks[flags] = (bothByLinks[flags] as number) + 1;
    const open = unresolved[row] as number;
    unresolvedSum += open;
    if (open > 0) trialsWithUnresolved += 1;
  }
  const inBoth = byRegistries[both] as number;
  const perRegistry = (count: (bit: number) => number): Record<RegistryId, number> =>
    Object.fromEntries(REGISTRY_IDS.map((id, number) => [id, count(1 << number)])) as Record<RegistryId, number>;
  const registrations = perRegistry((bit) => sumWhere(byRegistries, (held) => (held & bit) !== 0));
  return {
    distinct: rows.length,
    registrations,
    exclusive: perRegistry((bit) => byRegistries[bit] as number),
    inBoth,
    inflation: Object.values(registrations).reduce((sum, count) => sum + count, 0) - rows.length,
    crossReferences: {
      mutual: sumWhere(bothByLinks, (flags) => strongest(flags) === LINK_FLAGS.mutual),
      oneWay: sumWhere(bothByLinks, (flags) => strongest(flags) === LINK_FLAGS.oneWay),
      shared: sumWhere(bothByLinks, (flags) => strongest(flags) === LINK_FLAGS.shared),
      conflicting: sumWhere(byLinks, (flags) => (flags & LINK_FLAGS.conflict) !== 0),
      unresolved: unresolvedSum,
      trialsWithUnresolved,
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
