import { announcedAfter } from './event-store.ts';
import type { Reader } from './reader.ts';
import type { EventRow } from './tables.ts';

export type Announced = Pick<EventRow, 'ts' | 'kind' | 'about'>;

/** Events read at a time. */
const READ_ROWS = 500;

/**
 * Tells of every event that other processes store, in order and once. Only a look at the store says which there are, so
 * that a notification that is lost, or one too many, costs no more than a look.
 */
export class Following {
  readonly #read: Reader;
  readonly #announce: (event: Announced) => void;
  /** Events of this process, which told of them itself, until they are read here. */
  readonly #own = new Set<number>();
  #seen: number;
  #reading: Promise<void> | null = null;
  #again = false;
  #stopped = false;

  /** `seen`: the newest event that nobody waits for any more. */
  constructor(read: Reader, seen: number, announce: (event: Announced) => void) {
    this.#read = read;
    this.#seen = seen;
    this.#announce = announce;
  }

  /** Whether this process still has to tell of its own event: it may have been read here before its commit was answered. */
  noteOwn(ts: number): boolean {
    if (ts <= this.#seen) return false;
    this.#own.add(ts);
    return true;
  }

  /** Looks for events now. A look that fails is left to the next one. */
  look(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#reading ??= this.#readAll()
      .catch(() => undefined)
      .finally(() => {
        this.#reading = null;
      });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#reading;
  }

  async #readAll(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      const rows = await announcedAfter(this.#read, this.#seen, READ_ROWS);
      for (const row of rows) if (!this.#own.delete(row.ts)) this.#announce(row);
      this.#seen = rows.at(-1)?.ts ?? this.#seen;
      this.#again ||= rows.length === READ_ROWS;
    }
  }
}
