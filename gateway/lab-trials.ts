import type { OperationOutput } from '../contract/operation.ts';
import { getTrialCoverage, getTrialStats } from '../contract/operations/trials.ts';
import type { LabDiseaseId } from '../contract/research.ts';
import type { TopicTrials } from '../contract/schemas/lab-diseases.ts';
import { trialMeta } from '../index-server/meta.ts';
import { coverageReply } from '../index-server/present-counts.ts';
import { coverage } from '../index-server/search/coverage.ts';
import { compileFilters } from '../index-server/search/filters.ts';
import { matchingRows } from '../index-server/search/matching.ts';
import { stats } from '../index-server/search/stats.ts';
import type { IndexServices } from '../index-server/services.ts';
import type { RequestContext } from '../server-kit/mount.ts';
import { readJson } from './upstream/read-json.ts';
import { Upstream } from './upstream/upstream.ts';

/** A part that was read, with its `_meta`, or the reason why it could not be read. */
export type Part<Value> = { value: Value; meta: Record<string, unknown> } | { value: null; reason: string };

type Coverage = OperationOutput<typeof getTrialCoverage>;
type Stats = OperationOutput<typeof getTrialStats>;
type Answer<Data> = { data: Data; _meta: Record<string, unknown> };
type Counts = ReadonlyMap<string, number>;

const NO_SNAPSHOT = { value: null, reason: 'no snapshot is served' } as const;
const NO_ANSWER = { value: null, reason: 'the index does not answer' } as const;
const NO_TOPIC = { value: null, reason: 'the snapshot that is served does not know the topic' } as const;

/** Counts of the trials of one topic. */
export async function topicTrials(
  index: IndexServices | Upstream,
  topic: LabDiseaseId,
  context: RequestContext,
): Promise<Part<TopicTrials>> {
  try {
    return index instanceof Upstream ? await trialsOfServer(index, topic) : trialsHere(index, topic, context);
  } catch {
    return NO_ANSWER;
  }
}

/** Distinct trials of every topic, by its id. */
export async function trialsByTopic(index: IndexServices | Upstream, context: RequestContext): Promise<Part<Counts>> {
  try {
    if (index instanceof Upstream) {
      const { data, _meta } = await readJson<Answer<Stats>>(index, getTrialStats.path);
      return { value: countsOf(data.topics), meta: shownMeta(_meta) };
    }
    using lease = index.holder.acquire();
    if (lease === null) return NO_SNAPSHOT;
    const meta = trialMeta(lease.manifest, index.sources, context, false);
    return { value: countsOf(stats(lease.image).topics), meta: shownMeta(meta) };
  } catch {
    return NO_ANSWER;
  }
}

function countsOf(topics: readonly { id: string; trials: number }[]): Counts {
  return new Map(topics.map(({ id, trials }) => [id, trials]));
}

function trialsHere(
  { holder, sources }: IndexServices,
  topic: LabDiseaseId,
  context: RequestContext,
): Part<TopicTrials> {
  using lease = holder.acquire();
  if (lease === null) return NO_SNAPSHOT;
  const { image, manifest } = lease;
  if (!image.topics.some(({ id }) => id === topic)) return NO_TOPIC;
  const running = matchingRows(image, compileFilters({ topic, status: ['active'] })).count;
  const counts = coverageReply(coverage(image, compileFilters({ topic })), manifest);
  const meta = trialMeta(manifest, sources, context, false);
  return { value: trialsFrom(topic, counts, running), meta: shownMeta(meta) };
}

async function trialsOfServer(index: Upstream, topic: LabDiseaseId): Promise<Part<TopicTrials>> {
  const path = `${getTrialCoverage.path}?topic=${topic}`;
  const [all, active] = await Promise.all([
    readJson<Answer<Coverage>>(index, path),
    readJson<Answer<Coverage>>(index, `${path}&status=active`),
  ]);
  // The snapshot may change between the two reads, and a part of one does not belong to the whole of another.
  const same = all._meta.snapshot === active._meta.snapshot;
  return { value: trialsFrom(topic, all.data, same ? active.data.distinct : null), meta: shownMeta(all._meta) };
}

function trialsFrom(topic: LabDiseaseId, counts: Coverage, running: number | null): TopicTrials {
  const { distinct, inBoth, registries } = counts;
  return { topic, distinct, running, inBoth, byRegistry: registries };
}

/** The `_meta` fields of the index that an answer with its counts must repeat. */
function shownMeta({ snapshot, degraded, provenance, freshness, honesty }: Record<string, unknown>) {
  return { snapshot, degraded, provenance, freshness, honesty };
}
