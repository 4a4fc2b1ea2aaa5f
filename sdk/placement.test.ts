import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArgumentFault, argumentsOf, httpInput } from '../contract/interfaces/arguments.ts';
import { OPERATIONS as CONTRACT } from '../contract/operations.ts';
import { amountOf } from '../test/support/runner/amount.ts';
import { TrialBoardError } from './error.ts';
import { OPERATIONS } from './operations.ts';
import { placementOf } from './placement.ts';

const scalar = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '.', '..', 'a/b', 'é', 'a b', 'a\r\nb', '\ud800', '%2e%2e', '😀'),
  fc.integer(),
  fc.double(),
  fc.boolean(),
);
const value = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(fc.oneof(scalar, fc.constant(null)), { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(null, undefined, {}, [], [[]], Number.NaN) },
);

/** The request; or, when it was refused, the refused argument and what was expected of it. */
function outcome(place: () => unknown): unknown {
  try {
    return place();
  } catch (error) {
    if (error instanceof ArgumentFault) return { refused: error.argument, expected: error.expected };
    if (error instanceof TrialBoardError) return { refused: error.parameter, expected: error.expected };
    throw error;
  }
}

describe('where an argument goes', () => {
  const methods = CONTRACT.filter(({ names, streams, envelope }) => names?.sdk && !(streams && envelope === false));

  it.each(methods.map((operation) => [operation.names!.sdk!, operation] as const))(
    'is for %s what the contract says, whatever is given',
    (name, operation) => {
      const known = argumentsOf(operation).map((argument) => argument.name);
      const given = fc.dictionary(fc.constantFrom(...known, 'nonsense', 'id', 'toString', 'constructor'), value);
      fc.assert(
        fc.property(given, (args) => {
          const made = OPERATIONS[name as keyof typeof OPERATIONS];
          expect(outcome(() => placementOf(made, args))).toEqual(outcome(() => httpInput(operation, args)));
        }),
        { numRuns: amountOf({ quick: 40, deep: 150 }), seed: 4 },
      );
    },
  );

  it('is laid down for every method of the contract', () => {
    expect(Object.keys(OPERATIONS)).toEqual(methods.map(({ names }) => names!.sdk));
  });
});
