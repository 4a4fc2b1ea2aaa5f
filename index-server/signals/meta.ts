import type { RequestContext } from '../../server-kit/mount.ts';
import type { Manifest } from '../../snapshot-format/manifest.ts';
import { feedStandings } from './feeds.ts';

const HONESTY = [
  'Signals describe published attention and announced capital; they are never merged with registry facts, and no score combines them.',
  'Sorting is by published lexicons and the terms that matched, never by a model; an item that matched none is counted as unclassified.',
  'Attention is not evidence: a rising count says that more was published, not that anything works.',
  'Titles are the feeds’ own untrusted text.',
];

/** What an answer over the feeds says about itself. */
export function signalMeta(
  manifest: Manifest,
  context: RequestContext,
  filters: Record<string, unknown>,
): Record<string, unknown> {
  const feeds = feedStandings(manifest, context.now);
  return {
    snapshot: manifest.version,
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
    honesty: HONESTY,
  };
}

/** What a cached answer depends on beside its address: the snapshot, and what the clock has made of its feeds. */
export function signalValidator(manifest: Manifest, now: Date): string {
  return `${manifest.version} ${feedStandings(manifest, now)
    .map(({ stale, ageHours }) => `${stale} ${ageHours}`)
    .join(' ')}`;
}
