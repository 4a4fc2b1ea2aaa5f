import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countOf, quantileOf } from './quantiles.ts';

describe('quantiles of counted numbers', () => {
  it('interpolate between neighbours as a sorted list of them all does', () => {
    const held = fc.uniqueArray(fc.tuple(fc.oneof(fc.nat(50), fc.nat(2_000_000_000)), fc.nat(4)), {
      selector: ([value]) => value,
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(held, fc.constantFrom(0, 0.25, 0.5, 0.75, 1), (pairs, share) => {
        const ascending = pairs.toSorted(([a], [b]) => a - b);
        const counted = { values: ascending.map(([value]) => value), counts: ascending.map(([, count]) => count) };
        const sorted = ascending.flatMap(([value, count]) => Array.from({ length: count }, () => value));
        expect(countOf(counted)).toBe(sorted.length);
        if (sorted.length === 0) {
          expect(quantileOf(counted, share)).toBeNull();
          return;
        }
        const position = share * (sorted.length - 1);
        const below = sorted[Math.floor(position)]!;
        const above = sorted[Math.ceil(position)]!;
        expect(quantileOf(counted, share)).toBeCloseTo(below + (above - below) * (position % 1), 6);
      }),
    );
  });
});
