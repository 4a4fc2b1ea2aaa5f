import type { RegistryId } from '../contract/ids.ts';
import type { LandscapeRecord } from '../contract/schemas/trials/counts.ts';
import type { LandscapeAgainst } from '../contract/schemas/trials/landscape-against.ts';
import {
  PHASES,
  RECRUITMENT_STATUSES,
  SPONSOR_CLASSES,
  STUDY_TYPES,
  TRIAL_STATUSES,
} from '../contract/vocabularies.ts';
import type { Manifest } from '../snapshot/format/versions/manifest.ts';
import { registryStates } from './present-counts.ts';
import { mix } from './search/counting/landscape.ts';
import type { CompiledFilters } from './search/filters.ts';
import { matchingRows } from './search/matching.ts';
import { rowsOf } from './search/row-set.ts';
import type { SnapshotImage } from './snapshot/snapshot-image.ts';

type Mix = { value: string; trials: number }[];
/** The counts that two versions are compared by. */
export type ComparedCounts = Pick<
  LandscapeRecord,
  'trials' | 'phases' | 'statuses' | 'recruitmentStatuses' | 'studyTypes' | 'sponsorClasses'
>;

/** They are counted row by row: a whole landscape would first make the codes of every trial of the image. */
export function comparedCounts(image: SnapshotImage, filters: CompiledFilters): ComparedCounts {
  const rows = rowsOf(matchingRows(image, filters));
  const { phase, status, recruitment, studyType, sponsorClass } = image.columns;
  return {
    trials: rows.length,
    phases: mix(rows, phase, PHASES),
    statuses: mix(rows, status, TRIAL_STATUSES),
    recruitmentStatuses: mix(rows, recruitment, RECRUITMENT_STATUSES),
    studyTypes: mix(rows, studyType, STUDY_TYPES),
    sponsorClasses: mix(rows, sponsorClass, SPONSOR_CLASSES),
  };
}

interface Side {
  manifest: Manifest;
  counts: ComparedCounts;
}

/** `registries` are those that the query is narrowed to. */
export function againstReply(before: Side, now: Side, registries: readonly RegistryId[] | undefined): LandscapeAgainst {
  const states = registryStates(now.manifest);
  const earlier = new Map(registryStates(before.manifest).map((one) => [one.registry, one]));
  const sides = states.flatMap(({ registry, state, dataDay }) => {
    const then = earlier.get(registry);
    if (then === undefined) return [];
    return [{ registry, before: { state: then.state, dataDay: then.dataDay }, now: { state, dataDay } }];
  });
  const isComparable = sides.every(
    (side) =>
      registries?.includes(side.registry) === false ||
      (side.before.state === 'unanswered') === (side.now.state === 'unanswered'),
  );
  const change = (then: number, since: number) => ({
    ...{ before: then, now: since, change: isComparable ? since - then : null },
  });
  const changes = <Values extends Mix>(of: (counts: ComparedCounts) => Values) =>
    of(now.counts).map(({ value, trials }, place) => ({
      value: value as Values[number]['value'],
      ...change(of(before.counts)[place]!.trials, trials),
    }));
  const { version, createdAt, asOf, rules } = before.manifest;
  return {
    ...{ version, createdAt, asOf, sameRules: rules.sha256 === now.manifest.rules.sha256, registries: sides },
    trials: change(before.counts.trials, now.counts.trials),
    phases: changes(({ phases }) => phases),
    statuses: changes(({ statuses }) => statuses),
    recruitmentStatuses: changes(({ recruitmentStatuses }) => recruitmentStatuses),
    studyTypes: changes(({ studyTypes }) => studyTypes),
    sponsorClasses: changes(({ sponsorClasses }) => sponsorClasses),
  };
}
