import type { ReceiptWord } from '../../contract/receipts.ts';
import { type Fail, JsonText, type RequestContext } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { writeReceipt } from '../../snapshot/format/receipt.ts';
import { normalQuery } from '../../snapshot/format/receipt-query.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { snapshotDay } from '../../snapshot/format/versions/snapshot-day.ts';
import { type Paging, pageLinks, snapshotValidator, trialMeta, withModality } from '../meta.ts';
import type { Modalities } from '../modality/modalities.ts';
import { countedSet } from '../receipts/id-sums.ts';
import { type MatchedFilters, matchedFilters, tooManyWords } from '../search/concepts/answer.ts';
import { contradictoryRange, type FilterQuery, readFilters } from '../search/filters.ts';
import type { HintQuery } from '../search/hints/hint.ts';
import { otherAddress } from '../search/hints/hint.ts';
import { hintsOf } from '../search/hints/hints.ts';
import { askedIdentifier } from '../search/hints/identifier.ts';
import { unknownName } from '../search/hints/known-names.ts';
import { ImageCache } from '../search/image-cache.ts';
import { matchingRows } from '../search/matching.ts';
import type { RowSet } from '../search/row-set.ts';
import type { IndexServices } from '../services.ts';
import type { ServedManifest } from '../snapshot/publication-trust.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { withNotices } from './search-order.ts';
import { siteStatusMeta } from './site-status.ts';

type Query = FilterQuery & { include?: readonly string[] | undefined };
type Version = { image: SnapshotImage; manifest: Manifest };
type FailAnswer = Fail<'INVALID_PARAM' | 'TRIALS_UNAVAILABLE'>;

/** A request about the trials that match its filters, ready to be counted. */
export interface Question<Asked extends Query> {
  image: SnapshotImage;
  manifest: ServedManifest;
  /** Day number of the snapshot. */
  day: number;
  query: Asked;
  matched: MatchedFilters;
  rows: RowSet;
  /** Additions to `_meta` from how the filters were read. */
  reading: Record<string, unknown>;
  context: RequestContext;
  services: IndexServices;
  /** The trials that match without these parameters. */
  rowsWithout: (names: readonly string[]) => Promise<RowSet>;
}

/** What an operation counts. Neither the time nor the address of the caller may change it. */
export interface Counted<Data> {
  data: Data | JsonText;
  /** Further additions to `_meta`. */
  meta?: Record<string, unknown>;
  paging?: Paging | null | undefined;
  /** Whether the data shows inferred modalities; a filter by them is known. */
  inferred?: boolean;
  /** Further causes for which a stored copy of the answer is out of date. */
  validator?: string;
  /** False for data that is not complete yet, or that depends on more than the served snapshot. */
  isKept?: boolean;
}

interface Answered {
  counted: Counted<unknown>;
  meta: Record<string, unknown>;
  characters: number;
}

/**
 * Characters of JSON of the answers cached for a snapshot, some hundred pages of a search; in memory, objects take about four times as
 * much. One answer may take a small share of them.
 */
const KEPT_CHARACTERS = 12_000_000;
const KEPT_OF_ANSWER = KEPT_CHARACTERS / 16;

const answers = new ImageCache<Answered>(KEPT_CHARACTERS, ({ characters }) => characters);

/** What an answer is of: the word of its receipt, or an operation without receipts. */
type Operation = ReceiptWord | 'facets' | 'gap-shares';

/**
 * Answers a question about the trials that match the filters of a request: reads the filters, counts, and adds everything that every
 * such answer says: notices, receipt, help, freshness and validator. Searches are cached, other answers from `keptFromTrials` on.
 */
export async function answer<Asked extends Query, Data>(
  operation: Operation,
  {
    query,
    context,
    services,
    fail,
  }: { query: Asked; context: RequestContext; services: IndexServices; fail: FailAnswer },
  count: (question: Question<Asked>) => Counted<Data> | Promise<Counted<Data>>,
): Promise<{ data: Data | JsonText; meta: Record<string, unknown>; validator: string }> {
  const { holder, sources, modalities } = services;
  using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
  const { image, manifest } = lease;
  const key = JSON.stringify([operation, modalities.vocabulary, context.applied, context.bare]);
  const made =
    answers.get(image, key) ??
    (await answered(operation, key, { image, manifest, query, context, services, fail }, count));
  const counted = made.counted as Counted<Data>;
  const inferred = query.modality !== undefined || counted.inferred === true;
  const meta = trialMeta(manifest, sources, context, query.registry !== undefined);
  const validator = [
    snapshotValidator(manifest, sources, context.now),
    ...(inferred ? [modalities.vocabulary] : []),
    ...(counted.validator === undefined ? [] : [counted.validator]),
  ].join(' ');
  return {
    data: counted.data,
    meta: {
      ...(inferred ? withModality(meta, modalities.vocabulary) : meta),
      ...made.meta,
      ...(counted.paging && pageLinks(context, counted.paging)),
    },
    validator,
  };
}

