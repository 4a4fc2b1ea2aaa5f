import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allRows, filterRows, intersect, pageOf, type RowSet, rowsOf, union, without } from './row-set.ts';

const TRIALS = 3000;
const rows = fc.oneof(
  fc.uniqueArray(fc.nat(TRIALS - 1), { maxLength: 40 }),
  fc.uniqueArray(fc.nat(TRIALS - 1), { minLength: 200, maxLength: 900 }),
  fc
    .tuple(fc.nat(TRIALS - 1), fc.nat(200))
    .map(([from, length]) => Array.from({ length: Math.min(length, TRIALS - from) }, (_, at) => from + at)),
);
const sorted = (values: Iterable<number>): number[] => [...values].sort((a, b) => a - b);

function listOf(values: number[]): RowSet {
  return { form: 'list', count: values.length, words: Uint32Array.from(sorted(values)) };
}

function bitmapOf(values: number[]): RowSet {
  const words = new Uint32Array(Math.ceil(TRIALS / 32));
  for (const row of values) words[row >>> 5]! |= 1 << (row & 31);
  return { form: 'bitmap', count: values.length, words };
}

const set = fc.tuple(rows, fc.boolean()).map(([values, asList]) => (asList ? listOf(values) : bitmapOf(values)));

describe('row sets', () => {
  it('intersect and unite as sets do, in any form, and count exactly', () => {
    fc.assert(
      fc.property(fc.array(set, { minLength: 1, maxLength: 4 }), (sets) => {
        const plain = sets.map((one) => new Set(rowsOf(one)));
        const any = new Set(plain.flatMap((one) => [...one]));
        const all = new Set([...any].filter((row) => plain.every((one) => one.has(row))));
        const both = intersect(sets);
        const either = union(sets, TRIALS);
        expect([both.count, [...rowsOf(both)]]).toEqual([all.size, sorted(all)]);
        expect([either.count, [...rowsOf(either)]]).toEqual([any.size, sorted(any)]);
      }),
    );
  });

  it('give any page of themselves as a slice of all their rows', () => {
    fc.assert(
      fc.property(set, fc.nat(1000), fc.nat(300), (one, offset, limit) => {
        expect([...pageOf(one, offset, limit)]).toEqual([...rowsOf(one)].slice(offset, offset + limit));
      }),
    );
  });

  it('keep exactly the rows that a filter keeps, and the set itself as it was', () => {
    fc.assert(
      fc.property(set, fc.integer({ min: 1, max: 7 }), (one, divisor) => {
        const before = [...one.words];
        const kept = filterRows(one, (row) => row % divisor === 0);
        expect([...rowsOf(kept)]).toEqual([...rowsOf(one)].filter((row) => row % divisor === 0));
        expect(kept.count).toBe(rowsOf(kept).length);
        expect([...one.words]).toEqual(before);
      }),
    );
  });

  it('keep the rows that another set does not have, and are as they were', () => {
    fc.assert(
      fc.property(set, set, (one, other) => {
        const [before, held] = [[...one.words], new Set(rowsOf(other))];
        const rest = without(one, other);
        const expected = [...rowsOf(one)].filter((row) => !held.has(row));
        expect([rest.count, [...rowsOf(rest)]]).toEqual([expected.length, expected]);
        expect([...one.words]).toEqual(before);
      }),
    );
  });

  it('hold every row of an image of any size, a multiple of 32 or not', () => {
    for (const trials of [0, 1, 31, 32, 33, 64]) {
      expect([...rowsOf(allRows(trials))]).toEqual(Array.from({ length: trials }, (_, row) => row));
    }
  });
});
