import { describe, inject, it } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Project of vitest.config.ts that runs the file. */
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

/** Declares tests that one pass alone runs. Asks at each use which pass it is, because files share modules. */
class Pass {
  readonly #name: 'first' | 'deeper';

  constructor(name: 'first' | 'deeper') {
    this.#name = name;
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

  #isRun(): boolean {
    return inject('pass') === this.#name;
  }
}

/** What the deeper pass, which follows the first one, need not repeat. */
export const firstPass = new Pass('first');
/** What takes long, or shows by other means once more what a test of the first pass shows. */
export const deeperPass = new Pass('deeper');
