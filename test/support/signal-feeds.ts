import type { FeedSource } from '../../pipeline/signals/feeds.ts';

/** A feed of the list, as tests need it. */
export function feedOf(id: string, fields: Partial<FeedSource> = {}): FeedSource {
  return {
    id,
    name: `Feed ${id}`,
    publisher: `Publisher of ${id}`,
    licence: 'CC0 1.0',
    termsUrl: null,
    address: `https://${id}.example/feed`,
    format: 'rss',
    category: 'news',
    language: 'en',
    lag: 'none',
    why: 'a test',
    reviewedOn: '2026-11-22',
    nextReviewOn: '2027-05-22',
    verified: true,
    ...fields,
  };
}
