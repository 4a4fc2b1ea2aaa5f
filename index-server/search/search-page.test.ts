import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readCurrent, snapshotPath } from '../../snapshot/format/versions/current.ts';
import { Modalities } from '../modality/modalities.ts';
import { openSnapshotImage, type SnapshotImage } from '../snapshot/snapshot-image.ts';
import { documents } from './documents.ts';
import { compileFilters, type TrialFilters } from './filters.ts';
import { matchingRows } from './matching.ts';
import { rowsOf } from './row-set.ts';
import { searchPage } from './search-page.ts';

let image: SnapshotImage;
beforeAll(async () => {
  const snapshots = inject('sampleSnapshots');
  image = openSnapshotImage(snapshotPath(snapshots, (await readCurrent(snapshots))!));
});
afterAll(() => image.release());

const question = fc.record({
  filters: fc.constantFrom<TrialFilters[]>(
    {},
    { q: 'diabetes' },
    { q: '"type 2"' },
    { q: 'type 2' },
    { q: 'diabetes', phase: ['2'] },
    { q: 'diabetes', updatedAfter: 20_000 },
    { q: 'nothing has this' },
  ),
  page: fc.integer({ min: 1, max: 3 }),
  pageSize: fc.constantFrom(1, 10, 20),
  eligibility: fc.boolean(),
  inferred: fc.boolean(),
});

describe('a page of a search', () => {
  it('is the same however often and among whatever others it is asked for', () => {
    const modalities = new Modalities();
    fc.assert(
      fc.property(fc.array(question, { minLength: 1, maxLength: 40 }), (questions) => {
        for (const { filters, page, pageSize, eligibility, inferred } of questions) {
          const compiled = compileFilters(filters);
          const modality = inferred ? (row: number) => modalities.labelsOf(image, row) : null;
          const asked = { page, pageSize, eligibility, modality };
          const found = searchPage(image, compiled, asked);
          const all = rowsOf(matchingRows(image, compiled));
          const rows = all.slice((page - 1) * pageSize, page * pageSize);
          const trials = documents(image, rows, { detail: 'brief', eligibility, modality });
          expect([found.total, found.returned]).toEqual([all.length, rows.length]);
          expect(found.json.toString()).toBe(`{"trials":${trials}}`);
        }
      }),
      { numRuns: 20 },
    );
  });
});
