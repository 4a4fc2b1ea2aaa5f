import { REGISTRY_IDS, type RegistryId } from '../../../contract/ids.ts';
import type { CoverageRecord, StatsRecord } from '../../../contract/schemas/trials/counts.ts';
import { registryStates } from '../../../snapshot/format/registry-answer.ts';
import { LINK_FLAGS, POSTING } from '../../../snapshot/format/serving-columns.ts';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { allRows, type RowSet, rowsOf } from '../row-set.ts';

/** What the image holds: a registry that never answered counts 0 here. */
export interface Coverage extends Pick<CoverageRecord, 'distinct' | 'crossReferences'> {
  registrations: Record<RegistryId, number>;
  exclusive: Record<RegistryId, number>;
  inBoth: number;
  inflation: number;
}

const ALL_REGISTRIES = (1 << REGISTRY_IDS.length) - 1;
const LINK_BITS = 4;
const { mutual, oneWay, shared, conflict } = LINK_FLAGS;

/** Counts matching trials by the registries that hold them, by their links, and the numbers that they declare without a record. */
export function coverage({ columns: { registries, links, unresolved } }: SnapshotImage, matching: RowSet): Coverage {
  const rows = rowsOf(matching);
  const counts = new Uint32Array((ALL_REGISTRIES + 1) << LINK_BITS);
  let [numbers, trialsWithUnresolved] = [0, 0];
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    const place = ((registries[row] as number) << LINK_BITS) | (links[row] as number);
    counts[place] = (counts[place] as number) + 1;
    const open = unresolved[row] as number;
    numbers += open;
    if (open !== 0) trialsWithUnresolved += 1;
  }
  const sumWhere = (isCounted: (held: number, flags: number) => boolean): number =>
    counts.reduce((sum, count, place) => {
      return isCounted(place >>> LINK_BITS, place % (1 << LINK_BITS)) ? sum + count : sum;
    }, 0);
  /** Trials of both registries whose strongest link this is. */
  const strongest = (flag: number, stronger: number): number =>
    sumWhere((held, flags) => held === ALL_REGISTRIES && (flags & flag) !== 0 && (flags & stronger) === 0);
  const perRegistry = (isCounted: (held: number, bit: number) => boolean) => {
    const entries = REGISTRY_IDS.map((id, number) => [id, sumWhere((held) => isCounted(held, 1 << number))]);
    return Object.fromEntries(entries) as Record<RegistryId, number>;
  };
  const registrations = perRegistry((held, bit) => (held & bit) !== 0);
  const inBoth = sumWhere((held) => held === ALL_REGISTRIES);
  return {
    distinct: rows.length,
    registrations,
    exclusive: perRegistry((held, bit) => held === bit),
    inBoth,
    inflation: registrations.clinicaltrials_gov + registrations.isrctn - rows.length,
    crossReferences: {
      mutual: strongest(mutual, 0),
      oneWay: strongest(oneWay, mutual),
      shared: strongest(shared, mutual | oneWay),
      conflicting: sumWhere((_, flags) => (flags & conflict) !== 0),
      unresolved: numbers,
      trialsWithUnresolved,
    },
  };
}

export function coverageRecord(image: SnapshotImage, manifest: Manifest, matching: RowSet): CoverageRecord {
  const { distinct, registrations, exclusive, inBoth, inflation, crossReferences } = coverage(image, matching);
  const registries = registryStates(manifest);
  const allHeld = registries.every(({ state }) => state !== 'unanswered');
  return {
    distinct,
    registries: registries.map((one) => ({
      ...one,
      registrations: one.state === 'unanswered' ? null : registrations[one.registry],
      exclusive: one.state === 'unanswered' ? null : exclusive[one.registry],
    })),
    inBoth: allHeld ? inBoth : null,
    inflation: allHeld ? inflation : null,
    crossReferences,
  };
}

/** What the index holds as a whole: counts of all trials, and of each topic in the reviewed order. */
export function statsRecord(image: SnapshotImage, manifest: Manifest): StatsRecord {
  const trialsOf = (key: string): number => image.posting(key)?.count ?? 0;
  return {
    corpus: coverageRecord(image, manifest, allRows(image.trials)),
    topics: image.topics.map(({ id, title, reading }) => ({
      id,
      title,
      trials: trialsOf(POSTING.topic + id),
      trialsByConcepts: reading === null ? null : trialsOf(POSTING.topicByConcepts + id),
    })),
  };
}
