import type { RegistryId } from '../../contract/ids.ts';
import { REGISTRY_IDS } from '../../contract/ids.ts';
import type { TRIAL_OPERATIONS } from '../../contract/operations/trials/trials.ts';
import { trialFilterParameters } from '../../contract/trial-filters.ts';
import { type Fail, type Handlers, JsonText, type RequestContext } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { parseIdentifier } from '../../snapshot/format/identifiers.ts';
import type { RegistrySources } from '../../snapshot/format/registry-sources.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { snapshotDay } from '../../snapshot/format/versions/snapshot-day.ts';
import { dataEnds, momentumNotice } from '../data-ends.ts';
import { pageLinks, pageQueryOf, snapshotValidator, trialMeta, withModality } from '../meta.ts';
import type { Modalities } from '../modality/modalities.ts';
import { coverageReply, landscapeReply, statsReply } from '../present-counts.ts';
import { receiptMeta } from '../receipts/receipt-meta.ts';
import { type AnsweredSearch, answeredOnce } from '../search/answered-searches.ts';
import { type MatchedFilters, matchedFilters } from '../search/concepts/answer.ts';
import { otherReadings } from '../search/concepts/other-readings.ts';
import { coverage, stats } from '../search/counting/coverage.ts';
import { landscape, landscapeReady } from '../search/counting/landscape.ts';
import { asksResultsDue, clockAsked } from '../search/counting/results-clock.ts';
import { unstatedNotices } from '../search/counting/stated-fields.ts';
import { document, recordText } from '../search/documents.ts';
import { contradictoryRange, type FilterQuery, readFilters } from '../search/filters.ts';
import { askedIdentifier, identifierNotice } from '../search/hints/asked-identifier.ts';
import { FEW_TRIALS, fewResults } from '../search/hints/few-results.ts';
import { heldRow, readRegistrations, readTrial, resolveId, supersededRecord } from '../search/hints/held-trial.ts';
import { unknownName } from '../search/hints/known-names.ts';
import { otherAddress } from '../search/hints/other-address.ts';
import { queryHints } from '../search/hints/query-hints.ts';
import { isIdentifier, unheldNotice } from '../search/hints/unheld-id.ts';
import { ImageCache } from '../search/image-cache.ts';
import { matchingRows } from '../search/matching.ts';
import { tooManyWords } from '../search/query-words.ts';
import { rowsOf } from '../search/row-set.ts';
import { searchPage } from '../search/search-page.ts';
import type { SearchQuery } from '../search/search-query.ts';
import type { IndexServices } from '../services.ts';
import type { ServedManifest } from '../snapshot/publication-trust.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { rawJson } from '../store/raw-json.ts';
import { type FiltersIn, landscapeAgainst } from './landscape-against.ts';
import { notHeld } from './not-held.ts';
import { askedNotices, beyondNotice, CONTACTS_LEFT_OUT } from './notices.ts';
import { askedParts } from './raw-parts.ts';
import { relatedResearch } from './related.ts';
import { orderOf, relevanceMeta, withNotices } from './search-order.ts';
import { siteStatusMeta, sitesThereOf } from './site-status.ts';
import { recordNotices } from './superseded.ts';

/** Trials shown for a number that many declare; `total` gives the exact number. */
const MATCHES_MAX = 100;

type ServedSnapshot = { image: SnapshotImage; manifest: Manifest };

const WORDS_ONLY =
  'words, because the served snapshot was published before concepts (of q, topic, condition or intervention) were indexed';

