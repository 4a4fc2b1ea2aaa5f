import type { OperationOutput } from '../../contract/operation.ts';
import { getTrialCoverage } from '../../contract/operations/trials/trials.ts';
import { trialMeta } from '../../index-server/meta.ts';
import { coverageReply } from '../../index-server/present-counts.ts';
import { coverage } from '../../index-server/search/counting/coverage.ts';
import { compileFilters } from '../../index-server/search/filters.ts';
import { matchingRows } from '../../index-server/search/matching.ts';
import type { IndexServices } from '../../index-server/services.ts';
import type { RequestContext } from '../../server-kit/mount.ts';
import { readJson } from './read-json.ts';
import { Upstream } from './upstream.ts';

export type Coverage = OperationOutput<typeof getTrialCoverage>;

export interface IndexAnswer<Data> {
  data: Data;
  _meta: Record<string, unknown>;
}

/** Counts of the index for an answer of the gateway. */
export interface IndexCounts {
  coverage: Coverage;
  /** Running trials; null if the snapshot changed between the two reads of another process. */
  running: number | null;
  meta: Record<string, unknown>;
}

/** Counts of all trials or of one topic, from the index in this process or in another; rejects if that one fails. */
export async function countsOf(
  index: IndexServices | Upstream,
  topic: string | undefined,
  context: RequestContext,
): Promise<IndexCounts | { unread: string }> {
  if (index instanceof Upstream) return countsOfServer(index, topic);
  using lease = index.holder.acquire();
  if (lease === null) return { unread: 'no snapshot is served' };
  const { image, manifest } = lease;
  if (topic !== undefined && !image.topics.some(({ id }) => id === topic)) {
    return { unread: 'the snapshot that is served does not know the topic' };
  }
  const filters = topic === undefined ? {} : { topic };
  return {
    coverage: coverageReply(coverage(image, compileFilters(filters)), manifest),
    running: matchingRows(image, compileFilters({ ...filters, status: ['active'] })).count,
    meta: trialMeta(manifest, index.sources, context, false),
  };
}

async function countsOfServer(index: Upstream, topic: string | undefined): Promise<IndexCounts> {
  const read = (filters: Record<string, string>) =>
    readJson<IndexAnswer<Coverage>>(index, `${getTrialCoverage.path}?${new URLSearchParams(filters)}`);
  const filters = topic === undefined ? {} : { topic };
  const [all, active] = await Promise.all([read(filters), read({ ...filters, status: 'active' })]);
  // The snapshot may change between the two reads, and counts of two snapshots do not belong together.
  const same = all._meta.snapshot === active._meta.snapshot;
  return { coverage: all.data, running: same ? active.data.distinct : null, meta: all._meta };
}
