import type { RegistryId } from '../../contract/ids.ts';
import type { Config } from '../../server-kit/config/config.ts';
import { EuropePmc } from '../../server-kit/literature/europepmc.ts';
import { Pubmed } from '../../server-kit/literature/pubmed.ts';
import { SourceClient } from '../../server-kit/literature/source-client.ts';
import type { Effects } from '../effects.ts';
import { normaliseCtgov } from '../normalise/ctgov/ctgov.ts';
import { normaliseIsrctn } from '../normalise/isrctn/isrctn.ts';
import { RegistryClient, type RequestOptions } from '../raw/http-client.ts';
import { JsonSlicer } from '../raw/json-slicer.ts';
import { XmlSlicer } from '../raw/xml-slicer.ts';
import { feedClient } from '../signals/feed-client.ts';
import { loadFeeds, NO_VALIDATORS } from '../signals/feeds.ts';
import { readFeed } from '../signals/read-feed.ts';

/** A source after one small request. */
export interface Probe {
  source: RegistryId | 'literature' | 'feeds';
  /** `off`: the settings turn it off. */
  state: 'sound' | 'faulty' | 'unanswered' | 'off';
  milliseconds: number;
  /** Records of a registry, papers of the asked trial, feeds that answered. */
  count: number | null;
  /** Newest day or time among the records. */
  date: string | null;
  faults: string[];
  /** The remedy; null for a sound source. */
  mend: string | null;
}

export interface Checkup {
  probes: Probe[];
  /** The result that a live run would have now. */
  run: 'whole' | 'degraded' | 'fails';
}

type Answer = Pick<Probe, 'count' | 'faults'> & { date?: string | null; off?: boolean };

const NETWORK =
  'no source answered: check the network, DNS (/etc/resolv.conf, the DNS of the container), firewall and proxy of this machine';
const MENDS: Readonly<Record<Probe['source'], string>> = {
  clinicaltrials_gov:
    'check CTGOV_URL and a proxy; a run keeps the last good set. A changed form needs a change of pipeline/normalise/ctgov',
  isrctn:
    'check ISRCTN_URL and a proxy; a run keeps the last good set. A changed form needs a change of pipeline/normalise/isrctn',
  literature: 'check PUBMED_URL, EUROPEPMC_URL and NCBI_API_KEY; the results gap waits for them',
  feeds: 'open the address; where a feed has moved, change its entry in the file of FEEDS_FILE',
};
const RECORDS = '20';
/** Without pauses, which would count as the time of the source. */
const REQUESTS_PER_SECOND = 20;
/** A trial with papers in both indexes. */
const KNOWN_TRIAL = 'NCT00000620';
const LITERATURE_MS = 30_000;

/** Sends each live source small requests, and reads the answers as a run would. Stores and publishes nothing. */
export async function checkup(config: Config, effects: Effects): Promise<Checkup> {
  const probes = await Promise.all([
    probe('clinicaltrials_gov', () => askRegistry('clinicaltrials_gov', config.ctgovUrl, config, effects)),
    probe('isrctn', () => askRegistry('isrctn', config.isrctnUrl, config, effects)),
    probe('literature', () => askLiterature(config)),
    probe('feeds', () => askFeeds(config, effects)),
  ]);
  if (probes.every(({ state }) => state === 'unanswered' || state === 'off'))
    for (const one of probes) if (one.state === 'unanswered') one.mend = NETWORK;
  return { probes, run: resultOf(probes) };
}

async function probe(source: Probe['source'], ask: () => Promise<Answer>): Promise<Probe> {
  const started = performance.now();
  const head = () => ({ source, milliseconds: Math.round(performance.now() - started) });
  try {
    const { count, faults, date = null, off = false } = await ask();
    const state = off ? 'off' : faults.length > 0 ? 'faulty' : 'sound';
    return { ...head(), state, count, date, faults, mend: state === 'faulty' ? MENDS[source] : null };
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    return { ...head(), state: 'unanswered', count: null, date: null, faults: [fault], mend: MENDS[source] };
  }
}

/** The gate would refuse a changed form; without its list of feeds the stage of signals fails. */
function resultOf([ctgov, isrctn, , feeds]: readonly Probe[]): Checkup['run'] {
  const states = [ctgov!.state, isrctn!.state];
  const isListUnread = feeds!.state === 'faulty' && feeds!.count === null;
  if (isListUnread || states.includes('faulty') || !states.includes('sound')) return 'fails';
  return states.includes('unanswered') ? 'degraded' : 'whole';
}

