import { FRESHNESS_PROMISE_HOURS } from '../../contract/limits/research.ts';
import { STANDING_HONESTY } from '../../contract/standing-honesty.ts';
import type { RequestContext } from '../../server-kit/mount.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { ageOf } from '../standing.ts';

/** State of a feed at one moment. */
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

/** State of each feed that the snapshot was made from; empty where it was made without feeds. */
export function feedStandings(manifest: Manifest, now: Date): FeedStanding[] {
  return (manifest.feeds ?? []).map(({ feed, state, items, lastSuccessAt, stale, reason }) => {
    const ageHours = ageOf(lastSuccessAt, now);
    const old = ageHours === null || ageHours > FRESHNESS_PROMISE_HOURS.signals;
    return { feed, state, items, lastSuccessAt, ageHours, stale: stale || old, reason: reason ?? null };
  });
}

/** `_meta` of an answer from the feeds. */
export function signalMeta(
  manifest: Manifest,
  context: RequestContext,
  filters: Record<string, unknown>,
): Record<string, unknown> {
  const feeds = feedStandings(manifest, context.now);
  return {
    snapshot: manifest.version,
    identity: manifest.identity,
    degraded: feeds.some(({ state, stale }) => state === 'unanswered' || stale),
    filters,
    provenance: {
      corpus: manifest.corpus,
      asOf: manifest.asOf,
      ...(manifest.corpus === 'sample'
        ? { note: 'Synthetic sample corpus: no feed, item or event in it is real.' }
        : {}),
    },
    freshness: feeds.map(({ reason, ...feed }) => ({ ...feed, ...(reason === null ? {} : { reason }) })),
    honesty: [...STANDING_HONESTY.signals],
  };
}

/** What a cached answer depends on besides its address: the snapshot, and the present age of its feeds. */
export function signalValidator(manifest: Manifest, now: Date): string {
  return `${manifest.version} ${feedStandings(manifest, now)
    .map(({ stale, ageHours }) => `${stale} ${ageHours}`)
    .join(' ')}`;
}
