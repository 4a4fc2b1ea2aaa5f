import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { KEY_BELIEVED_MAX_SECONDS } from '../../contract/limits/limits.ts';
import { API_KEY_PATTERN } from '../../contract/schemas/key.ts';
import { jsonOf } from '../upstream/answer-body.ts';
import type { Upstream } from '../upstream/upstream.ts';

export type KeyStanding =
  | { state: 'live'; id: string; rateLimit: number }
  | { state: 'dead' }
  /** The board did not answer, so that nothing is known about the key. */
  | { state: 'unverified' };

/** Finds a live key by its SHA-256, null if there is none; rejects if the board does not answer. */
export type KeyLookup = (keyHash: string) => Promise<{ id: string; rateLimit: number } | null>;

const KEPT_MS = { live: KEY_BELIEVED_MAX_SECONDS * 1000, dead: 5_000, unverified: 1_000 } as const;
const KEPT_MAX_KEYS = 10_000;
/** Of the wait for other answers: short, because the read that sent the key waits for it. */
const LOOKUP_PATIENCE = 0.5;

interface Kept {
  standing: Promise<KeyStanding>;
  from: number;
  until: number;
}

/** Verifies API keys with the board. Remembers answers for a while, by the hash of the key and never the key itself. */
export class KeyVerifier {
  readonly #lookup: KeyLookup;
  readonly #now: () => Date;
  readonly #kept = new LRUCache<string, Kept>({ max: KEPT_MAX_KEYS });

  constructor(lookup: KeyLookup, now: () => Date) {
    this.#lookup = lookup;
    this.#now = now;
  }

  /** Whether the key is live; never rejects. */
  verify(key: string): Promise<KeyStanding> {
    if (!API_KEY_PATTERN.test(key)) return Promise.resolve({ state: 'dead' });
    const hash = hashOf(key);
    const kept = this.#kept.get(hash);
    if (kept && this.#holds(kept)) return kept.standing;
    return this.#ask(hash);
  }

  /** Whether verifying this key would ask the board. */
  isUnknown(key: string): boolean {
    const kept = this.#kept.get(hashOf(key));
    return API_KEY_PATTERN.test(key) && !(kept && this.#holds(kept));
  }

  /** Forgets a key that was just changed. */
  forget(key: string): void {
    this.#kept.delete(hashOf(key));
  }

  /** A clock that was set back ends an answer, so that no deleted key lives on until the clock has caught up. */
  #holds({ from, until }: Kept): boolean {
    const now = this.#now().getTime();
    return from <= now && now < until;
  }

  #ask(hash: string): Promise<KeyStanding> {
    const entry: Kept = {
      from: this.#now().getTime(),
      // Requests that come before the answer wait for the same one.
      until: Number.POSITIVE_INFINITY,
      standing: this.#lookup(hash)
        .then((live): KeyStanding => (live ? { state: 'live', ...live } : { state: 'dead' }))
        .catch((): KeyStanding => ({ state: 'unverified' }))
        .then((standing) => {
          // From the question on: what was true when it was asked may have changed before the answer came.
          entry.until = entry.from + KEPT_MS[standing.state];
          return standing;
        }),
    };
    this.#kept.set(hash, entry);
    return entry.standing;
  }
}

/** Asks the board on an internal path that clients cannot reach. */
export function boardLookup(board: Upstream): KeyLookup {
  return async (keyHash) => {
    const answer = await board.ask(`/internal/keys/${keyHash}`, board.patienceMs * LOOKUP_PATIENCE);
    const body = (await jsonOf(answer)) as { id: string; rateLimit: number };
    if (answer.statusCode === 404) return null;
    if (answer.statusCode !== 200) throw new Error(`the board answered ${answer.statusCode}`);
    return { id: body.id, rateLimit: body.rateLimit };
  };
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