/** The small request of each registry, and how a run reads its answer. */
const REQUESTS = {
  clinicaltrials_gov: {
    path: '/api/v2/studies',
    query: { format: 'json', pageSize: RECORDS, countTotal: 'true' },
    slicer: () => new JsonSlicer('page'),
    read: normaliseCtgov,
  },
  isrctn: {
    path: '/api/query/format/default',
    // The query of a whole sweep, so that its count is the registry's.
    query: { q: 'lastEdited GE 2000-01-01T00:00:00 AND lastEdited LT 2100-01-01T00:00:00', limit: RECORDS },
    slicer: () => new XmlSlicer(),
    read: normaliseIsrctn,
  },
} as const;

/** Reads the records of a page as a run would. One try at once, since an operator waits. */
async function askRegistry(registry: RegistryId, baseUrl: string, config: Config, effects: Effects): Promise<Answer> {
  const { path, query, slicer: slicerOf, read } = REQUESTS[registry];
  const client = new RegistryClient({ registry, baseUrl, ...requestOptions(config) }, effects);
  const { value } = await client.get(path, query, (body): Answer => {
    const slicer = slicerOf();
    const slices = [...slicer.push(body), ...slicer.end()];
    const now = effects.now().toISOString();
    const context = { asOf: now.slice(0, 10) };
    const records = slices.map((slice) => (slice.ok ? read(slice.bytes, now, context) : slice));
    const faults = records.flatMap((record) =>
      record.ok ? [] : [`a record cannot be read: ${record.reason}, ${record.detail}`],
    );
    const count = slicer.statedTotal;
    if (count === null) faults.push('it does not say how many records it holds (totalCount)');
    if (records.length === 0) faults.push('it sent no record');
    const days = records.flatMap((record) => (record.ok && 'registration' in record ? [record.updated] : []));
    return { count, faults, date: days.sort().at(-1) ?? null };
  });
  return value;
}

function requestOptions({ contactEmail }: Config): RequestOptions {
  return { attempts: 1, rate: REQUESTS_PER_SECOND, ...(contactEmail !== null && { contact: contactEmail }) };
}

async function askLiterature(config: Config): Promise<Answer> {
  const { pubmedUrl, europepmcUrl, ncbiApiKey: apiKey, contactEmail } = config;
  const clientFor = (source: 'pubmed' | 'europepmc', baseUrl: string | null): SourceClient =>
    new SourceClient({ source, baseUrl, requestsPerSecond: 1, contactEmail, maxQueued: 1 });
  const email = contactEmail === null ? {} : { email: contactEmail };
  const signal = AbortSignal.timeout(LITERATURE_MS);
  const pubmed = clientFor('pubmed', pubmedUrl);
  const europepmc = clientFor('europepmc', europepmcUrl);
  const finds = [
    ...(pubmed.isOff
      ? []
      : [
          new Pubmed(pubmed, { ...email, ...(apiKey !== null && { api_key: apiKey }) }).find(
            KNOWN_TRIAL,
            ['si'],
            1,
            signal,
          ),
        ]),
    ...(europepmc.isOff ? [] : [new EuropePmc(europepmc, email).mentioning(KNOWN_TRIAL, 1, signal)]),
  ];
  const found = await Promise.allSettled<{ total: number }>(finds);
  const failed = found
    .filter((one) => one.status === 'rejected')
    .map(({ reason }) => String(reason?.message ?? reason));
  if (failed.length > 0 && failed.length === found.length) throw new Error(failed.join('; '));
  const totals = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value.total] : []));
  const empty = totals.some((total) => total === 0) ? [`an index has no paper of ${KNOWN_TRIAL}, which has many`] : [];
  return { count: Math.max(0, ...totals), faults: [...failed, ...empty], off: finds.length === 0 };
}

/** The count is of the feeds that answered; a feed that does not is a fault, and no run fails by it. */
async function askFeeds(config: Config, effects: Effects): Promise<Answer> {
  const list = await loadFeeds(config.feedsFile).catch((error: unknown) => String(error));
  if (typeof list === 'string') return { count: null, faults: [list] };
  const { feeds } = list;
  const fetchFeed = feedClient(requestOptions(config), effects);
  const asked = feeds.map(async (feed) => {
    const fetched = await fetchFeed(feed, NO_VALIDATORS);
    if (fetched?.state !== 'received') throw new Error('no answer with a feed in it');
    const { items } = readFeed({ ...fetched, feed: feed.id, today: effects.now() });
    if (items.length === 0) throw new Error('it lists no item');
  });
  const found = await Promise.allSettled(asked);
  const faults = found.flatMap((one, place) =>
    one.status === 'rejected'
      ? [`${feeds[place]!.id}: ${one.reason instanceof Error ? one.reason.message : one.reason}`]
      : [],
  );
  const count = feeds.length - faults.length;
  if (count === 0 && feeds.length > 0) throw new Error(faults.join('; '));
  return { count, faults, off: feeds.length === 0 };
}
