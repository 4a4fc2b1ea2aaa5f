import { expect, it } from 'vitest';
import { COMPLETENESS_FIELDS, NO_SPONSOR, NOT_STATED, ROW_COLUMNS } from '../../../snapshot/format/serving-columns.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { compileFilters } from '../filters.ts';
import { coverage, prepareCoverage } from './coverage.ts';
import { landscape, prepareLandscape } from './landscape.ts';

const TODAY = 20_710;
const TRIALS = 70_000;

/** Trials that state only an enrollment, each a different one. */
function imageOf(trials: number): SnapshotImage {
  const blank = Object.fromEntries(Object.keys(ROW_COLUMNS).map((name) => [name, new Uint8Array(trials)]));
  return {
    trials,
    columns: {
      ...blank,
      enrollment: Int32Array.from({ length: trials }, (_, row) => row),
      sponsor: new Uint32Array(trials).fill(NO_SPONSOR),
      postedFirst: new Int32Array(trials).fill(NOT_STATED),
    },
    completeness: COMPLETENESS_FIELDS.map(({ name }) => name),
    sponsorCount: 0,
    posting: () => null,
  } as unknown as SnapshotImage;
}

it('a landscape counts right where a corpus has more different values than fit 16 bits', () => {
  const found = landscape(imageOf(TRIALS), compileFilters({}), TODAY);
  expect([found.trials, found.enrollment.stated, found.enrollment.median]).toEqual([TRIALS, TRIALS, 34_999.5]);
});

it('a preparation lets others pass between its slices, and says what one that nobody prepared says', async () => {
  const image = imageOf(TRIALS);
  let pauses = 0;
  const pause = async (): Promise<void> => {
    pauses += 1;
  };
  await prepareLandscape(image, TODAY, { pause, isWanted: () => true });
  expect(pauses).toBeGreaterThan(0);
  const plain = landscape(imageOf(TRIALS), compileFilters({}), TODAY);
  expect(landscape(image, compileFilters({}), TODAY)).toEqual(plain);
  const before = pauses;
  await prepareLandscape(image, TODAY, { pause, isWanted: () => true });
  expect(pauses).toBe(before);
});

it('a coverage that was prepared in slices, or not to its end, counts as one that nobody prepared', async () => {
  const [ready, half] = [imageOf(TRIALS), imageOf(TRIALS)];
  let pauses = 0;
  const pause = async (): Promise<void> => {
    pauses += 1;
  };
  await prepareCoverage(ready, { pause, isWanted: () => true });
  expect(pauses).toBe(2);
  await prepareCoverage(ready, { pause, isWanted: () => true });
  await prepareCoverage(half, { pause, isWanted: () => false });
  expect(pauses).toBe(3);
  const plain = coverage(imageOf(TRIALS), compileFilters({}));
  expect(plain.distinct).toBe(TRIALS);
  expect([ready, half].map((image) => coverage(image, compileFilters({})))).toEqual([plain, plain]);
});
