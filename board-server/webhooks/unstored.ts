import type { DialResult } from './http.ts';
import type { WebhookRow } from './tables.ts';

/** What one message came to at its receiver. Time: microseconds. */
export interface Made {
  result: DialResult;
  startedAt: number;
  durationMs: number;
}

interface Kept extends Made {
  messageId: string;
  /** The subscription as it was; a change of it, by its owner or by what another board delivered, makes the rest moot. */
  as: string;
}

/** What deliverers tell of deliveries that the store did not take. */
export interface UnstoredCounts {
  /** Made, and stored as soon as the store takes writes. */
  waiting: number;
  /** Made and never stored since the start, so that they were made again or will be. */
  again: number;
}

/**
 * Deliveries that were made while the store took no writes. Each is stored later instead of being made once more: a
 * receiver gets a message once, however long the store fails. One a subscription at most, since nothing else is sent
 * for it meanwhile.
 */
export class Unstored {
  readonly #kept = new Map<string, Kept>();
  #again = 0;

  get counts(): UnstoredCounts {
    return { waiting: this.#kept.size, again: this.#again };
  }

  keep(row: WebhookRow, messageId: string, { result, startedAt, durationMs }: Made): void {
    this.#kept.set(row.id, { messageId, as: stateOf(row), result, startedAt, durationMs });
  }

  /** Whether something else than this message waits to be stored, so that the message has to wait. */
  isBefore(id: string, messageId: string): boolean {
    const kept = this.#kept.get(id);
    return kept !== undefined && kept.messageId !== messageId;
  }

  /** What this message came to already; forgets what became moot. */
  of(row: WebhookRow, messageId: string): Made | null {
    const kept = this.#kept.get(row.id);
    if (kept === undefined) return null;
    if (kept.messageId === messageId && kept.as === stateOf(row)) return kept;
    this.drop(row.id);
    return null;
  }

  /** It was stored, or nothing is to be sent any more. */
  forget(id: string): void {
    this.#kept.delete(id);
  }

  /** Gives up to store what was made, which counts as made again. Says whether there was something. */
  drop(id: string): boolean {
    const wasKept = this.#kept.delete(id);
    if (wasKept) this.#again += 1;
    return wasKept;
  }
}

function stateOf({ state, cursor, attempts, updated_at }: WebhookRow): string {
  return [state, cursor, attempts, updated_at].join(' ');
}