export const trialHandlers: Handlers<typeof TRIAL_OPERATIONS, IndexServices> = {
  'trials-search': async ({ query }, context, { holder, sources, modalities }, fail) => {
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const key = JSON.stringify([modalities.vocabulary, context.applied, context.bare]);
    const found = await answeredOnce(image, key, () => searchFor(lease, query, { context, sources, modalities, fail }));
    const { page, pageSize } = query;
    const paging = { page, pageSize, totalItems: found.page.total, returned: found.page.returned };
    const inferred = asksModality(query);
    const meta = trialMeta(manifest, sources, context, query.registry !== undefined);
    const notices = context.bare ? [] : askedNotices(query, context, lease, sources);
    const said = { notices: [...notices, ...beyondNotice(paging)] };
    const read = inferred ? withModality(meta, modalities.vocabulary) : meta;
    return {
      data: new JsonText(found.page.json, { trials: found.page.first }),
      meta: {
        ...withNotices(read, said, found.reading, found.relevance, found.help),
        ...pageLinks(context, paging, found.pageQuery),
      },
      validator: validatorOf(snapshotValidator(manifest, sources, context.now), inferred, modalities),
    };
  },

  'trials-coverage': async ({ query }, context, { holder, sources, modalities }, fail) => {
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const asked = await filtersOf(lease, query, modalities, fail);
    const meta = metaOf(lease, query, asked, context, sources);
    const inferred = query.modality !== undefined;
    const counts = coverage(image, asked.compiled);
    const receipt = await receiptMeta('coverage', lease, asked.compiled, context, modalities);
    const help = await helpOf(lease, query, counts.distinct, asked, { context, modalities, fail });
    return {
      data: coverageReply(counts, manifest),
      meta: withNotices(inferred ? withModality(meta, modalities.vocabulary) : meta, receipt, help),
      validator: validatorOf(snapshotValidator(manifest, sources, context.now), inferred, modalities),
    };
  },

  'trials-landscape': async ({ query }, context, services, fail) => {
    const { holder, sources, modalities } = services;
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const day = snapshotDay(manifest);
    const inferred = asksModality(query);
    const asked = await filtersOf(lease, query, modalities, fail);
    const { compiled } = asked;
    await landscapeReady(image, day);
    const ends = dataEnds(lease, query.registry, sources);
    const reply = landscapeReply(landscape(image, compiled, day), manifest, ends);
    const mix = inferred ? { modality: await modalities.mix(image, rowsOf(matchingRows(image, compiled))) } : {};
    const meta = metaOf(lease, query, asked, context, sources);
    const receipt = await receiptMeta('landscape', lease, compiled, context, modalities);
    const help = await helpOf(lease, query, reply.trials, asked, { context, modalities, fail });
    const { against } = query;
    const filtersIn: FiltersIn = async (other, failThere) =>
      (await filtersOf(other, query, modalities, failThere)).compiled;
    const earlier =
      against === undefined
        ? null
        : await landscapeAgainst({ ...query, against }, { manifest, counts: reply }, services, filtersIn, fail);
    const validator = validatorOf(snapshotValidator(manifest, sources, context.now), inferred, modalities);
    return {
      data: { ...reply, ...mix, ...(earlier && { against: earlier.block }) },
      meta: withNotices(
        inferred ? withModality(meta, modalities.vocabulary) : meta,
        { notices: momentumNotice(ends, manifest) },
        receipt,
        help,
      ),
      validator: earlier === null ? validator : `${validator} ${earlier.block.version} ${earlier.sha256}`,
    };
  },

  'trials-registrations': async ({ query }, context, services, fail) => {
    const { holder, sources } = services;
    const id = query.id ?? fail('MISSING_ID');
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const { standing, rows } = resolveId(image, id) ?? fail('TRIAL_NOT_FOUND', await notHeld(services, lease, id));
    const matches = rows.slice(0, MATCHES_MAX).map((row) => {
      const trial = supersededRecord(image, row, id) ?? readTrial(image, row);
      return { canonicalId: trial.canonicalId, standing, trial, absentFrom: absentFrom(trial.registries) };
    });
    return {
      data: { query: parseIdentifier(id)?.value ?? id, total: rows.length, matches },
      meta: {
        ...trialMeta(manifest, sources, context, false),
        notices: [...rows.slice(0, MATCHES_MAX).flatMap((row) => recordNotices(image, row, id)), CONTACTS_LEFT_OUT],
      },
      validator: snapshotValidator(manifest, sources, context.now),
    };
  },

  'trials-stats': (_input, context, { holder, sources }, fail) => {
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    return {
      data: statsReply(stats(image), manifest),
      meta: trialMeta(manifest, sources, context, false),
      validator: snapshotValidator(manifest, sources, context.now),
    };
  },

  'trials-detail': async ({ params, query }, context, services, fail) => {
    const { holder, sources, store, modalities } = services;
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const row =
      heldRow(image, params.canonicalId) ?? fail('TRIAL_NOT_FOUND', await notHeld(services, lease, params.canonicalId));
    const inferred = query.include?.includes('modality') ?? false;
    const labels = inferred ? modalities.labelsOf(image, row) : null;
    const modality = labels === null ? {} : { modality: () => labels };
    const superseded = supersededRecord(image, row, params.canonicalId);
    const meta = trialMeta(manifest, sources, context, false);
    const registrations = superseded?.registrations ?? readRegistrations(image, row);
    const { includeRaw, rawPath } = query;
    const raw =
      includeRaw || rawPath !== undefined
        ? await store.rawPayloads(lease, registrations, rawPath).catch((cause) => fail('TRIALS_UNAVAILABLE', { cause }))
        : null;
    const parts = raw === null || rawPath === undefined ? null : askedParts(raw, rawPath, fail);
    const payloads = raw === null ? {} : { raw: rawJson(parts?.payloads ?? raw) };
    const shown = { ...modality, ...payloads };
    const text =
      superseded === null
        ? document(image, row, { detail: 'full', eligibility: true, ...shown })
        : recordText(image, superseded, row, shown);
    const notices = [...recordNotices(image, row, params.canonicalId), CONTACTS_LEFT_OUT, ...(parts?.notices ?? [])];
    return {
      data: new JsonText(text),
      meta: withNotices(inferred ? withModality(meta, modalities.vocabulary) : meta, { notices }),
      validator: validatorOf(snapshotValidator(manifest, sources, context.now), inferred, modalities),
    };
  },

  'trials-related': relatedResearch,
};

