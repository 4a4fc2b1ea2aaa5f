import { createHash } from 'node:crypto';
import { OPERATIONS } from '../contract/operations.ts';
import { API_VERSION, SCHEMA_VERSION } from '../contract/version.ts';

/** A failure as /status shows it: the operation and the code, without details of the cause. */
export interface Failure {
  at: Date;
  operation: string;
  code: string;
}

/** The state that a component reports. */
export interface Reading {
  component: string;
  state: 'up' | 'down';
  detail: string;
}

/** The status that a server behind the gateway reports to it. */
export interface ServerStatus {
  startedAt: string;
  /** Fingerprint of the contract that the server answers. */
  contract: string;
  components: (Reading & { since: string })[];
  /** When the server last proved by a write that its file takes one; absent where it proves nothing. */
  writeProvenAt?: string | null;
}

/** A process's memory of its own health since it started; deliberately not stored. */
export class HealthRecorder {
  readonly startedAt: Date;
  failures = 0;
  lastFailure: Failure | null = null;
  readonly #lastBy = new Map<string, Failure>();
  readonly #states = new Map<string, { state: string; since: Date }>();

  constructor(startedAt: Date) {
    this.startedAt = startedAt;
  }

  /** Records an answer with a 5xx status, and the component that gave it. */
  record(failure: Failure, component?: string): void {
    this.failures += 1;
    this.lastFailure = failure;
    if (component !== undefined) this.#lastBy.set(component, failure);
  }

  lastFailureOf(component: string): Failure | null {
    return this.#lastBy.get(component) ?? null;
  }

  /**
   * Since when the component has been in this state without a break; its first state counts from the start of the
   * process.
   */
  since({ component, state }: Reading, now: Date): Date {
    const seen = this.#states.get(component);
    if (seen?.state === state) return seen.since;
    const since = seen === undefined ? this.startedAt : now;
    this.#states.set(component, { state, since });
    return since;
  }
}

/**
 * Hash of the operations that a process answers. Two processes compare theirs, because they may run different versions.
 */
export function contractFingerprint(): string {
  const routes = OPERATIONS.map(({ id, method, path }) => `${id} ${method} ${path}`);
  return createHash('sha256')
    .update([API_VERSION, SCHEMA_VERSION, ...routes].join('\n'))
    .digest('hex')
    .slice(0, 12);
}
