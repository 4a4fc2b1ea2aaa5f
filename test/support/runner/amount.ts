import { describe, inject, it } from 'vitest';

type Amount = 'quick' | 'deep' | 'night';

declare module 'vitest' {
  interface ProvidedContext {
    /** How much the tests of the project do that can do more (vitest.config.ts). */
    amount: Amount;
  }
}

/** The amount of a check: `quick` in `npm test`, `deep` in `npm run test:all`, `night` (else `deep`) in `npm run test:night`. */
export function amountOf<T>(amounts: { readonly quick: T; readonly deep: T; readonly night?: T }): T {
  const amount = inject('amount');
  return amount === 'night' ? (amounts.night ?? amounts.deep) : amounts[amount];
}

/** Stands for `it` and `describe` where nothing is declared: each of its properties and calls gives itself again. */
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

/** What takes long, or shows by other means once more what a quick test shows. */
export const deep = new OnlyIn(() => inject('amount') !== 'quick');
