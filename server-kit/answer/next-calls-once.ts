import { LRUCache } from 'lru-cache';
import { nextCallsIn } from '../../contract/interfaces/next-calls.ts';
import type { Operation } from '../../contract/operation.ts';
import { writtenOnce } from './written-json.ts';

type NextCalls = ReturnType<typeof nextCallsIn>;

/** Requests whose next calls are kept; to make them costs as much as half of a short answer. */
const KEPT = 2_000;
/** Characters of a request, and of what its answer depends on, from which on nothing is kept. */
const KEPT_KEY_MAX_CHARACTERS = 500;

const kept = new LRUCache<string, NextCalls>({ max: KEPT });

interface Asked {
  sent: Readonly<Record<string, string>>;
  /** Path and query as they were sent. */
  address: string;
  /** Everything that the answer depends on besides the request. */
  validator: string | undefined;
}

/** `_meta.nextCalls` of a whole answer, made once for each request to a snapshot. */
export function nextCallsOnce(
  operation: Operation,
  { sent, address, validator }: Asked,
  answer: () => { data: unknown; _meta: Record<string, unknown> },
): NextCalls {
  const key = `${operation.id} ${address} ${validator}`;
  if (operation.cache !== 'snapshot' || validator === undefined || key.length > KEPT_KEY_MAX_CHARACTERS) {
    return nextCallsIn(operation, sent, answer());
  }
  const known = kept.get(key);
  if (known !== undefined) return known;
  const { nextCalls } = nextCallsIn(operation, sent, answer());
  const made = nextCalls === undefined ? {} : { nextCalls: writtenOnce(nextCalls) };
  kept.set(key, made);
  return made;
}
