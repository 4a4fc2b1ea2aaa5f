import { LRUCache } from 'lru-cache';
import { WEBHOOK_MAX_TOTAL, WEBHOOK_TIMEOUT_SECONDS } from '../../contract/limits/limits.ts';
import type { Board } from '../store/board.ts';
import { freeLeases, leftOfLease, takeLease } from './lease-store.ts';
import type { WebhookRow } from './tables.ts';

const SHORTEST_LEASE_MS = 3 * WEBHOOK_TIMEOUT_SECONDS * 1000;
/** A subscription that another board holds is looked at again after this long at most: its holder may have stopped. */
const HELD_LOOK_MS = 5_000;
/** How soon a lease is tried again that was just being written to. */
const BUSY_MS = 100;
const HOLDER_BYTES = 12;

/** `fence` alone would not do: a crash of the database may take back the row of a lease, whose number is then given again. */
type LeaseOf = Pick<WebhookRow, 'id' | 'fence' | 'lease_holder'>;

/** Which subscriptions this process may deliver for. */
export interface Leases {
  /** Whether other processes may deliver too. */
  readonly areShared: boolean;
  /** Whether an attempt may begin now for a row that was just read; else its lease must be taken first. */
  holds(row: LeaseOf): boolean;
  /** Takes or renews a lease. Gives 0, or in how many milliseconds to try again. Throws as the store does. */
  take(id: string): Promise<number>;
  /** Forgets a lease that another process was found to have taken. */
  lost(id: string): void;
  /** Gives all of them back. */
  release(): Promise<void>;
}

/** How long a lease holds. It is renewed once less than half is left, and half is longer than the longest attempt. */
export function leaseMsFor(attemptMs: number): number {
  return Math.max(SHORTEST_LEASE_MS, 3 * attemptMs);
}

/** The leases of a new deliverer of this board. */
export function leasesOf(board: Board, leaseMs: number, monotonicMs: () => number): Leases {
  return board.aside === null ? ALONE : new SharedLeases(board, leaseMs, monotonicMs);
}

/** The only process that serves its board holds every lease for nothing. */
const ALONE: Leases = {
  areShared: false,
  holds: () => true,
  take: async () => 0,
  lost: () => undefined,
  release: async () => undefined,
};

interface Held {
  fence: number;
  /** By this process's own clock, from before the lease was asked for: it ends no later than the one in the database. */
  renewFrom: number;
}

/** Leases in the database of several boards, by its clock. */
class SharedLeases implements Leases {
  readonly areShared = true;
  readonly #aside: NonNullable<Board['aside']>;
  readonly #leaseMs: number;
  readonly #monotonicMs: () => number;
  readonly #holder: string;
  readonly #held = new LRUCache<string, Held>({ max: WEBHOOK_MAX_TOTAL });

  constructor(board: Board, leaseMs: number, monotonicMs: () => number) {
    this.#aside = board.aside!;
    this.#leaseMs = leaseMs;
    this.#monotonicMs = monotonicMs;
    this.#holder = board.effects.random(HOLDER_BYTES).toString('base64url');
  }

  holds({ id, fence, lease_holder }: LeaseOf): boolean {
    const held = this.#held.get(id);
    if (held === undefined || held.fence !== fence || lease_holder !== this.#holder) return false;
    return this.#monotonicMs() < held.renewFrom;
  }

  async take(id: string): Promise<number> {
    const renewFrom = this.#monotonicMs() + this.#leaseMs / 2;
    const fence = await takeLease(this.#aside, { id, holder: this.#holder, leaseMs: this.#leaseMs });
    if (fence !== null) {
      this.#held.set(id, { fence, renewFrom });
      return 0;
    }
    this.#held.delete(id);
    const left = await leftOfLease(this.#aside, id);
    return Math.min(Math.max(left, BUSY_MS), HELD_LOOK_MS);
  }

  lost(id: string): void {
    this.#held.delete(id);
  }

  async release(): Promise<void> {
    this.#held.clear();
    await freeLeases(this.#aside, this.#holder);
  }
}
