/** How many versions gc keeps; each count is of versions that differ in content. */
export interface Retention {
  /** The newest, and of CURRENT and its parents. */
  keep: number;
  /** The newest of each day, for this many days that have a version; weeks begin on Monday, all in UTC. */
  daily: number;
  weekly: number;
  monthly: number;
}

/** Nightly runs: a week of days, a month of weeks, half a year of months, about 15 versions in all. */
export const DEFAULT_RETENTION: Retention = { keep: 7, daily: 7, weekly: 4, monthly: 6 };

export interface StoredVersion {
  version: string;
  contentHash: string;
  parent: string | null;
}

/** Why each kept version is kept. `stored` is newest first; of equal contents only the newest counts. */
export function retained(
  stored: readonly StoredVersion[],
  { current, pins }: { current: string | null; pins: ReadonlySet<string> },
  retention: Retention,
): Map<string, string[]> {
  const reasons = new Map<string, string[]>();
  const keep = (version: string, reason: string): void => {
    reasons.set(version, [...(reasons.get(version) ?? []), reason]);
  };
  const distinct = [...new Map(stored.toReversed().map((one) => [one.contentHash, one])).values()]
    .map(({ version }) => version)
    .sort()
    .reverse();
  for (const { version } of stored) {
    if (version === current) keep(version, 'served');
    if (pins.has(version)) keep(version, 'pinned');
  }
  for (const version of distinct.slice(0, retention.keep)) keep(version, 'newest');
  for (const version of parentsOf(stored, current, retention.keep)) keep(version, 'parent of the served one');
  for (const [name, count, periodOf] of [
    ['day', retention.daily, dayOf],
    ['week', retention.weekly, weekOf],
    ['month', retention.monthly, monthOf],
  ] as const) {
    const newestOf = new Map(distinct.toReversed().map((version) => [periodOf(version), version]));
    const periods = [...newestOf.keys()].sort().reverse().slice(0, count);
    for (const period of periods) keep(newestOf.get(period) as string, `${name} ${period}`);
  }
  return reasons;
}

/** Parents of CURRENT that are on disk, nearest first, until `count` contents are together with its own. */
function parentsOf(stored: readonly StoredVersion[], current: string | null, count: number): string[] {
  const byVersion = new Map(stored.map((one) => [one.version, one]));
  const contents = new Set<string>();
  const parents: string[] = [];
  let one = current === null ? undefined : byVersion.get(current);
  while (one !== undefined && contents.size < count) {
    if (one.version !== current && !contents.has(one.contentHash)) parents.push(one.version);
    contents.add(one.contentHash);
    one = one.parent === null ? undefined : byVersion.get(one.parent);
  }
  return parents;
}

function dayOf(version: string): string {
  return `${version.slice(0, 4)}-${version.slice(4, 6)}-${version.slice(6, 8)}`;
}

function monthOf(version: string): string {
  return dayOf(version).slice(0, 7);
}

/** Its Monday. */
function weekOf(version: string): string {
  const day = new Date(`${dayOf(version)}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}
