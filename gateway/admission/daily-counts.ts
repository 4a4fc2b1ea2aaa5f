/** Callers that are counted; after that, the one seen first is dropped. */
const CALLERS_MAX = 100_000;

const DAY_MS = 86_400_000;

/** Requests of each caller since midnight UTC, in memory: information for callers, not a record. */
export class DailyCounts {
  readonly #startedAt: Date;
  #day: string;
  /** Start of the day, in milliseconds since 1970. */
  #from: number;
  #counts = new Map<string, number>();

  constructor(startedAt: Date) {
    this.#startedAt = startedAt;
    this.#day = dayOf(startedAt);
    this.#from = startOf(startedAt);
  }

  add(caller: string, now: Date): void {
    this.#turn(now);
    this.#counts.set(caller, (this.#counts.get(caller) ?? 0) + 1);
    if (this.#counts.size > CALLERS_MAX) this.#counts.delete(this.#counts.keys().next().value!);
  }

  today(caller: string, now: Date): { count: number; day: string; countedSince: string } {
    this.#turn(now);
    const midnight = `${this.#day}T00:00:00.000Z`;
    const started = this.#startedAt.toISOString();
    return {
      count: this.#counts.get(caller) ?? 0,
      day: this.#day,
      countedSince: started > midnight ? started : midnight,
    };
  }

  #turn(now: Date): void {
    const from = startOf(now);
    if (from === this.#from) return;
    this.#from = from;
    this.#day = dayOf(now);
    this.#counts = new Map();
  }
}

function startOf(instant: Date): number {
  return Math.floor(instant.getTime() / DAY_MS) * DAY_MS;
}

/** The day of an instant, UTC. */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
