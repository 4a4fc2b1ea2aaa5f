import { HOPE_DEFAULT_ITEMS } from '../../contract/limits/limits.ts';
import type { SIGNAL_OPERATIONS } from '../../contract/operations/trials/signals.ts';
import { CURSOR_EXPECTED } from '../../contract/paging.ts';
import type { TrendsRecord } from '../../contract/schemas/trials/signals.ts';
import { STANDING_HONESTY } from '../../contract/standing-honesty.ts';
import { type Fail, type Handlers, ownMeta, type Reply, type RequestContext } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { Problem, problemAnswer } from '../../server-kit/problem.ts';
import { snapshotDay } from '../../snapshot/format/versions/snapshot-day.ts';
import { textUnits } from '../../snapshot/format/words/tokens.ts';
import { snapshotValidator, trialMeta } from '../meta.ts';
import type { IndexServices } from '../services.ts';
import { holdsKeyword } from '../signals/curated.ts';
import { FORMULAS } from '../signals/formulas.ts';
import { diseasesOf, platformStats, trialCounts, world } from '../signals/hope.ts';
import { feedStandings, signalMeta, signalValidator } from '../signals/meta.ts';
import { researchPage } from '../signals/research-page.ts';
import type { SignalImage } from '../signals/signal-image.ts';
import { mind, trends } from '../signals/windows.ts';
import type { SnapshotLease } from '../snapshot/snapshot-holder.ts';

const UNAVAILABLE = {
  mind: 'MIND_DEPENDENCY_UNAVAILABLE',
  hope: 'HOPE_UNAVAILABLE',
  trends: 'TRENDS_DEPENDENCY_UNAVAILABLE',
} as const;
type Signal = keyof typeof UNAVAILABLE;

/** Only another snapshot ends it, and none comes within seconds. */
const UNTIL_NEXT_SNAPSHOT = { retryAfterSeconds: 3_600 };

export const signalHandlers: Handlers<typeof SIGNAL_OPERATIONS, IndexServices> = {
  mind: async ({ query }, context, services, fail) => {
    const { days, disease } = query;
    refuseWordless(disease, fail);
    using lease = services.holder.acquire() ?? fail(UNAVAILABLE.mind);
    const { manifest } = lease;
    const image = await verifiedSignals(lease, context, {
      missing: (cause) => fail(UNAVAILABLE.mind, { cause }),
      mismatch: () => fail('MIND_INTEGRITY_UNVERIFIED', UNTIL_NEXT_SNAPSHOT),
    });
    return {
      data: mind(image, { days, lastDay: snapshotDay(manifest), disease }),
      meta: signalMeta(manifest, context, given({ days, disease })),
      validator: signalValidator(manifest, context.now),
    };
  },

  trends: async ({ query }, context, services, fail) => {
    const { include, series, disease } = query;
    refuseWordless(disease, fail);
    using lease = services.holder.acquire() ?? fail(UNAVAILABLE.trends);
    const { manifest } = lease;
    const data: TrendsRecord = {};
    if (include?.includes('signal') ?? true) {
      const image = await verifiedSignals(lease, context, {
        missing: (cause) => fail(UNAVAILABLE.trends, { cause }),
        mismatch: () => fail('TRENDS_INTEGRITY_UNVERIFIED', UNTIL_NEXT_SNAPSHOT),
      });
      data.signal = trends(image, { lastDay: snapshotDay(manifest), disease, series });
    }
    if (include?.includes('crypto') ?? true) {
      const { note, events } = services.curated.tokenEvents(manifest.corpus);
      const met = events.filter(({ project, purpose }) => holdsKeyword(disease, [project, purpose]));
      data.crypto = { events: met, note, formula: FORMULAS.access };
    }
    return {
      data,
      meta: signalMeta(manifest, context, given({ include, series, disease })),
      validator: signalValidator(manifest, context.now),
    };
  },

  hope: ({ query }, context, { holder, sources, curated }, fail) => {
    const { include, disease, limit, offset, cursor } = query;
    refuseWordless(disease, fail);
    const research = curated.research.filter((item) => holdsKeyword(disease, [item.title, item.finding, item.disease]));
    const page =
      researchPage(research, { limit, offset, cursor }, disease) ?? refuseParameter('cursor', CURSOR_EXPECTED, fail);
    using lease = holder.acquire() ?? fail(UNAVAILABLE.hope);
    const { image, manifest } = lease;
    const asked = (block: 'trials' | 'research' | 'stats'): boolean => include?.includes(block) ?? true;
    const { honesty, ...meta } = trialMeta(manifest, sources, context, false);
    const diseases = diseasesOf(image, curated.diseases, disease);
    const sizes = { research: curated.research.length, diseases: curated.diseases.length };
    const passedOver = cursor !== undefined && context.applied.offset !== undefined;
    return {
      data: {
        ...(asked('trials') && { trials: trialCounts(image, manifest, diseases, disease) }),
        world: world(image, manifest),
        ...(asked('research') && { research: { total: research.length, items: page.items } }),
        ...(asked('stats') && { stats: platformStats(image, manifest, sizes) }),
      },
      meta: {
        ...meta,
        filters: given({ include, disease }),
        ...(asked('research') && { pagination: page.pagination }),
        ...(passedOver && { ignored: [...context.ignored, 'offset'] }),
        honesty: [...STANDING_HONESTY.hope, ...(honesty as string[])],
      },
      validator: snapshotValidator(manifest, sources, context.now),
    };
  },

  batch: async ({ query }, context, services, fail) => {
    const { include, days, series, disease } = query;
    // All parts share the keyword, so an invalid one fails the request, not a part.
    refuseWordless(disease, fail);
    const inner = { ...context, ignored: [], applied: {} };
    const input = { params: {}, body: undefined };
    const first = { include: undefined, disease, limit: HOPE_DEFAULT_ITEMS, offset: 0, cursor: undefined };
    const { mind: readMind, hope: readHope, trends: readTrends } = signalHandlers;
    const parts = {
      mind: () => readMind({ ...input, query: { days, disease } }, inner, services, thrown),
      hope: () => readHope({ ...input, query: first }, inner, services, thrown),
      trends: () => readTrends({ ...input, query: { include: undefined, series, disease } }, inner, services, thrown),
    };
    const wanted = (Object.keys(parts) as Signal[]).filter((signal) => include?.includes(signal) ?? true);
    const read = wanted.map(async (signal) => [signal, await partOf(signal, parts[signal], inner, services)] as const);
    return { data: Object.fromEntries(await Promise.all(read)) as never, meta: { filters: context.applied } };
  },
};

