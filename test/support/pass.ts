import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Project of vitest.config.ts that runs the file. */
    pass: 'first' | 'deeper';
  }
}

/**
 * The amount of a check: `first` in every run, `deeper` in the second pass of `npm run test:all`. Files that call it
 * are listed in deeper-files.ts.
 */
export function perPass<T>(amounts: { readonly first: T; readonly deeper: T }): T {
  return amounts[inject('pass')];
}

/** Declares tests that run in the deeper pass only, in a file that the first pass runs without them. */
export function inDeeperPass(declare: () => void): void {
  perPass({ first: () => {}, deeper: declare })();
}
