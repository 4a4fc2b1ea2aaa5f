import type { OperationOutput } from '../../contract/operation.ts';
import { getTrialCoverage } from '../../contract/operations/trials/trials.ts';
import type { AskIndex } from './ask-index.ts';

export type Coverage = OperationOutput<typeof getTrialCoverage>;

/** After this long without a byte, the index counts as unread. */
const SILENCE_MS = 2_000;

export interface IndexData<Data> {
  data: Data;
  _meta: Record<string, unknown>;
}

/** Counts of the index for an answer of the gateway. */
export interface IndexCounts {
  coverage: Coverage;
  /** Running trials; null if the snapshot changed between the two reads. */
  running: number | null;
  meta: Record<string, unknown>;
}

/** Counts of all trials or of one topic, or why the index has none; rejects if it does not answer. */
export async function countsOf(ask: AskIndex, topic: string | undefined): Promise<IndexCounts | { unread: string }> {
  const read = (filters: Record<string, string>) =>
    readIndex<Coverage>(ask, `${getTrialCoverage.path}?${new URLSearchParams(filters)}`);
  const filters = topic === undefined ? {} : { topic };
  const [all, active] = await Promise.all([read(filters), read({ ...filters, status: 'active' })]);
  if ('unread' in all) return all;
  if ('unread' in active) return active;
  // The snapshot may change between the two reads, and counts of two snapshots do not belong together.
  const same = all._meta.snapshot === active._meta.snapshot;
  return { coverage: all.data, running: same ? active.data.distinct : null, meta: all._meta };
}

/** An answer of the index, or why it has none. */
export async function readIndex<Data>(ask: AskIndex, path: string): Promise<IndexData<Data> | { unread: string }> {
  const { status, body } = await ask(path, SILENCE_MS);
  if (status === 200) return body as IndexData<Data>;
  if (status === 503) return { unread: 'no snapshot is served' };
  if (body.error?.parameter === 'topic') return { unread: 'the snapshot that is served does not know the topic' };
  throw new Error(`${path} answered ${status}`);
}