async function answered<Asked extends Query, Data>(
  operation: Operation,
  key: string,
  asked: Pick<Question<Asked>, 'image' | 'manifest' | 'query' | 'context' | 'services'> & { fail: FailAnswer },
  count: (question: Question<Asked>) => Counted<Data> | Promise<Counted<Data>>,
): Promise<Answered> {
  const { image, manifest, query, context, services, fail } = asked;
  const { modalities, sources } = services;
  const version = { image, manifest };
  const readAgain = (other: FilterQuery) => filtersOf(version, other, modalities, fail);
  const matched = await readAgain(query);
  const rows = matchingRows(image, matched.compiled);
  const reading = readingMeta(version, query, matched, context);
  const rowsWithout = async (names: readonly string[]): Promise<RowSet> => {
    const given = new Map<string, unknown>(Object.entries(query));
    if (names.every((name) => given.get(name) === undefined)) return rows;
    const others = { ...query, ...Object.fromEntries(names.map((name) => [name, undefined])) };
    return matchingRows(image, (await readAgain(others)).compiled);
  };
  const day = snapshotDay(manifest);
  const counted = await count({ ...asked, day, matched, rows, reading, rowsWithout });
  const hasReceipt = operation !== 'facets' && operation !== 'gap-shares';
  const receipt = hasReceipt ? await receiptMeta(operation, version, rows, context, modalities) : {};
  const countOf = async (other: HintQuery): Promise<number> =>
    matchingRows(image, (await readAgain(other as FilterQuery)).compiled).count;
  const found = { total: rows.count, countOf };
  const hints = context.bare ? {} : await hintsOf({ ...version, sources, query, matched, ...context, found });
  const meta = withNotices(hints, reading, counted.meta ?? {}, receipt);
  const { data, isKept = true } = counted;
  const length = data instanceof JsonText ? data.buffer.length : JSON.stringify(data).length;
  const made = { counted, meta, characters: length + JSON.stringify(meta).length + key.length };
  const isWorthIt = operation === 'search' || rows.count >= services.keptFromTrials;
  if (isKept && isWorthIt && made.characters <= KEPT_OF_ANSWER) answers.set(image, key, made);
  return made;
}

/**
 * The filters of a request, ready to be evaluated. Refuses a text without a word or with too many, a range that ends before it begins,
 * and an unknown topic or country.
 */
export async function filtersOf(
  { image, manifest }: Version,
  query: FilterQuery,
  modalities: Modalities,
  fail: Fail<'INVALID_PARAM'>,
): Promise<MatchedFilters> {
  const fault = contradictoryRange(query) ?? tooManyWords(query);
  if (fault !== null) refuseParameter(fault.parameter, fault.expected, fail);
  const compiled = readFilters({ ...query, asOfDay: snapshotDay(manifest) });
  if ('expected' in compiled) return refuseParameter(compiled.parameter, compiled.expected, fail);
  const unknown = unknownName(image, query);
  if (unknown !== null) refuseParameter(unknown.parameter, unknown.expected, fail);
  const { modality } = query;
  const within = modality && {
    name: `modality ${modality.join()} ${modalities.vocabulary}`,
    rows: await modalities.rowsWith(image, modality),
  };
  const strict = within === undefined ? compiled : { ...compiled, within };
  const { q, topic, intervention, match = 'words' } = query;
  const condition = query.conditionMatch === 'exact' ? undefined : query.condition;
  return matchedFilters(image, strict, {
    ...{ q, topic, intervention, condition, match },
    year: manifest.asOf.slice(0, 4),
  });
}

/** Additions to `_meta` from how the texts and places were read, whatever they find. */
export function readingMeta(
  { image }: Version,
  query: Query,
  matched: MatchedFilters,
  context: RequestContext,
): Record<string, unknown> {
  if (context.bare) return {};
  const { alsoMatching, ...meta } = matched.meta(query.include?.includes('explain') ?? false);
  const call = otherAddress(context, { match: 'concepts' });
  const identifier = askedIdentifier(image, query.q);
  return withNotices(siteStatusMeta(image, query, matched.compiled, context), {
    ...meta,
    ...(alsoMatching && { alsoMatching: { ...alsoMatching, call } }),
    ...(identifier && { identifier }),
  });
}

const LONG_RECEIPT =
  'This answer carries no receipt, because its query is too long for one: a shorter q, or fewer filters, gets one.';
const UNREADABLE_IDS =
  'This answer carries no receipt, because the serving image does not hold the id of every trial; it can be made again from its tables.';

/** What `_meta` gains: the receipt of an answer, or why it has none. */
async function receiptMeta(
  word: ReceiptWord,
  { image, manifest }: Version,
  rows: RowSet,
  { applied, bare }: Pick<RequestContext, 'applied' | 'bare'>,
  modalities: Modalities,
): Promise<{ receipt?: string; notices?: string[] }> {
  if (bare) return {};
  const counted = await countedSet(image, rows);
  if (counted === null) return { notices: [UNREADABLE_IDS] };
  const query = normalQuery(applied, applied.modality === undefined ? null : modalities.vocabulary);
  const { version, identity = null } = manifest;
  const receipt = writeReceipt({ word, version, identity, ...counted, query });
  return receipt === null ? { notices: [LONG_RECEIPT] } : { receipt };
}
