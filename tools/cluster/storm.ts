import { setTimeout as pause } from 'node:timers/promises';

/** How long a write that found nobody waits before it is sent again, under the same Idempotency-Key. */
const AGAIN_AFTER_MS = 100;
/** A request that hangs is given up, long after a gateway would have; the key finds out what became of it. */
const PATIENCE_MS = 120_000;
const LOOK_EVERY_MS = 20;
const PROGRESS_WITHIN_MS = 600_000;

/** What became of the writes of a storm. */
export interface StormReport {
  /** Id that each write was answered with, by its scope. */
  acknowledged: Map<string, string>;
  /** Answers other than 200 and 201, as `<status> <code>`, and failed connections, as `none`. */
  failures: Map<string, number>;
  /** Longest time in which no write was acknowledged, in ms. */
  longestPauseMs: number;
}

/** Writers that claim without end, each one thing after the other, and repeat what was not answered until it is. */
export class Storm {
  readonly #name: string;
  readonly #urls: readonly string[];
  readonly #report: StormReport = { acknowledged: new Map(), failures: new Map(), longestPauseMs: 0 };
  readonly #writers: Promise<void>[];
  #lastAnswer = performance.now();
  #over = false;
  #broken: unknown = null;

  /** `name`, four hex digits, keeps the writes of two storms apart. */
  constructor(name: string, urls: readonly string[], writers: number) {
    this.#name = name;
    this.#urls = urls;
    this.#writers = Array.from({ length: writers }, (_, writer) => this.#write(writer));
    for (const writer of this.#writers) {
      writer.catch((error: unknown) => {
        this.#broken ??= error;
      });
    }
  }

  /** Acknowledged so far. */
  get count(): number {
    return this.#report.acknowledged.size;
  }

  /** Resolves when this many more writes were acknowledged. */
  async more(count: number): Promise<void> {
    const [wanted, until] = [this.count + count, performance.now() + PROGRESS_WITHIN_MS];
    while (this.count < wanted) {
      if (this.#broken !== null) throw this.#broken;
      if (performance.now() > until) {
        const seen = JSON.stringify([...this.#report.failures]);
        throw new Error(
          `only ${this.count} of ${wanted} writes after ${PROGRESS_WITHIN_MS / 1000} s; failures: ${seen}`,
        );
      }
      await pause(LOOK_EVERY_MS);
    }
  }

  /** The longest pause so far, from now on counted anew. */
  takePause(): number {
    const longest = Math.max(this.#report.longestPauseMs, performance.now() - this.#lastAnswer);
    this.#report.longestPauseMs = 0;
    this.#lastAnswer = performance.now();
    return longest;
  }

  /** Lets each writer finish what it began. */
  async end(): Promise<StormReport> {
    this.#over = true;
    await Promise.all(this.#writers);
    return this.#report;
  }

  async #write(writer: number): Promise<void> {
    for (let place = 0; !this.#over; place += 1) {
      const scope = `storm ${this.#name}, writer ${writer}, slice ${place}`;
      const id = await this.#untilAnswered(writer, place, scope);
      this.#report.longestPauseMs = Math.max(this.#report.longestPauseMs, performance.now() - this.#lastAnswer);
      this.#lastAnswer = performance.now();
      this.#report.acknowledged.set(scope, id);
    }
  }

  async #untilAnswered(writer: number, place: number, scope: string): Promise<string> {
    const request = {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': `7c9e6679-7425-${this.#name}-${hex(writer, 4)}-${hex(place, 12)}`,
      },
      body: JSON.stringify({
        objectiveId: 'map-one-disease',
        scope,
        intent: `Counts one thing for ${scope} and hands back a table of it.`,
        agentName: `agent-${writer}`,
      }),
    };
    for (let tries = 0; ; tries += 1) {
      const url = this.#urls[(writer + tries) % this.#urls.length]!;
      const id = await this.#once(`${url}/api/v1/claims`, request);
      if (id !== null) return id;
      await pause(AGAIN_AFTER_MS);
    }
  }

  /** The id; null where it must be sent again. Throws for an answer that a failing part does not explain. */
  async #once(address: string, request: RequestInit): Promise<string | null> {
    let status: number;
    let text: string;
    try {
      const response = await fetch(address, { ...request, signal: AbortSignal.timeout(PATIENCE_MS) });
      [status, text] = [response.status, await response.text()];
    } catch {
      this.#count('none');
      return null;
    }
    if (status === 200 || status === 201) return (JSON.parse(text) as { data: { id: string } }).data.id;
    const code = /"code":"([A-Z_]+)"/.exec(text)?.[1];
    this.#count(`${status} ${code}`);
    // A 503 of the proxy alone has no code.
    if (status === 503) return null;
    throw new Error(`a claim was answered ${status}: ${text}`);
  }

  #count(failure: string): void {
    this.#report.failures.set(failure, (this.#report.failures.get(failure) ?? 0) + 1);
  }
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
