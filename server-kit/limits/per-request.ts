import type { H3Event } from 'h3';

/**
 * A value that belongs to a request, kept in its own context. The garbage collector goes through every entry of a WeakMap,
 * and a busy server has thousands of requests between two of its passes.
 */
export class PerRequest<Value> {
  readonly #key = Symbol('per request');

  get(event: Pick<H3Event, 'context'>): Value | undefined {
    return contextOf<Value>(event)[this.#key];
  }

  set(event: Pick<H3Event, 'context'>, value: Value): void {
    contextOf<Value>(event)[this.#key] = value;
  }
}

function contextOf<Value>(event: Pick<H3Event, 'context'>): Record<symbol, Value | undefined> {
  return event.context as Record<symbol, Value | undefined>;
}