const thrown: Fail<Problem['code']> = (code, details) => {
  throw new Problem(code, details);
};

/** Envelope of one part: its data, or its failure with status 503. An unexpected error goes to the log. */
async function partOf(
  signal: Signal,
  read: () => Reply<unknown> | Promise<Reply<unknown>>,
  context: RequestContext,
  { log }: IndexServices,
) {
  try {
    const { data, meta } = await read();
    return { status: 200, data, _meta: { ...ownMeta(context), ...meta } };
  } catch (error) {
    const fields = { correlationId: context.correlationId, operation: 'batch', signal, err: error };
    if (error instanceof Problem) log.warn(fields, 'a part of a batch could not be served');
    else log.error(fields, 'a part of a batch failed unexpectedly');
    const problem = error instanceof Problem ? error : new Problem(UNAVAILABLE[signal]);
    return { status: 503, error: problemAnswer(problem, context.correlationId).body.error };
  }
}

/** Refuses a keyword without a word, which would select nothing and look like an answer. */
function refuseWordless(disease: string | undefined, fail: Fail<'INVALID_PARAM'>): void {
  if (disease !== undefined && textUnits(disease).length === 0) {
    refuseParameter('disease', 'text with at least one letter or digit', fail);
  }
}

/**
 * The lease's signals, once their files are known to match the manifest. If no feed ever answered there is nothing to
 * count: that is a missing dependency, never a window of zeros.
 */
async function verifiedSignals(
  lease: SnapshotLease,
  context: RequestContext,
  refusal: { missing: (cause: unknown) => never; mismatch: () => never },
): Promise<SignalImage> {
  const { signals } = lease.image;
  const integrity = await lease.signalIntegrity;
  if (integrity === 'mismatch') return refusal.mismatch();
  if (integrity === 'missing') return refusal.missing(new Error('a signal file of the snapshot cannot be read'));
  if (signals.fault !== null) return refusal.missing(signals.fault);
  const answered = feedStandings(lease.manifest, context.now).some(({ state }) => state === 'answered');
  return answered ? signals : refusal.missing(new Error('no feed has answered'));
}

/** The filters that the caller gave. */
function given(filters: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}
