import { createHash } from 'node:crypto';
import { OPERATIONS } from '../contract/operations.ts';
import { API_VERSION, SCHEMA_VERSION } from '../contract/version.ts';

/** A failure as /status shows it: where and with which code, never why in detail. */
export interface Failure {
  at: Date;
  operation: string;
  code: string;
}

/** What a part of the service says of itself. */
export interface Reading {
  component: string;
  state: 'up' | 'down';
  detail: string;
}

/** What a server behind the gateway tells it of itself. */
export interface ServerStatus {
  startedAt: string;
  /** Fingerprint of the contract that it answers. */
  contract: string;
  components: (Reading & { since: string })[];
}

/** What a process remembers of its own health since it started; lost with it on purpose. */
export class HealthRecorder {
  readonly startedAt: Date;
  failures = 0;
  lastFailure: Failure | null = null;
  readonly #lastBy = new Map<string, Failure>();
  readonly #states = new Map<string, { state: string; since: Date }>();

  constructor(startedAt: Date) {
    this.startedAt = startedAt;
  }

  /** Remembers an answer with a 5xx status, and which component it was asked of. */
  record(failure: Failure, component?: string): void {
    this.failures += 1;
    this.lastFailure = failure;
    if (component !== undefined) this.#lastBy.set(component, failure);
  }

  lastFailureOf(component: string): Failure | null {
    return this.#lastBy.get(component) ?? null;
  }

  /** When the component was first seen in this state without a break; its first state counts from the start. */
  since({ component, state }: Reading, now: Date): Date {
    const seen = this.#states.get(component);
    if (seen?.state === state) return seen.since;
    const since = seen === undefined ? this.startedAt : now;
    this.#states.set(component, { state, since });
    return since;
  }
}

/** Which operations a process answers, to be held against another's: the two may be of different versions. */
export function contractFingerprint(): string {
  const routes = OPERATIONS.map(({ id, method, path }) => `${id} ${method} ${path}`);
  return createHash('sha256')
    .update([API_VERSION, SCHEMA_VERSION, ...routes].join('\n'))
    .digest('hex')
    .slice(0, 12);
}
