import type { RegistryId } from '../../contract/ids.ts';
import { REGISTRY_IDS } from '../../contract/ids.ts';
import type { ModalityId } from '../../contract/modality.ts';
import type { TRIAL_OPERATIONS, TRIAL_SORTS } from '../../contract/operations/trials.ts';
import type { TrialRecord } from '../../contract/schemas/trial.ts';
import type { MATCH_MODES } from '../../contract/vocabularies.ts';
import { type Fail, type Handlers, JsonText, type Reply, type RequestContext } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { parseIdentifier } from '../../snapshot-format/identifiers.ts';
import type { Manifest } from '../../snapshot-format/manifest.ts';
import { snapshotDay } from '../../snapshot-format/snapshot-day.ts';
import { pageLinks, pageQueryOf, snapshotValidator, trialMeta, withModality } from '../meta.ts';
import type { Modalities } from '../modality/modalities.ts';
import { coverageReply, landscapeReply, statsReply } from '../present-counts.ts';
import { type AnsweredSearch, answeredOnce } from '../search/answered-searches.ts';
import { askedIdentifier } from '../search/asked-identifier.ts';
import { type MatchedFilters, matchedFilters } from '../search/concepts/answer.ts';
import { coverage, stats } from '../search/coverage.ts';
import { document } from '../search/documents.ts';
import { fewResults } from '../search/few-results.ts';
import { readFilters, type TrialFilters } from '../search/filters.ts';
import { heldRow, readTrial, resolveId } from '../search/held-trial.ts';
import { unknownName } from '../search/known-names.ts';
import { landscape, landscapeReady } from '../search/landscape.ts';
import { matchingRows } from '../search/matching.ts';
import { rowsOf } from '../search/row-set.ts';
import { searchPage } from '../search/search-page.ts';
import { unheldId } from '../search/unheld-id.ts';
import type { IndexServices } from '../services.ts';
import type { ServedManifest } from '../snapshot/publication-trust.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import type { RegistrySources } from '../sources.ts';
import { type FiltersIn, landscapeAgainst } from './landscape-against.ts';
import { relatedResearch } from './related.ts';
import { orderOf, relevanceMeta, withNotices } from './search-order.ts';

/** Trials shown for a number that many declare; `total` gives the exact number. */
const MATCHES_MAX = 100;

/** Digits of the numbers of both registries. */
const NUMBER_DIGITS = 8;

/** What q says of itself where it is the number of a registration with a digit too few or too many. */
function slipIn(q = ''): string | null {
  const [, registry, digits] = /^\s*(nct|isrctn)[\s:]*(\d+)\s*$/i.exec(q) ?? [];
  if (registry === undefined || digits === undefined || digits.length === NUMBER_DIGITS) return null;
  return `${registry.toUpperCase()}${digits} has ${digits.length} digits and was read as a word; ${registry.toUpperCase()} numbers have ${NUMBER_DIGITS}.`;
}

/** Filters as the contract parses them; the rest of the query is not read here. */
type FilterQuery = TrialFilters & {
  modality?: readonly ModalityId[] | undefined;
  match?: (typeof MATCH_MODES)[number] | undefined;
};

type ServedSnapshot = { image: SnapshotImage; manifest: Manifest };

const WORDS_ONLY = 'words, because the served snapshot was published before concepts (of q, or of topic) were indexed';

