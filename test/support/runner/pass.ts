import { describe, inject, it } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** How much the project that runs the file does (vitest.config.ts). */
    pass: 'first' | 'deeper';
  }
}

/**
 * The amount of a check: `first` in every run, `deeper` in the second pass of `npm run test:all`. Files that ask for a
 * pass are listed in deeper-files.ts.
 */
export function perPass<T>(amounts: { readonly first: T; readonly deeper: T }): T {
  return amounts[inject('pass')];
}

/** Stands for `it` and `describe` where nothing is declared: whatever is called of it does nothing. */
const undeclared: object = new Proxy(() => undeclared, { get: () => undeclared });

/** Declares tests that some projects alone run. Asks at each use which project it is, because files share modules. */
export class OnlyIn {
  readonly #isRun: () => boolean;

  constructor(isRun: () => boolean) {
    this.#isRun = isRun;
  }

  get it(): typeof it {
    return this.#isRun() ? it : (undeclared as typeof it);
  }

  get describe(): typeof describe {
    return this.#isRun() ? describe : (undeclared as typeof describe);
  }

  only(declare: () => void): void {
    if (this.#isRun()) declare();
  }
}

/** What the deeper pass, which follows the first one, need not repeat. */
export const firstPass = new OnlyIn(() => inject('pass') === 'first');
/** What takes long, or shows by other means once more what a test of the first pass shows. */
export const deeperPass = new OnlyIn(() => inject('pass') === 'deeper');
