import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PairNumbers } from './pair-numbers.ts';

describe('numbers of pairs', () => {
  it('are equal for equal pairs alone, in the order of their first meeting, however many there are', () => {
    const word = fc.oneof(fc.nat(3), fc.integer({ min: 0, max: 0xffff_ffff }));
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word), { maxLength: 40 }), fc.nat(3000), (pairs, filling) => {
        const numbers = new PairNumbers();
        const plain = new Map<string, number>();
        const all = [...pairs, ...Array.from({ length: filling }, (_, at) => [at * 4096, 7] as const), ...pairs];
        for (const [first, second] of all) {
          const key = `${first} ${second}`;
          const expected = plain.get(key) ?? plain.size;
          plain.set(key, expected);
          const number = numbers.numberOf(first, second);
          if (number !== expected || numbers.first(number) !== first || numbers.second(number) !== second) {
            expect.fail(`${key} has number ${number}, not ${expected}`);
          }
        }
        expect(numbers.size).toBe(plain.size);
      }),
      { numRuns: 30 },
    );
  });
});
