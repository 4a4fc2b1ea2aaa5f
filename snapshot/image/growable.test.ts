import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChunkedNumbers } from './growable.ts';

const added = fc.oneof(fc.nat(), fc.array(fc.nat(), { maxLength: 3000 }));

test('numbers in chunks come back in their order, and those that were added together lie in one chunk', () => {
  fc.assert(
    fc.property(fc.array(added, { maxLength: 40 }), (all) => {
      const numbers = new ChunkedNumbers();
      for (const one of all) {
        if (typeof one === 'number') {
          numbers.push(one);
          continue;
        }
        const { chunk, start } = numbers.pushTogether(one);
        expect([...numbers.chunk(chunk).subarray(start, start + one.length)]).toEqual(one);
      }
      expect([...numbers.inOrder()].flatMap((chunk) => [...chunk])).toEqual(all.flat());
      expect(numbers.length).toBe(all.flat().length);
    }),
    { numRuns: 50, seed: 1 },
  );
});
