import { RATE_WINDOW_SECONDS } from '../../contract/limits/limits.ts';
import type { Reading } from '../../server-kit/health.ts';
import { HealthRecorder } from '../../server-kit/health.ts';
import type { Awaitable } from '../../server-kit/limits/limits.ts';
import { type Count, MemoryCounter } from '../../server-kit/limits/memory-counter.ts';
import { type Holder, type NoPlace, type PlaceBounds, PlaceCounts } from '../../server-kit/limits/shared-places.ts';
import { DailyCounts } from '../admission/daily-counts.ts';
import { type Traffic, type TrafficDoor, TrafficWindow } from '../observation/traffic-window.ts';

/** What is counted in windows of RATE_WINDOW_SECONDS: requests in their buckets, and wrong keys of an address. */
export type CounterName = 'rates' | 'wrong-keys';

export interface RequestsToday {
  count: number;
  day: string;
  countedSince: string;
}

export type TrafficReport = Omit<Traffic, 'since'> & { since: string };

/** A failure with its time in ISO 8601. */
export interface ReportedFailure {
  at: string;
  operation: string;
  code: string;
}

export interface HealthReport {
  startedAt: string;
  failures: number;
  lastFailure: ReportedFailure | null;
  /** For each reading, in order: since when it has been so, and the last failure of its component. */
  parts: { since: string; lastFailure: ReportedFailure | null }[];
  /** Gateway processes; null where there is one. */
  processes: { running: number; of: number } | null;
}

/** What is counted of callers. */
export interface CallerCounts {
  /** Where, in words for a caller. */
  readonly heldIn: 'memory of this gateway' | 'the store of all gateways';
  /** Adds points to a count and returns it. */
  penalty(counter: CounterName, key: string, points?: number): Awaitable<Count>;
  /** The count without adding to it; null if no window runs. */
  look(counter: CounterName, key: string): Awaitable<Count | null>;
  /** Counts a request of the caller. */
  noteRequest(caller: string): void;
  requestsOf(caller: string): Awaitable<RequestsToday>;
}

/**
 * What all gateways of one service know together. With one gateway it is a value of its process (`CommonState`); with
 * several, their supervisor holds that value and each gateway asks it by messages (`CommonClient`), so that arguments and
 * results are plain JSON.
 */
export interface Common extends CallerCounts {
  noteTraffic(door: TrafficDoor, status: number): void;
  traffic(): Awaitable<TrafficReport>;
  /** Records an answer with a 5xx status, and the component that gave it. */
  noteFailure(operation: string, code: string, component: string): void;
  /** Notes the state of each component, and returns what is known of them. */
  health(readings: readonly Reading[]): Awaitable<HealthReport>;
  /** Milliseconds until a request to a source may begin, so that all gateways together keep to its rate. */
  slot(source: string, perSecond: number): Awaitable<number>;
  /** Has every other gateway forget what it knows of a key that was just changed. */
  forgetKey(hash: string): void;
}

/** Counts in memory, since the start. */
export class CommonState implements Common {
  readonly heldIn = 'memory of this gateway';
  readonly #now: () => Date;
  readonly #counters: Record<CounterName, MemoryCounter>;
  readonly #daily: DailyCounts;
  readonly #traffic: TrafficWindow;
  readonly #health: HealthRecorder;
  readonly #places = new PlaceCounts();
  /** When the last requests to each source begin, in milliseconds of the monotonic clock. */
  readonly #starts = new Map<string, number[]>();
  readonly #clock: () => number;

  constructor(now: () => Date, clock: () => number = () => performance.now()) {
    this.#now = now;
    this.#clock = clock;
    this.#counters = {
      rates: new MemoryCounter(RATE_WINDOW_SECONDS, clock),
      'wrong-keys': new MemoryCounter(RATE_WINDOW_SECONDS, clock),
    };
    this.#daily = new DailyCounts(now());
    this.#traffic = new TrafficWindow(now());
    this.#health = new HealthRecorder(now());
  }

  penalty(counter: CounterName, key: string, points?: number): Count {
    return this.#counters[counter].penalty(key, points);
  }

  look(counter: CounterName, key: string): Count | null {
    return this.#counters[counter].get(key);
  }

  noteRequest(caller: string): void {
    this.#daily.add(caller, this.#now());
  }

  requestsOf(caller: string): RequestsToday {
    return this.#daily.today(caller, this.#now());
  }

  noteTraffic(door: TrafficDoor, status: number): void {
    this.#traffic.add(door, status, this.#now());
  }

  traffic(): TrafficReport {
    const { since, ...counts } = this.#traffic.last24Hours(this.#now());
    return { ...counts, since: since.toISOString() };
  }

  noteFailure(operation: string, code: string, component: string): void {
    this.#health.record({ at: this.#now(), operation, code }, component);
  }

  health(readings: readonly Reading[]): HealthReport {
    const now = this.#now();
    const recorder = this.#health;
    return {
      startedAt: recorder.startedAt.toISOString(),
      failures: recorder.failures,
      lastFailure: reported(recorder.lastFailure),
      parts: readings.map((reading) => ({
        since: recorder.since(reading, now).toISOString(),
        lastFailure: reported(recorder.lastFailureOf(reading.component)),
      })),
      processes: null,
    };
  }

  slot(source: string, perSecond: number): number {
    const starts = this.#starts.get(source) ?? [];
    const now = this.#clock();
    const at = Math.max(now, (starts.at(-perSecond) ?? Number.NEGATIVE_INFINITY) + 1000);
    this.#starts.set(source, [...starts, at].slice(-perSecond));
    return at - now;
  }

  /** There is no other gateway. */
  forgetKey(_hash: string): void {}

  /** The token of a place that several gateways share, or why there is none. */
  enter(name: string, holder: Holder, bounds: PlaceBounds): number | NoPlace {
    return this.#places.enter(name, holder, bounds);
  }

  leave(token: number): void {
    this.#places.leave(token);
  }
}

function reported(failure: HealthRecorder['lastFailure']): ReportedFailure | null {
  return failure === null ? null : { ...failure, at: failure.at.toISOString() };
}
