import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Quantiles } from './quantiles.ts';

describe('Quantiles', () => {
  it('interpolates between neighbours as a sorted list does, below and above the bins', () => {
    const value = fc.oneof(fc.nat(50), fc.integer({ min: 8180, max: 8200 }), fc.nat(2_000_000_000));
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 60 }),
        fc.constantFrom(0, 0.25, 0.5, 0.75, 1),
        (values, share) => {
          const quantiles = new Quantiles();
          for (const each of values) quantiles.add(each);
          const sorted = [...values].sort((a, b) => a - b);
          const position = share * (sorted.length - 1);
          const below = sorted[Math.floor(position)]!;
          const above = sorted[Math.ceil(position)]!;
          expect(quantiles.at(share)).toBeCloseTo(below + (above - below) * (position % 1), 6);
          expect(quantiles.count).toBe(values.length);
        },
      ),
    );
  });

  it('says null, not zero, when there is nothing', () => {
    expect(new Quantiles().at(0.5)).toBeNull();
  });
});
