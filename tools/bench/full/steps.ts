import { note } from '../report.ts';
import type { OptionalStep } from './options.ts';

export interface Failure {
  step: string;
  reason: string;
}

/** Runs steps one after the other. A step that fails is recorded with its reason, and the others continue. */
export class Steps {
  readonly failures: Failure[] = [];
  readonly #skipped: readonly OptionalStep[];
  readonly #afterEach: () => Promise<void>;

  constructor(skipped: readonly OptionalStep[], afterEach: () => Promise<void>) {
    this.#skipped = skipped;
    this.#afterEach = afterEach;
  }

  /** True if the work was done; false if it was left out or failed. */
  async run(step: string, work: () => Promise<void>): Promise<boolean> {
    if (this.#skipped.some((name) => name === step)) return false;
    note(step);
    let done = true;
    try {
      await work();
    } catch (error) {
      done = false;
      const reason = error instanceof Error ? error.message : String(error);
      this.failures.push({ step, reason });
      process.stderr.write(`${step} failed: ${reason}\n`);
    }
    await this.#afterEach();
    return done;
  }

  skips(step: OptionalStep): boolean {
    return this.#skipped.includes(step);
  }
}
