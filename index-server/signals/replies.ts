import { CURSOR_EXPECTED } from '../../contract/paging.ts';
import type { HopeRecord, MindRecord, TrendsRecord } from '../../contract/schemas/trials/signals.ts';
import { STANDING_HONESTY } from '../../contract/standing-honesty.ts';
import type { Fail, Reply, RequestContext } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { snapshotDay } from '../../snapshot/format/versions/snapshot-day.ts';
import { textUnits } from '../../snapshot/format/words/tokens.ts';
import { snapshotValidator, trialMeta } from '../meta.ts';
import type { IndexServices } from '../services.ts';
import type { SnapshotLease } from '../snapshot/snapshot-holder.ts';
import { holdsKeyword } from './curated.ts';
import { FORMULAS } from './formulas.ts';
import { diseasesOf, platformStats, trialCounts, world } from './hope.ts';
import { feedStandings, signalMeta, signalValidator } from './meta.ts';
import { mind } from './mind.ts';
import { researchPage } from './research-page.ts';
import type { SignalImage } from './signal-image.ts';
import { trends } from './trends.ts';

/** Replies of the signals, for the single operations and for the batch. */

/** Only another snapshot ends it, and none comes within seconds. */
const UNTIL_NEXT_SNAPSHOT = { retryAfterSeconds: 3_600 };

export async function mindReply(
  { days, disease }: { days: number; disease?: string | undefined },
  context: RequestContext,
  services: IndexServices,
  fail: Fail<'INVALID_PARAM' | 'MIND_DEPENDENCY_UNAVAILABLE' | 'MIND_INTEGRITY_UNVERIFIED'>,
): Promise<Reply<MindRecord>> {
  refuseWordless(disease, fail);
  using lease = services.holder.acquire() ?? fail('MIND_DEPENDENCY_UNAVAILABLE');
  const image = await verifiedSignals(lease, context, {
    missing: (cause) => fail('MIND_DEPENDENCY_UNAVAILABLE', { cause }),
    mismatch: () => fail('MIND_INTEGRITY_UNVERIFIED', UNTIL_NEXT_SNAPSHOT),
  });
  const { manifest } = lease;
  return {
    data: mind(image, { days, lastDay: snapshotDay(manifest), disease }),
    meta: signalMeta(manifest, context, given({ days, disease })),
    validator: signalValidator(manifest, context.now),
  };
}

export async function trendsReply(
  {
    include,
    series,
    disease,
  }: { include?: ('signal' | 'crypto')[] | undefined; series: boolean; disease?: string | undefined },
  context: RequestContext,
  services: IndexServices,
  fail: Fail<'INVALID_PARAM' | 'TRENDS_DEPENDENCY_UNAVAILABLE' | 'TRENDS_INTEGRITY_UNVERIFIED'>,
): Promise<Reply<TrendsRecord>> {
  refuseWordless(disease, fail);
  using lease = services.holder.acquire() ?? fail('TRENDS_DEPENDENCY_UNAVAILABLE');
  const { manifest } = lease;
  const data: TrendsRecord = {};
  if (include?.includes('signal') ?? true) {
    const image = await verifiedSignals(lease, context, {
      missing: (cause) => fail('TRENDS_DEPENDENCY_UNAVAILABLE', { cause }),
      mismatch: () => fail('TRENDS_INTEGRITY_UNVERIFIED', UNTIL_NEXT_SNAPSHOT),
    });
    data.signal = trends(image, { lastDay: snapshotDay(manifest), disease, series });
  }
  if (include?.includes('crypto') ?? true) {
    const { note, events } = services.curated.tokenEvents(manifest.corpus);
    const met = events.filter(
      ({ project, purpose }) => disease === undefined || holdsKeyword(disease, [project, purpose]),
    );
    data.crypto = { events: met, note, formula: FORMULAS.access };
  }
  return {
    data,
    meta: signalMeta(manifest, context, given({ include, series, disease })),
    validator: signalValidator(manifest, context.now),
  };
}

export interface HopeQuestion {
  include?: ('trials' | 'research' | 'stats')[] | undefined;
  disease?: string | undefined;
  limit: number;
  offset: number;
  cursor?: string | undefined;
}

export function hopeReply(
  { include, disease, limit, offset, cursor }: HopeQuestion,
  context: RequestContext,
  { holder, sources, curated }: IndexServices,
  fail: Fail<'INVALID_PARAM' | 'HOPE_UNAVAILABLE'>,
): Reply<HopeRecord> {
  refuseWordless(disease, fail);
  const research = curated.research.filter(
    (item) => disease === undefined || holdsKeyword(disease, [item.title, item.finding, item.disease]),
  );
  const page =
    researchPage(research, { limit, offset, cursor }, disease) ?? refuseParameter('cursor', CURSOR_EXPECTED, fail);
  using lease = holder.acquire() ?? fail('HOPE_UNAVAILABLE');
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
      ...(asked('research') && { research: { total: page.total, items: page.items } }),
      ...(asked('stats') && { stats: platformStats(image, manifest, sizes) }),
    },
    meta: {
      ...meta,
      filters: given({ include, disease }),
      ...(asked('research') ? { pagination: page.pagination } : {}),
      ...(passedOver ? { ignored: [...context.ignored, 'offset'] } : {}),
      honesty: [...STANDING_HONESTY.hope, ...(honesty as string[])],
    },
    validator: snapshotValidator(manifest, sources, context.now),
  };
}

/** Refuses a keyword without a word, which would select nothing and look like an answer. */
export function refuseWordless(disease: string | undefined, fail: Fail<'INVALID_PARAM'>): void {
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
