import fc from 'fast-check';
import { expect, it } from 'vitest';
import { quantilesOf } from './quantiles.ts';

it('interpolates between neighbours as a sorted list of all numbers does, few or many, near or far from each other', () => {
  const SHARES = [0, 0.25, 0.5, 0.75, 1];
  const held = fc.record({
    few: fc.array(fc.oneof(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }))),
    repeated: fc.constantFrom(0, 1, 5000),
    step: fc.constantFrom(0, 1, 40),
  });
  fc.assert(
    fc.property(held, ({ few, repeated, step }) => {
      const many = Array.from({ length: repeated }, (_, place) => place * step);
      const numbers = Int32Array.from([...many, ...few]);
      const sorted = numbers.toSorted();
      const expected = SHARES.map((share) => {
        if (sorted.length === 0) return null;
        const position = share * (sorted.length - 1);
        const [below, above] = [sorted[Math.floor(position)]!, sorted[Math.ceil(position)]!];
        return below + (above - below) * (position % 1);
      });
      expect(quantilesOf(numbers, SHARES)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});
