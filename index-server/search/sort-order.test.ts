import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NOT_STATED } from '../../snapshot/format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { bitmapOf, type RowSet } from './row-set.ts';
import { sortedPage } from './sort-order.ts';

const TRIALS = 600;

// A page of few rows is read off a sort of them, one of many off the order of all: both must be the same order.
it('has the rows of a plain sort on every page, in both forms of a set', () => {
  const value = fc.oneof(fc.integer({ min: -50, max: 50 }), fc.constant(NOT_STATED));
  const pages = fc.array(fc.record({ offset: fc.nat(TRIALS), limit: fc.nat(250) }), { minLength: 8, maxLength: 8 });
  const values = fc.array(value, { minLength: TRIALS, maxLength: TRIALS });
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 60 }), fc.nat(), pages, (stated, oneIn, from, asked) => {
      const columns = { startFirst: Int32Array.from(stated) };
      const image = { trials: TRIALS, columns } as unknown as SnapshotImage;
      const rows = Array.from({ length: TRIALS }, (_, row) => row).filter((row) => (row + from) % oneIn === 0);
      const list: RowSet = { form: 'list', count: rows.length, words: Uint32Array.from(rows) };
      const sorted = rows.toSorted((a, b) => stated[b]! - stated[a]! || a - b);
      for (const { offset, limit } of asked) {
        for (const set of [list, bitmapOf(list, TRIALS)]) {
          const page = sortedPage(image, set, 'start', { offset, limit });
          expect([...page]).toEqual(sorted.slice(offset, offset + limit));
        }
      }
    }),
    { numRuns: 60 },
  );
});