export const trialHandlers: Handlers<typeof TRIAL_OPERATIONS, IndexServices> = {
  'trials-search': async ({ query }, context, { holder, sources, modalities }, fail) => {
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const key = JSON.stringify([modalities.vocabulary, context.applied]);
    const found = await answeredOnce(image, key, () => searchFor(lease, query, { context, modalities, fail }));
    const { page, pageSize } = query;
    const paging = { page, pageSize, totalItems: found.page.total, returned: found.page.returned };
    const meta = { ...trialMeta(manifest, sources, context, query.registry !== undefined), ...found.reading };
    const inferred = asksModality(query);
    return {
      data: new JsonText(found.page.json),
      meta: {
        ...withNotices(inferred ? withModality(meta, modalities.vocabulary) : meta, found.relevance, found.help),
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
    const help = await helpOf(lease, query, counts.distinct, { context, modalities, fail });
    return {
      data: coverageReply(counts, manifest),
      meta: withNotices(inferred ? withModality(meta, modalities.vocabulary) : meta, help),
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
    const reply = landscapeReply(landscape(image, compiled, day), manifest);
    const mix = inferred ? { modality: await modalities.mix(image, rowsOf(matchingRows(image, compiled))) } : {};
    const meta = metaOf(lease, query, asked, context, sources);
    const help = await helpOf(lease, query, reply.trials, { context, modalities, fail });
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
      meta: withNotices(inferred ? withModality(meta, modalities.vocabulary) : meta, help),
      validator: earlier === null ? validator : `${validator} ${earlier.block.version} ${earlier.sha256}`,
    };
  },

  'trials-registrations': ({ query }, context, { holder, sources }, fail) => {
    const id = query.id ?? fail('MISSING_ID');
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const { standing, rows } = resolveId(image, id) ?? fail('TRIAL_NOT_FOUND', unheldId(image, id));
    const matches = rows.slice(0, MATCHES_MAX).map((row) => {
      const trial = readTrial(image, row);
      return { canonicalId: trial.canonicalId, standing, trial, absentFrom: absentFrom(trial.registries) };
    });
    return {
      data: { query: parseIdentifier(id)?.value ?? id, total: rows.length, matches },
      meta: trialMeta(manifest, sources, context, false),
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

  'trials-detail': async ({ params, query }, context, { holder, sources, store, modalities }, fail) => {
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const row = heldRow(image, params.canonicalId) ?? fail('TRIAL_NOT_FOUND', unheldId(image, params.canonicalId));
    const inferred = query.include?.includes('modality') ?? false;
    const labels = inferred ? modalities.labelsOf(image, row) : null;
    const modality = labels === null ? {} : { modality: () => labels };
    const meta = trialMeta(manifest, sources, context, false);
    const reply: Reply<TrialRecord> = {
      data: new JsonText(document(image, row, { detail: 'full', eligibility: true, ...modality })),
      meta: inferred ? withModality(meta, modalities.vocabulary) : meta,
      validator: validatorOf(snapshotValidator(manifest, sources, context.now), inferred, modalities),
    };
    if (!query.includeRaw) return reply;
    const trial = readTrial(image, row);
    const raw = await store
      .rawPayloads({ directory: image.directory, manifest }, trial.registrations)
      .catch((cause) => fail('TRIALS_UNAVAILABLE', { cause }));
    return { ...reply, data: { ...trial, ...(labels && { modality: labels }), raw } };
  },

  'trials-related': relatedResearch,
};

type SearchQuery = FilterQuery & {
  page: number;
  pageSize: number;
  sort?: (typeof TRIAL_SORTS)[number] | undefined;
  include?: readonly string[] | undefined;
};

async function searchFor(
  lease: ServedSnapshot,
  query: SearchQuery,
  { context, modalities, fail }: { context: RequestContext; modalities: Modalities; fail: Fail<'INVALID_PARAM'> },
): Promise<AnsweredSearch> {
  const { image } = lease;
  const { page, pageSize, include } = query;
  const asked = await filtersOf(lease, query, modalities, fail);
  const sort = orderOf(image, query.sort, asked.parts, fail);
  const found = searchPage(image, asked.compiled, {
    ...{ page, pageSize, sort },
    eligibility: include?.includes('eligibilityText') ?? false,
    modalities: asksModality(query) ? modalities : null,
    groundsOf: asked.groundsOf,
  });
  return {
    page: found,
    reading: asked.meta(include?.includes('explain') ?? false),
    relevance: query.sort === 'relevance' ? relevanceMeta(asked.parts, found.scores) : {},
    help: await helpOf(lease, query, found.total, { context, modalities, fail }),
    pageQuery: pageQueryOf(context.applied),
  };
}

/**
 * The filters of a request, ready to be evaluated. A text without a word, an unknown topic or country, and concepts in a
 * snapshot of before there were any are refused.
 */
export async function filtersOf(
  { image, manifest }: ServedSnapshot,
  query: FilterQuery,
  modalities: Modalities,
  fail: Fail<'INVALID_PARAM'>,
): Promise<MatchedFilters> {
  const compiled = readFilters({ ...query, asOfDay: snapshotDay(manifest) });
  if ('expected' in compiled) return refuseParameter(compiled.parameter, compiled.expected, fail);
  const fault = unknownName(image, query);
  if (fault !== null) refuseParameter(fault.parameter, fault.expected, fail);
  const strict =
    query.modality === undefined ? compiled : { ...compiled, within: await modalities.rowsWith(image, query.modality) };
  const { q, topic, match = 'words' } = query;
  const matched = matchedFilters(image, strict, { q, topic, match, year: manifest.asOf.slice(0, 4) });
  return matched ?? refuseParameter('match', WORDS_ONLY, fail);
}

/** `_meta` of an answer about the trials that match. */
export function metaOf(
  { manifest }: { manifest: ServedManifest },
  query: FilterQuery & { include?: readonly string[] | undefined },
  asked: MatchedFilters,
  context: RequestContext,
  sources: RegistrySources,
): Record<string, unknown> {
  const meta = trialMeta(manifest, sources, context, query.registry !== undefined);
  return { ...meta, ...asked.meta(query.include?.includes('explain') ?? false) };
}

/** What `_meta` gains where `q` is an identifier, and where the trials are few: see contract/schemas/few-results.ts. */
export async function helpOf(
  { image, manifest }: ServedSnapshot,
  query: FilterQuery,
  total: number,
  { context, modalities, fail }: { context: RequestContext; modalities: Modalities; fail: Fail<'INVALID_PARAM'> },
): Promise<Record<string, unknown>> {
  const identifier = askedIdentifier(image, query.q);
  const countOf = async (asked: FilterQuery): Promise<number> =>
    matchingRows(image, (await filtersOf({ image, manifest }, asked, modalities, fail)).compiled).count;
  const few = await fewResults({ image, manifest, query, applied: context.applied, total, countOf });
  const slip = slipIn(query.q);
  return { ...(identifier && { identifier }), ...(slip && { notices: [slip] }), ...few };
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
