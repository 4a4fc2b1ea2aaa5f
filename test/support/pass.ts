import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Project of vitest.config.ts that runs the file. */
    pass: 'first' | 'deeper';
  }
}

/**
 * How often or how much a check does: `first` in every run, `deeper` in the second pass of `npm run test:all`. A file
 * that asks is named in deeper-files.ts.
 */
export function perPass<T>(amounts: { readonly first: T; readonly deeper: T }): T {
  return amounts[inject('pass')];
}
