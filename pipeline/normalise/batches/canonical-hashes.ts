import { hash } from 'node:crypto';
import { canonicalJson } from '../../../contract/canonical-json.ts';
import { mapInOrder, WorkerPool } from '../../../server-kit/threads/worker-pool.ts';

/** JSON payloads, each with the id of its record. */
export interface NamedPayloads {
  ids: string[];
  payloads: string[];
}

export interface CanonicalHash {
  id: string;
  canonical: string;
}

/** Payloads in one message to a worker: some milliseconds of work. */
const PAYLOADS_A_MESSAGE = 64;
const MESSAGES_A_THREAD = 4;

/**
 * SHA-256 of the canonical form (RFC 8785) of a ClinicalTrials.gov study, without `versionHolder`: this is the day of the
 * registry's whole data set, so it differs in every record on the next day, whatever the record says.
 */
export function canonicalHash(payload: string): string {
  const study = JSON.parse(payload.replace(/^\uFEFF/, '')) as Study;
  const misc = study.derivedSection?.miscInfoModule;
  if (misc !== undefined && misc !== null) delete misc.versionHolder;
  return hash('sha256', canonicalJson(study), 'hex');
}

/** What of a study is left out; the rest is hashed as it stands. */
interface Study {
  derivedSection?: { miscInfoModule?: { versionHolder?: unknown } | null } | null;
}

/** The canonical hash of each payload in the order given, made by so many workers; by the caller's thread with 0. */
export async function* canonicalHashes(
  source: AsyncIterable<NamedPayloads>,
  threads: number,
): AsyncGenerator<CanonicalHash> {
  await using pool = threads === 0 ? null : poolOf(threads);
  const hashed = async ({ ids, payloads }: NamedPayloads): Promise<CanonicalHash[]> => {
    const hashes = pool === null ? hashAll(payloads) : await pool.run(payloads);
    return ids.map((id, place) => ({ id, canonical: hashes[place] as string }));
  };
  const limit = Math.max(1, threads * MESSAGES_A_THREAD);
  for await (const some of mapInOrder(messagesOf(source), hashed, limit)) yield* some;
}

const poolOf = (threads: number) =>
  new WorkerPool<string[], string[]>(new URL(import.meta.url), 'hashAll', {
    count: threads,
    inputs: MESSAGES_A_THREAD,
  });

/** Runs in a worker. */
export function hashAll(payloads: readonly string[]): string[] {
  return payloads.map(canonicalHash);
}

async function* messagesOf(source: AsyncIterable<NamedPayloads>): AsyncGenerator<NamedPayloads> {
  for await (const { ids, payloads } of source) {
    for (let from = 0; from < ids.length; from += PAYLOADS_A_MESSAGE) {
      const to = from + PAYLOADS_A_MESSAGE;
      yield { ids: ids.slice(from, to), payloads: payloads.slice(from, to) };
    }
  }
}
