import type { RegistryId } from '../../contract/ids.ts';
import { REGISTRY_IDS } from '../../contract/ids.ts';
import type { TRIAL_OPERATIONS } from '../../contract/operations/trials/trials.ts';
import { type Fail, type Handlers, JsonText } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { parseIdentifier } from '../../snapshot/format/identifiers.ts';
import { dataEnds, momentumNotice } from '../data-ends.ts';
import { snapshotValidator, trialMeta, withModality } from '../meta.ts';
import { coverageRecord, statsRecord } from '../search/counting/coverage.ts';
import { landscape, landscapeRecord } from '../search/counting/landscape.ts';
import { asksResultsDue, clockAsked, resultsDueOf } from '../search/counting/results-clock.ts';
import { document, recordText } from '../search/documents.ts';
import { heldRow, readRegistrations, readTrial, resolveId, supersededRecord } from '../search/hints/held-trial.ts';
import { rowsOf } from '../search/row-set.ts';
import { searchPage } from '../search/search-page.ts';
import type { IndexServices } from '../services.ts';
import type { NoPart } from '../store/json-part.ts';
import type { RawPayload } from '../store/keyed-store.ts';
import { rawJson } from '../store/keyed-store.ts';
import { answer, filtersOf } from './answer.ts';
import { type FiltersIn, landscapeAgainst } from './landscape-against.ts';
import { notHeld } from './not-held.ts';
import { beyondNotice, CONTACTS_LEFT_OUT } from './notices.ts';
import { relatedResearch } from './related.ts';
import { orderOf, relevanceMeta, withNotices } from './search-order.ts';
import { sitesThereOf } from './site-status.ts';
import { recordNotices } from './superseded.ts';

/** Trials shown for a number that many declare; `total` gives the exact number. */
const MATCHES_MAX = 100;

export const trialHandlers: Handlers<typeof TRIAL_OPERATIONS, IndexServices> = {
  'trials-search': ({ query }, context, services, fail) =>
    answer('search', { query, context, services, fail }, ({ image, day, matched }) => {
      const { page, pageSize, include } = query;
      const inferred = asksModality(query);
      const dueOf = asksResultsDue(query) ? resultsDueOf(image, clockAsked(query, day)) : null;
      const found = searchPage(image, matched.compiled, {
        ...{ page, pageSize, sort: orderOf(query.sort, matched.parts, query.gapClock) },
        eligibility: include?.includes('eligibilityText') ?? false,
        modality: inferred ? (row) => services.modalities.labelsOf(image, row) : null,
        matchedBy: matched.groundsOf,
        siteStatus: sitesThereOf(image, query),
        daysOverdue: dueOf && ((row) => dueOf(row)?.days ?? null),
      });
      const paging = { page, pageSize, totalItems: found.total, returned: found.returned };
      const relevance = query.sort === 'relevance' ? relevanceMeta(matched.parts, found.scores) : {};
      return {
        ...{ data: new JsonText(found.json, { trials: found.first }), inferred, paging },
        meta: withNotices({ notices: beyondNotice(paging) }, relevance),
      };
    }),

  'trials-coverage': ({ query }, context, services, fail) =>
    answer('coverage', { query, context, services, fail }, ({ image, manifest, rows }) => ({
      data: coverageRecord(image, manifest, rows),
    })),

  'trials-landscape': ({ query }, context, services, fail) =>
    answer('landscape', { query, context, services, fail }, async ({ image, manifest, day, rows }) => {
      const { modalities, sources } = services;
      const { against, registry } = query;
      const ends = dataEnds({ image, manifest }, registry, sources);
      const counts = landscapeRecord(landscape(image, rows, day), manifest, ends);
      const inferred = asksModality(query);
      const mix = inferred ? { modality: await modalities.mix(image, rowsOf(rows)) } : {};
      const notices = momentumNotice(ends, manifest);
      if (against === undefined) return { data: { ...counts, ...mix }, meta: { notices }, inferred };
      const filtersIn: FiltersIn = async (other, failThere) =>
        (await filtersOf(other, query, modalities, failThere)).compiled;
      const earlier = await landscapeAgainst({ ...query, against }, { manifest, counts }, services, filtersIn, fail);
      return {
        data: { ...counts, ...mix, against: earlier.block },
        ...{ meta: { notices }, inferred, isKept: false, validator: `${earlier.block.version} ${earlier.sha256}` },
      };
    }),

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
      data: statsRecord(image, manifest),
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
        : recordText(superseded, row, shown);
    const notices = [...recordNotices(image, row, params.canonicalId), CONTACTS_LEFT_OUT, ...(parts?.notices ?? [])];
    return {
      data: new JsonText(text),
      meta: withNotices(inferred ? withModality(meta, modalities.vocabulary) : meta, { notices }),
      validator: `${snapshotValidator(manifest, sources, context.now)} ${inferred ? modalities.vocabulary : ''}`,
    };
  },

  'trials-related': relatedResearch,
};

/** Labels come with a request for them, and with the filter: a caller who filters by them must see their terms. */
function asksModality(query: { modality?: unknown; include?: readonly string[] | undefined }): boolean {
  return query.modality !== undefined || (query.include?.includes('modality') ?? false);
}

function absentFrom(held: readonly RegistryId[]): RegistryId[] {
  return REGISTRY_IDS.filter((registry) => !held.includes(registry));
}

interface AskedParts {
  /** The parts that the pointer names, each with its pointer. */
  payloads: (RawPayload & { path: string })[];
  /** Why a registration has none. */
  notices: string[];
}

/** The parts of payloads that a JSON pointer names. One that names nothing in any of them is refused with what is there. */
function askedParts(read: readonly RawPayload[], path: string, fail: Fail<'INVALID_PARAM'>): AskedParts {
  const payloads = read.flatMap(({ noPart, json, ...payload }) =>
    noPart === undefined ? [{ ...payload, path, json }] : [],
  );
  const faults = read.flatMap(({ registration, format, noPart }) =>
    noPart === undefined ? [] : [{ registration, fault: wordsOf(noPart, registration, format) }],
  );
  if (payloads.length > 0)
    return { payloads, notices: faults.map(({ fault }) => `rawPath=${path} names nothing more: ${fault}.`) };
  const words = faults.map(({ fault }) => fault).join('; ');
  return refuseParameter('rawPath', `a JSON pointer to a part that a payload has: ${words}`, fail);
}

function wordsOf(noPart: NoPart | 'not-json', registration: string, format: RawPayload['format']): string {
  if (noPart === 'not-json')
    return `the payload of ${registration} is ${format.toUpperCase()}, into which no JSON pointer leads; includeRaw=true without rawPath gives it whole`;
  const { reached, holds } = noPart;
  const where = reached === '' ? `the payload of ${registration}` : `${reached} of ${registration}`;
  if (holds === null) return `${where} is a single value without parts`;
  if ('items' in holds)
    return `${where} is a list of ${holds.items}, ${holds.items === 0 ? 'which is empty' : `numbered from 0 to ${holds.items - 1}`}`;
  const { names, of } = holds;
  if (of === 0) return `${where} is an object without members`;
  return `${where} has ${names.join(', ')}${of > names.length ? ` and ${of - names.length} more` : ''}`;
}