async function searchFor(
  lease: ServedSnapshot,
  query: SearchQuery,
  {
    sources,
    ...asking
  }: { context: RequestContext; sources: RegistrySources; modalities: Modalities; fail: Fail<'INVALID_PARAM'> },
): Promise<AnsweredSearch> {
  const { image } = lease;
  const { page, pageSize, include } = query;
  const { context, modalities, fail } = asking;
  const asked = await filtersOf(lease, query, modalities, fail);
  const sort = orderOf(query.sort, asked.parts, query.gapClock);
  const said = async (): Promise<Record<string, unknown>> => {
    if (context.bare) return {};
    const receipt = await receiptMeta('search', lease, asked.compiled, context, modalities);
    const sites = siteStatusMeta(image, query, asked.compiled, context);
    const unstated = { notices: unstatedIn(lease, query, sources) };
    return withNotices(sites, unstated, receipt, matchMeta(asked, include, context));
  };
  const found = searchPage(image, asked.compiled, {
    ...{ page, pageSize, sort },
    eligibility: include?.includes('eligibilityText') ?? false,
    modalities: asksModality(query) ? modalities : null,
    groundsOf: asked.groundsOf,
    sitesThere: sitesThereOf(image, query),
    overdueBy: asksResultsDue(query) ? clockAsked(query, snapshotDay(lease.manifest)) : null,
  });
  return {
    page: found,
    reading: await said(),
    relevance: query.sort === 'relevance' ? relevanceMeta(asked.parts, found.scores) : {},
    help: await helpOf(lease, query, found.total, asked, asking),
    pageQuery: pageQueryOf(context.applied),
  };
}

/** A page asks for one set of trials by several operations, and each of them for others beside it. */
const KEPT_READINGS = 64;
/** Unlike an answer a reading may hold views of its image: who asks for it holds that image. */
const readings = new ImageCache<MatchedFilters>(KEPT_READINGS);
/** What names a reading beside the day of the snapshot; the compiler refuses a filter that is no parameter. */
const FILTERS: Readonly<Record<Exclude<keyof FilterQuery, 'asOfDay'>, unknown>> = trialFilterParameters;

/** As `readFiltersOf`, once for all requests with the same filters. Labels of modalities depend on more than the image. */
export async function filtersOf(
  lease: ServedSnapshot,
  query: FilterQuery,
  modalities: Modalities,
  fail: Fail<'INVALID_PARAM'>,
): Promise<MatchedFilters> {
  if (query.modality !== undefined) return readFiltersOf(lease, query, modalities, fail);
  const filters = Object.entries(query).filter(([name]) => Object.hasOwn(FILTERS, name));
  const key = JSON.stringify([lease.manifest.asOf, filters]);
  const kept = readings.get(lease.image, key);
  if (kept !== undefined) return kept;
  const read = await readFiltersOf(lease, query, modalities, fail);
  readings.set(lease.image, key, read);
  return read;
}

/**
 * The filters of a request, ready to be evaluated. A text without a word, a range that ends before it begins, an unknown topic or country, and concepts in a
 * snapshot of before there were any are refused.
 */
