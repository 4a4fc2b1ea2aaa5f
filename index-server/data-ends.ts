import { REGISTRY_IDS } from '../contract/ids.ts';
import { basisOf } from '../snapshot/format/registry-answer.ts';
import type { RegistrySources } from '../snapshot/format/registry-sources.ts';
import { registryNumber } from '../snapshot/format/serving-columns.ts';
import type { Manifest } from '../snapshot/format/versions/manifest.ts';
import { dayToIso } from '../snapshot/format/words/dates.ts';
import { madeOnce } from './search/image-cache.ts';
import type { SnapshotImage } from './snapshot/snapshot-image.ts';

/** Where the data of a registry ends, counts by time fall for no reason of the trials: it is said instead of shown as a decline. */

export interface DataEnd {
  /** Day up to which the data is whole, YYYY-MM-DD; at most the snapshot's day. */
  day: string;
  /** Where that is well before the snapshot's day: how it is known, as a sentence says it. */
  early: string | null;
}

const DAY_MS = 86_400_000;
const DAY_HOURS = 24;

/** Of each registry that the query covers and that answered, where its data ends. */
export function dataEnds(
  { image, manifest }: { image: SnapshotImage; manifest: Manifest },
  registries: readonly string[] | undefined,
  sources: RegistrySources,
): DataEnd[] {
  return manifest.registries.flatMap((held): DataEnd[] => {
    const { registry } = held;
    const { dataDay } = basisOf(held, manifest);
    if (dataDay === null || registries?.includes(registry) === false) return [];
    const { name, promisedHours } = sources.of(registry);
    const newest = mostUpdatedBy(image)[registryNumber(registry)];
    if (newest != null && daysBetween(newest, manifest.asOf) > SILENT_DAYS) {
      return [{ day: newest, early: `99 of 100 registrations of ${name} were last updated by ${newest}` }];
    }
    const [day = dataDay] = [dataDay, manifest.asOf].sort();
    const isEarly = daysBetween(dataDay, manifest.asOf) > Math.ceil(promisedHours / DAY_HOURS);
    return [{ day, early: isEarly ? `the data of ${name} ends on ${day}` : null }];
  });
}

function daysBetween(earlier: string, later: string): number {
  return (Date.parse(later) - Date.parse(earlier)) / DAY_MS;
}

/**
 * A registry that lives updates one record in a hundred within days (ClinicalTrials.gov some 1,500 of 580,000 a day). Where that
 * is half a year ago, an old data set is held, whatever day it was imported on and however new a few of its records are.
 */
const SILENT_DAYS = 183;
const MOST = 0.99;
/** Of fewer registrations, one in a hundred says nothing. */
const LEAST_REGISTRATIONS = 1000;
/** In the year 2149. */
const LATEST_DAY = 0xffff;

/**
 * By registry, the day by which MOST of the trials that only it holds were last updated; null where they are too few to say. Counts by
 * day in one pass: sorting the days of all trials would keep other requests waiting.
 */
const mostUpdatedBy = madeOnce(({ columns, trials }: SnapshotImage): (string | null)[] => {
  const byDay = REGISTRY_IDS.map(() => new Uint32Array(LATEST_DAY + 1));
  for (let row = 0; row < trials; row++) {
    const day = columns.updatedLast[row] as number;
    // The bits of one registry alone, or of several.
    const counts = byDay[Math.log2(columns.registries[row] as number)];
    if (counts !== undefined && day >= 0 && day <= LATEST_DAY) counts[day] = (counts[day] as number) + 1;
  }
  return byDay.map((counts) => {
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (total < LEAST_REGISTRATIONS) return null;
    let day = 0;
    for (let count = counts[0] as number; count < total * MOST; count += counts[day] as number) day += 1;
    return dayToIso(day);
  });
});

/** The day up to which the data of every covered registry is whole. */
export function wholeUntil(ends: readonly DataEnd[], { asOf }: Pick<Manifest, 'asOf'>): string {
  return ends.map(({ day }) => day).sort()[0] ?? asOf;
}

/** What a landscape says where the windows of its momentum reach beyond a registry's data. */
export function momentumNotice(ends: readonly DataEnd[], { asOf }: Pick<Manifest, 'asOf'>): string[] {
  const early = ends.flatMap((end) => end.early ?? []);
  if (early.length === 0) return [];
  return [
    `momentum counts to ${asOf}, but ${early.join(' and ')}: its windows lack the trials since then (ended: false), and a change is no decline.`,
  ];
}

/** What a trend says of the periods that are not whole, and of those whose starts are all planned. */
export function trendNotices(
  periods: readonly { period: string; ended: boolean; planned: boolean; trials: number | null }[],
  ends: readonly DataEnd[],
  { asOf }: Pick<Manifest, 'asOf'>,
): string[] {
  const first = periods.find(({ ended }) => !ended);
  if (first === undefined) return [];
  const early = ends.flatMap((end) => end.early ?? []);
  const why = early.length > 0 ? early.join(' and ') : `the snapshot is of ${asOf}`;
  const later = periods.filter(({ planned }) => planned);
  const trials = later.reduce((sum, one) => sum + (one.trials ?? 0), 0);
  return [
    `Periods from ${first.period} on are not whole (ended: false), because ${why}: fewer trials there are no decline.`,
    ...(later[0] === undefined
      ? []
      : [
          `Periods from ${later[0].period} on begin after ${asOf} (planned: true): their starts (${trials}) are planned, and withStart counts them too.`,
        ]),
  ];
}
