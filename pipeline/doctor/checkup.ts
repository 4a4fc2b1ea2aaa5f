import type { Config } from '../../server-kit/config/config.ts';
import { EuropePmc } from '../../server-kit/literature/europepmc.ts';
import { Pubmed } from '../../server-kit/literature/pubmed.ts';
import { SourceClient } from '../../server-kit/literature/source-client.ts';
import { readCurrent, readManifest, snapshotPath } from '../../snapshot/format/versions/current.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import type { Effects } from '../effects.ts';
import { feedClient } from '../signals/feed-client.ts';
import { FeedFault } from '../signals/feed-fault.ts';
import { type FeedList, type FeedSource, loadFeeds } from '../signals/feeds.ts';
import type { FetchFeed } from '../signals/fetched.ts';
import { readFeed } from '../signals/read-feed.ts';
import { type Asked, type Finding, findingOf, type Mends, networkMend, switchedOff, withNetwork } from './finding.ts';
import { askCtgov, askIsrctn } from './registries.ts';

export interface Checkup {
  findings: Finding[];
  /** The one thing to mend where no source gave an answer; null where the network is sound. */
  network: string | null;
  /** What a live run would come to now. */
  run: 'whole' | 'degraded' | 'fails';
}

const OTHERS = 'no answer of this server, while others answer';
const REGISTRY_MENDS: Mends = {
  unreached: `${OTHERS}: look whether it is down, and check CTGOV_URL or ISRCTN_URL and a proxy; a run keeps the last good set and says that it is kept`,
  refused: 'the server answers, but refuses or has moved: check CTGOV_URL or ISRCTN_URL; a run keeps the last good set',
};
const FEED_MEND = 'open the address; where the feed has moved, mend its entry in the file of FEEDS_FILE';
const FEED_MENDS: Mends = {
  unreached: `${OTHERS}: the host is down, blocks this machine or is gone; ${FEED_MEND}`,
  refused: `the server answers, but not with the feed: it has moved or refuses programs; ${FEED_MEND}`,
};
const LITERATURE_MENDS: Mends = {
  unreached: `${OTHERS}: check PUBMED_URL and EUROPEPMC_URL; the results gap waits until it answers`,
  refused: 'the server answers, but refuses: check NCBI_API_KEY, PUBMED_URL and EUROPEPMC_URL; the results gap waits',
};
const NO_TERMINOLOGY =
  'no live source of terminology is configured: words of diseases and drugs come from reviewed files in data/ and from the snapshot';
/** Source of the finding that there is no list of them; a feed has an id of its own. */
const FEED_LIST = 'feeds';
const NO_FEED_LIST = 'the list of feeds cannot be read';
const LIST_MEND = 'mend or replace the file of FEEDS_FILE; signals need it, and a run fails without it';
const FEEDS_PER_SECOND = 20;
/** A trial with papers that both sources know. */
const KNOWN_TRIAL = 'NCT00000620';
const LITERATURE_MS = 30_000;

/** Asks each live source one small question, and reads the answer as a run would. Nothing is stored or published. */
export async function checkup(config: Config, effects: Effects): Promise<Checkup> {
  const last = await lastManifest(config.snapshotsDir);
  const [ctgov, isrctn, ...others] = await Promise.all([
    registry('clinicaltrials_gov', () => askCtgov({ baseUrl: config.ctgovUrl, ...contactOf(config) }, effects)),
    registry('isrctn', () => askIsrctn({ baseUrl: config.isrctnUrl, ...contactOf(config) }, effects)),
    ...literature(config),
    ...(await feeds(config, effects, last)),
  ]);
  const registries = [ctgov, isrctn].map((finding) => ({ ...finding, lastSeenWell: seenWell(last, finding.source) }));
  const found = [...registries, ...others, switchedOff('terminology', NO_TERMINOLOGY)];
  const network = networkMend(found);
  return { findings: withNetwork(found, network), network, run: outcomeOf(registries, found) };
}

function outcomeOf(registries: readonly Finding[], all: readonly Finding[]): Checkup['run'] {
  const sound = registries.filter(({ state }) => state === 'sound').length;
  // A changed form would be refused by the checks before publication.
  const isFaulty = registries.some(({ state }) => state === 'faulty') || all.some(({ source }) => source === FEED_LIST);
  if (sound === 0 || isFaulty) return 'fails';
  return sound === registries.length ? 'whole' : 'degraded';
}

const registry = (source: string, ask: () => Promise<Asked>): Promise<Finding> =>
  findingOf({ source, lastSeenWell: null }, ask, REGISTRY_MENDS);

