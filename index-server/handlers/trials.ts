import type { RegistryId } from '../../contract/ids.ts';
import { REGISTRY_IDS } from '../../contract/ids.ts';
import type { TRIAL_OPERATIONS } from '../../contract/operations/trials.ts';
import type { TrialRecord } from '../../contract/schemas/trial.ts';
import { type Handlers, JsonText, type Reply } from '../../server-kit/mount.ts';
import { snapshotValidator, trialMeta } from '../meta.ts';
import { pageLinks } from '../pagination.ts';
import { coverageReply, landscapeReply, statsReply } from '../present-counts.ts';
import { coverage } from '../search/coverage.ts';
import { document, documents } from '../search/documents.ts';
import { landscape } from '../search/landscape.ts';
import { resolveId } from '../search/resolve-id.ts';
import { search } from '../search/search.ts';
import { stats } from '../search/stats.ts';
import type { IndexServices } from '../services.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { filtersOf } from '../trial-filters.ts';

/** A number that more trials declare than this is no help in finding one; `total` still says how many. */
const MATCHES_MAX = 100;
const MS_PER_DAY = 86_400_000;
const LITERATURE_NOTE =
  'This deployment does not read a literature index. Nothing is known here of what the literature says; that is not the same as none.';

type TrialHandlers = Handlers<typeof TRIAL_OPERATIONS, IndexServices>;

export const trialHandlers: TrialHandlers = {
  'trials-search': ({ query }, context, { holder, sources }, fail) => {
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const { page, pageSize, include, ...filters } = query;
    const found = search(image, filtersOf(image, filters, fail), { offset: (page - 1) * pageSize, limit: pageSize });
    const trials = documents(image, found.rows, {
      detail: 'brief',
      eligibility: include?.includes('eligibilityText') ?? false,
    });
    const paging = { page, pageSize, totalItems: found.total, returned: found.rows.length };
    return {
      data: new JsonText(Buffer.concat([Buffer.from('{"trials":'), trials, Buffer.from('}')])),
      meta: { ...trialMeta(manifest, sources, context, filters.registry !== undefined), ...pageLinks(context, paging) },
      validator: snapshotValidator(manifest, sources, context.now),
    };
  },

  'trials-coverage': ({ query }, context, { holder, sources }, fail) => {
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const meta = trialMeta(manifest, sources, context, query.registry !== undefined);
    return {
      data: coverageReply(coverage(image, filtersOf(image, query, fail)), manifest),
      meta,
      validator: snapshotValidator(manifest, sources, context.now),
    };
  },

  'trials-landscape': ({ query }, context, { holder, sources }, fail) => {
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const today = Math.floor(context.now.getTime() / MS_PER_DAY);
    return {
      data: landscapeReply(landscape(image, filtersOf(image, query, fail), today), manifest),
      meta: trialMeta(manifest, sources, context, query.registry !== undefined),
      // Momentum and the results-gap clocks count from today.
      validator: `${snapshotValidator(manifest, sources, context.now)} ${today}`,
    };
  },

  'trials-registrations': ({ query }, context, { holder, sources }, fail) => {
    const id = query.id ?? fail('MISSING_ID');
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const { standing, rows } = resolveId(image, id) ?? fail('TRIAL_NOT_FOUND');
    const matches = rows.slice(0, MATCHES_MAX).map((row) => {
      const trial = readTrial(image, row);
      return { canonicalId: trial.canonicalId, standing, trial, absentFrom: absentFrom(trial.registries) };
    });
    return {
      data: { query: id, total: rows.length, matches },
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

  'trials-detail': async ({ params, query }, context, { holder, sources, store }, fail) => {
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const row = heldRow(image, params.canonicalId) ?? fail('TRIAL_NOT_FOUND');
    const reply: Reply<TrialRecord> = {
      data: new JsonText(oneDocument(image, row)),
      meta: trialMeta(manifest, sources, context, false),
      validator: snapshotValidator(manifest, sources, context.now),
    };
    if (!query.includeRaw) return reply;
    const trial = readTrial(image, row);
    const raw = await store
      .rawPayloads({ directory: image.directory, manifest }, trial.registrations)
      .catch((cause) => fail('TRIALS_UNAVAILABLE', { cause }));
    return { ...reply, data: { ...trial, raw } };
  },

  'trials-related': async ({ params, query }, context, { holder, sources, store }, fail) => {
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const row = heldRow(image, params.id) ?? fail('TRIAL_NOT_FOUND');
    const trial = readTrial(image, row);
    const asked = (layer: 'declared' | 'literature' | 'crossref') => query.include?.includes(layer) ?? true;
    const publications = asked('declared')
      ? await store
          .publications({ directory: image.directory, manifest }, trial.registrations)
          .catch((cause) => fail('RELATED_RESEARCH_UNAVAILABLE', { cause }))
      : null;
    return {
      data: {
        canonicalId: trial.canonicalId,
        registryDeclared: { state: publications === null ? 'not_asked' : 'answered', publications },
        literature: { state: asked('literature') ? 'unavailable' : 'not_asked', note: LITERATURE_NOTE, records: null },
        crossRegistryMentions: {
          state: asked('crossref') ? 'unavailable' : 'not_asked',
          note: LITERATURE_NOTE,
          mentions: null,
        },
        identifiers: trial.identifiers,
      },
      meta: trialMeta(manifest, sources, context, false),
      validator: snapshotValidator(manifest, sources, context.now),
    };
  },
};

function oneDocument(image: SnapshotImage, row: number): Buffer<ArrayBuffer> {
  return document(image, row, { detail: 'full', eligibility: true });
}

function readTrial(image: SnapshotImage, row: number): TrialRecord {
  return JSON.parse(oneDocument(image, row).toString('utf8')) as TrialRecord;
}

/** Row of the one trial that holds the id; a mention in another record's identifiers does not make it that trial. */
function heldRow(image: SnapshotImage, id: string): number | null {
  const found = resolveId(image, id);
  return found === null || found.standing === 'declared' ? null : (found.rows[0] ?? null);
}

function absentFrom(held: readonly RegistryId[]): RegistryId[] {
  return REGISTRY_IDS.filter((registry) => !held.includes(registry));
}
