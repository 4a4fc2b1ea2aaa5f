import fc from 'fast-check';
import { expect, it } from 'vitest';
import { largestOf, numbersHeld, spanOf } from './grouping.ts';

const SIZE = 50;
const counts = fc.array(fc.oneof(fc.constant(0), fc.nat(5), fc.nat(2000)), { minLength: SIZE, maxLength: SIZE });

it('the largest come first, equal ones by number, in pages that join', () => {
  fc.assert(
    fc.property(counts, fc.nat(20), fc.integer({ min: 1, max: 20 }), (all, offset, limit) => {
      const expected = [...all.keys()]
        .filter((number) => all[number]! > 0)
        .sort((a, b) => all[b]! - all[a]! || a - b)
        .slice(offset, offset + limit);
      expect(largestOf(Uint32Array.from(all), offset, limit)).toEqual(expected);
    }),
  );
});

it('the span has the numbers between the first and the last too', () => {
  const held = Uint32Array.of(0, 0, 1, 0, 0, 2, 0);
  expect(spanOf(held)).toEqual([2, 3, 4, 5]);
  expect(spanOf(new Uint32Array(3))).toEqual([]);
  expect(numbersHeld(held)).toEqual([2, 5]);
  expect(numbersHeld(held, 2)).toEqual([5]);
});