/** Of a dump nothing: a file on disk says nothing of whether the registry answered. */
function seenWell(last: Manifest | null, source: string): string | null {
  const one = last?.registries.find(({ registry }) => registry === source);
  return one?.source === 'live' ? one.lastSuccessAt : null;
}

/** The manifest of what is served; null where nothing is, or nothing of the registries. */
async function lastManifest(snapshotsDir: string): Promise<Manifest | null> {
  const version = await readCurrent(snapshotsDir).catch(() => null);
  if (version === null) return null;
  const manifest = await readManifest(snapshotPath(snapshotsDir, version)).catch(() => null);
  return manifest?.corpus === 'registries' ? manifest : null;
}

function contactOf({ contactEmail }: Config): { contact?: string } {
  return contactEmail === null ? {} : { contact: contactEmail };
}

function literature({ pubmedUrl, europepmcUrl, ncbiApiKey: apiKey, contactEmail }: Config): Promise<Finding>[] {
  const clientOf = (source: 'pubmed' | 'europepmc', baseUrl: string | null): SourceClient =>
    new SourceClient({ source, baseUrl, requestsPerSecond: 1, contactEmail, maxQueued: 1 });
  const ask = (client: SourceClient, source: string, find: (signal: AbortSignal) => Promise<{ total: number }>) =>
    client.isOff
      ? Promise.resolve(switchedOff(source, `${source === 'pubmed' ? 'PUBMED_URL' : 'EUROPEPMC_URL'} is off`))
      : findingOf(
          { source, lastSeenWell: null },
          async () => papersOf((await find(AbortSignal.timeout(LITERATURE_MS))).total),
          LITERATURE_MENDS,
        );
  const pubmed = clientOf('pubmed', pubmedUrl);
  const europepmc = clientOf('europepmc', europepmcUrl);
  return [
    ask(pubmed, 'pubmed', (signal) =>
      new Pubmed({ client: pubmed, apiKey, contactEmail }).find(KNOWN_TRIAL, ['si'], 1, signal),
    ),
    ask(europepmc, 'europepmc', (signal) =>
      new EuropePmc({ client: europepmc, contactEmail }).mentioning(KNOWN_TRIAL, 1, signal),
    ),
  ];
}

function papersOf(total: number): Asked {
  const fault = { fault: `it has no paper of ${KNOWN_TRIAL}, which has many`, mend: LITERATURE_MENDS.refused };
  return { count: total, date: null, form: [], faults: total === 0 ? [fault] : [] };
}

async function feeds(config: Config, effects: Effects, last: Manifest | null): Promise<Promise<Finding>[]> {
  let list: FeedList;
  try {
    list = await loadFeeds(config.feedsFile);
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    return [
      Promise.resolve({
        ...switchedOff(FEED_LIST, NO_FEED_LIST),
        state: 'faulty',
        faults: [{ fault, mend: LIST_MEND }],
      }),
    ];
  }
  // One question to each publisher needs no pause, and waiting would count as the feed's own time.
  const fetchFeed = feedClient({ ...contactOf(config), rate: FEEDS_PER_SECOND, attempts: 1 }, effects);
  return list.feeds.map((feed) => {
    const lastSeenWell = last?.feeds?.find((one) => one.feed === feed.id)?.lastSuccessAt ?? null;
    const unseen = feed.verified ? '' : `; it had not answered when it was reviewed on ${feed.reviewedOn}`;
    const mends = { unreached: `${FEED_MENDS.unreached}${unseen}`, refused: `${FEED_MENDS.refused}${unseen}` };
    return findingOf({ source: feed.id, lastSeenWell }, () => askFeed(feed, fetchFeed, effects.now()), mends);
  });
}

async function askFeed(feed: FeedSource, fetchFeed: FetchFeed, today: Date): Promise<Asked> {
  const fetched = await fetchFeed(feed, { etag: null, lastModified: null, sha256: null });
  if (fetched?.state !== 'received') throw new Error('no answer with a feed in it');
  const { body, contentType, address } = fetched;
  const result = readFeed({ feed: feed.id, body, contentType, address, today });
  if (result.state === 'failed') throw new FeedFault('not-a-feed', result.message);
  const { items, undated } = result.reading;
  const faults = items.length === 0 ? [{ fault: 'it lists no item', mend: FEED_MEND }] : [];
  if (items.length > 0 && undated === items.length)
    faults.push({ fault: 'none of its items has a date', mend: FEED_MEND });
  const newest = items
    .flatMap(({ publishedAt }) => publishedAt ?? [])
    .sort()
    .at(-1);
  return { count: items.length, date: newest ?? null, form: [], faults };
}
