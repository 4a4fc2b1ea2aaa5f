import type { FeedSource } from '../../pipeline/signals/feeds.ts';
import { dayOf } from './calendar.ts';
import { jsonFeed, type SampleItem, xmlFeed } from './feed-formats.ts';
import { ITEM_KINDS } from './feed-prose.ts';
import { Random, weightedTable } from './random.ts';

/** The publishers of the sample, all invented. Hosts are under .example, which nobody can own (RFC 2606). */
function sampleFeed(
  id: string,
  name: string,
  format: FeedSource['format'],
  category: FeedSource['category'],
  extra: Partial<FeedSource> = {},
): FeedSource {
  return {
    id: `synthetic-${id}`,
    name: `${name} (synthetic)`,
    publisher: `Synthetic ${name}`,
    licence: 'CC0 1.0; synthetic text',
    termsUrl: null,
    address: `https://${id}.example/feed`,
    format,
    category,
    language: 'en',
    lag: 'none: made together with the sample corpus',
    why: 'Lets every signal be looked at without a network.',
    reviewedOn: '2026-11-22',
    nextReviewOn: '2027-05-22',
    verified: true,
    ...extra,
  };
}

const FEEDS: readonly FeedSource[] = [
  sampleFeed('registry', 'Registry Bulletin', 'rss', 'registry'),
  sampleFeed('regulator', 'Regulator Notices', 'atom', 'regulator', { language: 'en-GB' }),
  sampleFeed('funder', 'Research Council', 'rss', 'funder', { language: 'en-GB' }),
  sampleFeed('preprints', 'Preprint Server', 'rss1', 'preprint'),
  sampleFeed('journal', 'Open Journal', 'json', 'journal'),
  sampleFeed('newswire', 'Newswire', 'rss', 'news'),
];

/** The list of the synthetic feeds, in the form of `data/sources/feeds.json`. */
export const SAMPLE_FEED_LIST = {
  note: 'Synthetic feeds: every publisher and every item of them is invented.',
  reviewedOn: '2026-11-22',
  nextReviewOn: '2027-05-22',
  feeds: FEEDS,
};

/** Number among the streams of `Random`; the corpus uses small ones. */
const FEED_STREAM = 0x5e0;
const DAYS = 120;
const SECONDS_PER_DAY = 86_400;
/** Mean number of items a day, by feed. */
const RATES: Readonly<Record<string, number>> = {
  'synthetic-registry': 1,
  'synthetic-regulator': 0.6,
  'synthetic-funder': 0.5,
  'synthetic-preprints': 1.4,
  'synthetic-journal': 0.8,
  'synthetic-newswire': 0.7,
};

/** One file a feed, named by its id; equal options give equal bytes on every machine. */
export function feedFiles(options: { seed: number; asOf: string }): { name: string; text: string }[] {
  return FEEDS.map((feed, place) => {
    const items = itemsOf(feed, place, options);
    return feed.format === 'json'
      ? { name: `${feed.id}.json`, text: jsonFeed(feed, items) }
      : { name: `${feed.id}.xml`, text: xmlFeed(feed, items) };
  });
}

/** Items of a feed, newest first, with oddities that real feeds have at fixed places. */
function itemsOf(feed: FeedSource, place: number, { seed, asOf }: { seed: number; asOf: string }): SampleItem[] {
  const random = new Random(seed, FEED_STREAM, place);
  const host = new URL(feed.address).host;
  const kinds = weightedTable(ITEM_KINDS.map((kind) => [kind, kind.weights[feed.category] ?? 1] as const));
  const items: SampleItem[] = [];
  for (let ago = 0; ago < DAYS; ago++) {
    // Some more in the newest month, so that momentum is not nought.
    const mean = (RATES[feed.id] ?? 1) * (ago < 30 ? 1.3 : 0.9);
    const today = Math.floor(mean) + (random.chance(mean % 1) ? 1 : 0);
    const seconds = Array.from({ length: today }, () => random.below(SECONDS_PER_DAY)).sort((a, b) => b - a);
    for (const second of seconds) {
      const number = String(items.length + 1).padStart(4, '0');
      const kind = random.weighted(kinds);
      items.push({
        ...kind.write(random),
        url: `https://${host}/items/${number}`,
        guid: `synthetic:${feed.id}:${number}`,
        at: new Date(((dayOf(asOf) - ago) * SECONDS_PER_DAY + second) * 1000),
      });
    }
  }
  return withOddities(items, feed, asOf);
}

function withOddities(items: SampleItem[], feed: FeedSource, asOf: string): SampleItem[] {
  const [first, second, third] = items;
  if (first === undefined || second === undefined || third === undefined) return items;
  switch (feed.category) {
    // The newswire repeats an item of the regulator, with the marks of a mailing, and dates one a year ahead.
    case 'news':
      first.url = 'http://REGULATOR.example/items/0003?utm_source=newswire&utm_medium=feed#top';
      second.at = new Date(`${Number(asOf.slice(0, 4)) + 1}${asOf.slice(4)}T12:00:00.000Z`);
      return items;
    case 'funder':
      first.at = null;
      third.url = '';
      third.guid = '';
      return items;
    case 'journal':
      second.url = '';
      return items;
    default:
      return items;
  }
}
