import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Counts, largestOf } from './grouping.ts';

const SIZE = 50;
const values = fc.array(fc.nat(SIZE - 1), { maxLength: 200 });

/** A count for each number, as a reader would count. */
function plain(all: readonly number[]): number[] {
  return Array.from({ length: SIZE }, (_, number) => all.filter((one) => one === number).length);
}

it('values counted by sorting and by a count for each number are the same', () => {
  // Beyond `far`, so many values are possible that they are sorted.
  const far = 100_000;
  fc.assert(
    fc.property(values, (all) => {
      const [counted, sorted] = [SIZE, far].map((size) => Counts.ofValues(Uint32Array.from(all), size));
      for (const counts of [counted!, sorted!]) {
        expect([...Array(SIZE).keys()].map((number) => counts.of(number))).toEqual(plain(all));
        expect(counts.sum).toBe(all.length);
        expect([...counts.numbers]).toEqual([...new Set(all)].sort((a, b) => a - b));
      }
    }),
  );
});

it('the largest come first, equal ones by number, in pages that join', () => {
  fc.assert(
    fc.property(values, fc.nat(20), fc.integer({ min: 1, max: 20 }), (all, offset, limit) => {
      const counts = plain(all);
      const expected = [...counts.keys()]
        .filter((number) => counts[number]! > 0)
        .sort((a, b) => counts[b]! - counts[a]! || a - b)
        .slice(offset, offset + limit);
      expect(largestOf(Counts.ofEach(Uint32Array.from(counts)), { offset, limit })).toEqual(expected);
    }),
  );
});

it('the span has the numbers between the first and the last too', () => {
  const counts = Counts.ofValues(Uint32Array.of(5, 2, 5), 10);
  expect(counts.span).toEqual([2, 3, 4, 5]);
  expect(Counts.ofValues(new Uint32Array(0), 10).span).toEqual([]);
  expect([...counts.among([5, 9]).counts]).toEqual([2]);
});