async function readFiltersOf(
  { image, manifest }: ServedSnapshot,
  query: FilterQuery,
  modalities: Modalities,
  fail: Fail<'INVALID_PARAM'>,
): Promise<MatchedFilters> {
  const contradiction = contradictoryRange(query);
  if (contradiction !== null) refuseParameter(contradiction.parameter, contradiction.expected, fail);
  const long = tooManyWords(query);
  if (long !== null) refuseParameter(long.parameter, long.expected, fail);
  const compiled = readFilters({ ...query, asOfDay: snapshotDay(manifest) });
  if ('expected' in compiled) return refuseParameter(compiled.parameter, compiled.expected, fail);
  const fault = unknownName(image, query);
  if (fault !== null) refuseParameter(fault.parameter, fault.expected, fail);
  const strict =
    query.modality === undefined ? compiled : { ...compiled, within: await modalities.rowsWith(image, query.modality) };
  const { q, topic, intervention, sponsor, anySponsor, match = 'words' } = query;
  const condition = query.conditionMatch === 'exact' ? undefined : query.condition;
  const matched = matchedFilters(image, strict, {
    ...{ q, topic, intervention, condition, sponsor, anySponsor },
    ...{ match, year: manifest.asOf.slice(0, 4) },
  });
  return matched ?? refuseParameter('match', WORDS_ONLY, fail);
}

/** `_meta` of an answer about the trials that match. */
export function metaOf(
  { image, manifest }: { image: SnapshotImage; manifest: ServedManifest },
  query: FilterQuery & { include?: readonly string[] | undefined },
  asked: MatchedFilters,
  context: RequestContext,
  sources: RegistrySources,
): Record<string, unknown> {
  const meta = trialMeta(manifest, sources, context, query.registry !== undefined);
  if (context.bare) return meta;
  const lease = { image, manifest };
  const notices = [...askedNotices(query, context, lease, sources), ...unstatedIn(lease, query, sources)];
  const sites = siteStatusMeta(image, query, asked.compiled, context);
  return withNotices(meta, { notices }, sites, matchMeta(asked, query.include, context));
}

/** The words of a number are no text that a registry could state. */
function unstatedIn(lease: ServedSnapshot, query: FilterQuery, sources: RegistrySources): string[] {
  return unstatedNotices(lease, isIdentifier(query.q ?? '') ? { ...query, q: undefined } : query, sources);
}

/** How the texts of a request were read, with the address of its answer by concepts. */
function matchMeta(
  asked: MatchedFilters,
  include: readonly string[] | undefined,
  context: RequestContext,
): Record<string, unknown> {
  const { alsoMatching, ...meta } = asked.meta(include?.includes('explain') ?? false);
  if (alsoMatching === undefined) return meta;
  return { ...meta, alsoMatching: { ...alsoMatching, call: otherAddress(context, { match: 'concepts' }) } };
}

/**
 * What `_meta` gains where `q` is an identifier, where words may mean something else, and where the trials are few: see
 * contract/schemas/trials/few-results.ts and other-readings.ts.
 */
export async function helpOf(
  { image, manifest }: ServedSnapshot,
  query: FilterQuery,
  total: number,
  matched: MatchedFilters,
  { context, modalities, fail }: { context: RequestContext; modalities: Modalities; fail: Fail<'INVALID_PARAM'> },
): Promise<Record<string, unknown>> {
  if (context.bare) return {};
  const identifier = askedIdentifier(image, query.q);
  const countOf = async (asked: FilterQuery): Promise<number> =>
    matchingRows(image, (await filtersOf({ image, manifest }, asked, modalities, fail)).compiled).count;
  const { path, applied } = context;
  const asked = { image, query, path, applied, total, countOf };
  const isFew = total < FEW_TRIALS;
  const byConcepts = isFew ? matched.byConcepts()?.total : undefined;
  const few = await fewResults({ ...asked, manifest, byConcepts });
  const others = await otherReadings({ ...asked, isFew });
  const notices = [
    ...(identifier === null ? [] : [identifierNotice(identifier, total)]),
    ...queryHints(image, query),
    unheldNotice(image, query.q),
  ].filter((notice) => notice !== null);
  return withNotices({ ...(identifier && { identifier }), ...few }, { notices }, others);
}

/** Labels come with a request for them, and with the filter: a caller who filters by them must see their terms. */
function asksModality(query: { modality?: unknown; include?: readonly string[] | undefined }): boolean {
  return query.modality !== undefined || (query.include?.includes('modality') ?? false);
}

/** Inferred labels depend on the vocabulary too. */
export function validatorOf(snapshot: string, inferred: boolean, { vocabulary }: Modalities): string {
  return inferred ? `${snapshot} ${vocabulary}` : snapshot;
}

function absentFrom(held: readonly RegistryId[]): RegistryId[] {
  return REGISTRY_IDS.filter((registry) => !held.includes(registry));
}
