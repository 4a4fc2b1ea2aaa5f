import type { HopeRecord } from '../../contract/schemas/trials/signals.ts';
import { registryStates } from '../../snapshot/format/registry-answer.ts';
import { POSTING } from '../../snapshot/format/serving-columns.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { coverage } from '../search/counting/coverage.ts';
import { type CompiledFilters, compileFilters } from '../search/filters.ts';
import { matchingRows } from '../search/matching.ts';
import { allRows } from '../search/row-set.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { holdsKeyword } from './curated.ts';
import { SIGNAL_TEXTS } from './formulas.ts';

const CENSUS_REGISTRY = 'clinicaltrials_gov';
export interface Disease {
  id: string;
  title: string;
}

/** The curated diseases that match the keyword. A snapshot may lack a topic; its title is then the id. */
export function diseasesOf(image: SnapshotImage, ids: readonly string[], keyword: string | undefined): Disease[] {
  const known = new Map(image.topics.map(({ id, title }) => [id, title]));
  return ids
    .map((id) => ({ id, title: known.get(id) ?? id }))
    .filter(({ id, title }) => holdsKeyword(keyword, [id, title]));
}

/** The census of one registry: in all, per disease and for the keyword; null where it is unknown. */
export function trialCounts(
  image: SnapshotImage,
  manifest: Manifest,
  diseases: readonly Disease[],
  keyword: string | undefined,
): NonNullable<HopeRecord['trials']> {
  const known = answered(manifest).includes(CENSUS_REGISTRY);
  const anyAnswered = answered(manifest).length > 0;
  const topics = new Set(image.topics.map(({ id }) => id));
  const counts = (filters: CompiledFilters, held: boolean) => {
    const running = { ...filters, requirements: [...filters.requirements, POSTING.runningIn + CENSUS_REGISTRY] };
    const us = known && held ? matchingRows(image, running).count : null;
    const distinct = anyAnswered && held ? matchingRows(image, filters).count : null;
    return { activeTrials: us, runningUsTrials: us, worldDistinct: distinct, distinctTrials: distinct };
  };
  const { activeTrials, runningUsTrials } = counts(compileFilters({}), true);
  return {
    census: { registry: CENSUS_REGISTRY, activeTrials, runningUsTrials, definition: SIGNAL_TEXTS.census },
    diseases: diseases.map(({ id, title }) => ({
      id,
      title,
      ...counts(compileFilters({ topic: id }), topics.has(id)),
    })),
    keyword: keyword === undefined ? null : { disease: keyword, ...counts(compileFilters({ q: keyword }), true) },
  };
}

/** Counts of the whole index, beside the census. */
export function world(image: SnapshotImage, manifest: Manifest): HopeRecord['world'] {
  const known = answered(manifest).length > 0;
  const distinctTrials = known ? image.trials : null;
  const runningTrials = known ? (image.posting(`${POSTING.status}running`)?.count ?? 0) : null;
  return {
    distinct: distinctTrials,
    distinctTrials,
    running: runningTrials,
    runningTrials,
    registries: registryStates(manifest),
    note: SIGNAL_TEXTS.world,
  };
}

/** Sizes of what the platform holds. */
export function platformStats(
  image: SnapshotImage,
  manifest: Manifest,
  curated: { research: number; diseases: number },
): NonNullable<HopeRecord['stats']> {
  const states = registryStates(manifest);
  const all = states.every(({ state }) => state !== 'unanswered');
  return {
    canonicalTrials: answered(manifest).length > 0 ? image.trials : null,
    crossRegistryTrials: all ? coverage(image, allRows(image.trials)).inBoth : null,
    byRegistry: manifest.registries.map(({ registrations }, place) => ({ ...states[place]!, registrations })),
    cureResearchItems: curated.research,
    curatedDiseases: curated.diseases,
    snapshotCreatedAt: manifest.createdAt,
  };
}

function answered(manifest: Manifest): string[] {
  return manifest.registries.filter(({ state }) => state === 'answered').map(({ registry }) => registry);
}
