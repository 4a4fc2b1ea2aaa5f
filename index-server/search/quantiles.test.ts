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
          expect(quantiles.stated).toBe(values.length);
        },
      ),
    );
  });

  it('says the same whether values were never added or were taken away again', () => {
    const value = fc.oneof(fc.nat(50), fc.integer({ min: 8180, max: 8200 }));
    fc.assert(
      fc.property(fc.array(fc.tuple(value, fc.boolean()), { maxLength: 60 }), fc.nat(1), (values, copies) => {
        const column = values.map(([number]) => number);
        const places = column.map((_, place) => place);
        const all = new Quantiles();
        all.count(places, column, Number.NaN, 1);
        const rest = copies === 1 ? all.copy() : all;
        const isKept = (place: number): boolean => values[place]![1];
        rest.count(
          places.filter((place) => !isKept(place)),
          column,
          Number.NaN,
          -1,
        );
        const plain = new Quantiles();
        for (const place of places.filter(isKept)) plain.add(column[place]!);
        expect([rest.stated, ...[0, 0.25, 0.5, 0.9, 1].map((share) => rest.at(share))]).toEqual([
          plain.stated,
          ...[0, 0.25, 0.5, 0.9, 1].map((share) => plain.at(share)),
        ]);
        if (copies === 1) expect(all.stated).toBe(values.length);
      }),
    );
  });

  it('says null, not zero, when there is nothing', () => {
    expect(new Quantiles().at(0.5)).toBeNull();
  });
});
