import { RATE_WINDOW_SECONDS } from '../../contract/limits/limits.ts';
import type { Reading } from '../../server-kit/health.ts';
import { HealthRecorder } from '../../server-kit/health.ts';
import type { Awaitable } from '../../server-kit/limits/limits.ts';
import { type Count, MemoryCounter } from '../../server-kit/limits/memory-counter.ts';
import { DailyCounts } from '../admission/daily-counts.ts';
import { type Traffic, type TrafficDoor, TrafficWindow } from '../observation/traffic-window.ts';

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
}

/** What is counted of callers. */
export interface CallerCounts {
  /** Where, in words for a caller. */
  readonly heldIn: 'memory of this gateway' | 'the store of all gateways';
  /** Counts a wrong key of the address, in a window of RATE_WINDOW_SECONDS. */
  noteWrongKey(address: string): Awaitable<Count>;
  /** Its wrong keys in the window; null if none runs. */
  wrongKeysOf(address: string): Awaitable<Count | null>;
  /** Counts a request of the caller. */
  noteRequest(caller: string): void;
  requestsOf(caller: string): Awaitable<RequestsToday>;
}

/** What this gateway counts, since its start. */
export class CommonState implements CallerCounts {
  readonly heldIn = 'memory of this gateway';
  readonly #now: () => Date;
  readonly #wrongKeys: MemoryCounter;
  readonly #daily: DailyCounts;
  readonly #traffic: TrafficWindow;
  readonly #health: HealthRecorder;

  constructor(now: () => Date, clock: () => number = () => performance.now()) {
    this.#now = now;
    this.#wrongKeys = new MemoryCounter(RATE_WINDOW_SECONDS, clock);
    this.#daily = new DailyCounts(now());
    this.#traffic = new TrafficWindow(now());
    this.#health = new HealthRecorder(now());
  }

  noteWrongKey(address: string): Count {
    return this.#wrongKeys.penalty(address);
  }

  wrongKeysOf(address: string): Count | null {
    return this.#wrongKeys.get(address);
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

  /** Records an answer with a 5xx status, and the component that gave it. */
  noteFailure(operation: string, code: string, component: string): void {
    this.#health.record({ at: this.#now(), operation, code }, component);
  }

  /** Notes the state of each component, and returns what is known of them. */
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
    };
  }
}

function reported(failure: HealthRecorder['lastFailure']): ReportedFailure | null {
  return failure === null ? null : { ...failure, at: failure.at.toISOString() };
}
