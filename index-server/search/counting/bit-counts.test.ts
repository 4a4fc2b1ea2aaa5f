import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allRows } from '../row-set.ts';
import { BitCounts } from './bit-counts.ts';

it('counts how many sets hold each place, and gives the largest counts first', () => {
  const PLACES = 70;
  const sets = fc.array(fc.uniqueArray(fc.nat(PLACES - 1), { maxLength: PLACES }), { minLength: 1, maxLength: 20 });
  const page = fc.record({ offset: fc.nat(80), limit: fc.integer({ min: 1, max: 80 }) });
  fc.assert(
    fc.property(sets, page, (held, { offset, limit }) => {
      const all = allRows(PLACES);
      const sums = new BitCounts(all.words.length, held.length);
      for (const places of held) {
        const bits = new Uint32Array(all.words.length);
        for (const place of places) bits[place >>> 5] = (bits[place >>> 5] as number) | (1 << (place & 31));
        sums.add(bits);
      }
      const expected = Array.from({ length: PLACES }, (_, place) => ({
        place,
        count: held.filter((places) => places.includes(place)).length,
      }))
        .sort((one, other) => other.count - one.count || one.place - other.place)
        .slice(offset, offset + limit);
      expect(sums.largest(all, { offset, limit })).toEqual({
        places: expected.map(({ place }) => place),
        counts: expected.map(({ count }) => count),
      });
    }),
    { numRuns: 500 },
  );
});
