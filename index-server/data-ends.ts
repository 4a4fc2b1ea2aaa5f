import type { RegistryId } from '../contract/ids.ts';
import type { Manifest } from '../snapshot-format/manifest.ts';
import { registryStates } from './present-counts.ts';
import type { RegistrySources } from './sources.ts';

/** Where the data of a registry ends, counts by time fall for no reason of the trials: it is said instead of shown as a decline. */

export interface DataEnd {
  name: string;
  /** Day of its data, YYYY-MM-DD. */
  day: string;
  /** Whether it ends further before the snapshot's day than the registry's data may by the age that is promised for it. */
  isEarly: boolean;
}

const DAY_MS = 86_400_000;
const DAY_HOURS = 24;

/** Of each registry that the query covers and that answered, where its data ends; after the snapshot's day counts as on it. */
export function dataEnds(
  manifest: Manifest,
  registries: readonly RegistryId[] | undefined,
  sources: RegistrySources,
): DataEnd[] {
  return registryStates(manifest).flatMap(({ registry, dataDay }): DataEnd[] => {
    if (dataDay === null || registries?.includes(registry) === false) return [];
    const { name, promisedHours } = sources.of(registry);
    const days = (Date.parse(manifest.asOf) - Date.parse(dataDay)) / DAY_MS;
    const [day = dataDay] = [dataDay, manifest.asOf].sort();
    return [{ name, day, isEarly: days > Math.ceil(promisedHours / DAY_HOURS) }];
  });
}

/** The day up to which every covered registry's data reaches. */
export function wholeUntil(ends: readonly DataEnd[], { asOf }: Pick<Manifest, 'asOf'>): string {
  return ends.map(({ day }) => day).sort()[0] ?? asOf;
}

/** What a landscape says where the windows of its momentum reach beyond a registry's data. */
export function momentumNotice(ends: readonly DataEnd[], { asOf }: Pick<Manifest, 'asOf'>): string[] {
  const early = ends.filter(({ isEarly }) => isEarly);
  if (early.length === 0) return [];
  return [
    `momentum counts to ${asOf}, but ${endsOf(early)}: its windows lack the trials since then (ended: false), and a change is no decline.`,
  ];
}

/** What a trend says of the periods that are not whole; null where all of them are. */
export function trendNotice(
  periods: readonly { period: string; ended: boolean }[],
  ends: readonly DataEnd[],
  { asOf }: Pick<Manifest, 'asOf'>,
): string | null {
  const first = periods.find(({ ended }) => !ended);
  if (first === undefined) return null;
  const early = ends.filter(({ isEarly }) => isEarly);
  const why = early.length > 0 ? endsOf(early) : `the snapshot is of ${asOf}`;
  return `Periods from ${first.period} on are not whole (ended: false), because ${why}: fewer trials there are no decline.`;
}

function endsOf(early: readonly DataEnd[]): string {
  return early.map(({ name, day }) => `the data of ${name} ends on ${day}`).join(' and ');
}
