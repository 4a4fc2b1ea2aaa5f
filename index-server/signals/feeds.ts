import { FRESHNESS_PROMISE_HOURS } from '../../contract/limits-research.ts';
import type { Manifest } from '../../snapshot-format/manifest.ts';

/** How a feed stands at a moment. */
export interface FeedStanding {
  feed: string;
  state: 'answered' | 'unanswered';
  /** Items held; null when unanswered: unknown, never zero. */
  items: number | null;
  lastSuccessAt: string | null;
  ageHours: number | null;
  stale: boolean;
  reason: string | null;
}

const HOUR_MS = 3_600_000;

/** Standings of the feeds that the snapshot was made of; empty where it was made of none. */
export function feedStandings(manifest: Manifest, now: Date): FeedStanding[] {
  return (manifest.feeds ?? []).map(({ feed, state, items, lastSuccessAt, stale, reason }) => {
    const ageHours =
      lastSuccessAt === null
        ? null
        : Math.max(0, Math.round(((now.getTime() - Date.parse(lastSuccessAt)) / HOUR_MS) * 10) / 10);
    const old = ageHours === null || ageHours > FRESHNESS_PROMISE_HOURS.signals;
    return { feed, state, items, lastSuccessAt, ageHours, stale: stale || old, reason: reason ?? null };
  });
}
