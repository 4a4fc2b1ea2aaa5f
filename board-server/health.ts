/** A failure as /status shows it: where and with which code, never why in detail. */
export interface Failure {
  at: Date;
  operation: string;
  code: string;
}

/** What a process remembers of its own health since it started; lost with it on purpose. */
export class HealthRecorder {
  readonly startedAt: Date;
  failures = 0;
  lastFailure: Failure | null = null;
  readonly #states = new Map<string, { state: string; since: Date }>();

  constructor(startedAt: Date) {
    this.startedAt = startedAt;
  }

  record(failure: Failure): void {
    this.failures += 1;
    this.lastFailure = failure;
  }

  /** When the component was first seen in this state without a break; its first state counts from the start. */
  since(component: string, state: string, now: Date): Date {
    const seen = this.#states.get(component);
    if (seen?.state === state) return seen.since;
    const since = seen === undefined ? this.startedAt : now;
    this.#states.set(component, { state, since });
    return since;
  }
}
