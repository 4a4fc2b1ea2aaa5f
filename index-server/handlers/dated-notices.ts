import type { RegistrySources } from '../../snapshot/format/registry-sources.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { snapshotDay } from '../../snapshot/format/versions/snapshot-day.ts';
import { dataEnds } from '../data-ends.ts';
import type { TrialFilters } from '../search/filters.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';

/** What an answer says of days that have not come yet, and of records that were not updated for long. */

interface Served {
  image: SnapshotImage;
  manifest: Manifest;
}

export function datedNotices(query: TrialFilters, lease: Served, sources: RegistrySources): string[] {
  return [...plannedNotices(query, lease.manifest), ...staleNotices(query, lease, sources)];
}

/** Ranges of days that can be planned. */
const PLANNED = [
  ['startedAfter', 'startedBefore'],
  ['completedAfter', 'completedBefore'],
  ['primaryCompletionAfter', 'primaryCompletionBefore'],
] as const;
/** Of trials with one of these, the days have come. */
const ENDED: readonly string[] = ['completed', 'terminated'];

/** A day that a record states may be planned: "started since" would count trials that have not begun. */
function plannedNotices(query: TrialFilters, manifest: Manifest): string[] {
  const { asOf } = manifest;
  const today = snapshotDay(manifest);
  if (query.status?.every((status) => ENDED.includes(status))) return [];
  return PLANNED.flatMap(([after, before]) => {
    const [from, to] = [query[after], query[before]];
    if (from === undefined || (to !== undefined && to <= today)) return [];
    return from > today
      ? `${after} is a day after ${asOf}, the day of the data: what all these trials state is planned.`
      : `${after} also finds days after ${asOf}, which are planned: ${before}=${asOf} leaves them out.`;
  });
}

/** Statuses that a record has for a time. */
const PASSING: readonly string[] = [
  ...['active', 'running', 'suspended', 'not_yet_recruiting', 'recruiting', 'enrolling_by_invitation'],
  ...['active_not_recruiting', 'available', 'temporarily_not_available'],
];

/** Where the data of a registry ends early, what its records state of today is of that day. */
function staleNotices(query: TrialFilters, lease: Served, sources: RegistrySources): string[] {
  const asked = [
    ...(query.status?.some((status) => PASSING.includes(status)) ? ['status'] : []),
    ...(query.resultsAvailable === false ? ['resultsAvailable=false'] : []),
    ...(query.resultsGap === true ? ['resultsGap=true'] : []),
  ];
  if (asked.length === 0) return [];
  const early = dataEnds(lease, query.registry, sources).flatMap((end) => end.early ?? []);
  if (early.length === 0) return [];
  return [
    `${asked.join(' and ')} ${asked.length > 1 ? 'are' : 'is'} as the records stated it, and ${early.join(' and ')}: what has changed since is not counted.`,
  ];
}
