import { expect, test } from 'vitest';
import { loadRegistrySources } from '../snapshot/format/registry-sources.ts';
import { emptyManifest } from '../test/builders/manifest.ts';
import { dataEnds, wholeUntil } from './data-ends.ts';
import type { SnapshotImage } from './snapshot/snapshot-image.ts';

const sources = loadRegistrySources();
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;

/** An image of trials that only ISRCTN holds, updated on these days. */
function imageOf(updates: readonly [date: string, trials: number][]): SnapshotImage {
  const days = updates.flatMap(([date, trials]) => Array<number>(trials).fill(dayOf(date)));
  const columns = { registries: Uint8Array.from(days, () => 2), updatedLast: Int32Array.from(days) };
  return { trials: days.length, columns } as unknown as SnapshotImage;
}

const held = (updates: readonly [string, number][]) => {
  const whole = { ...emptyManifest('20261121T031500Z-0a1b2c3d') };
  const ends = dataEnds({ image: imageOf(updates), manifest: whole }, ['isrctn'], sources);
  return { ends, until: wholeUntil(ends, whole) };
};

test('an old data set ends on the day of its last updates, however new a few of its records are', () => {
  const { ends, until } = held([
    ['2022-03-31', 1900],
    ['2022-04-01', 81],
    ['2026-11-20', 19],
  ]);
  expect(ends).toEqual([
    { day: '2022-04-01', early: '99 of 100 registrations of ISRCTN registry were last updated by 2022-04-01' },
  ]);
  expect(until).toBe('2022-04-01');
});

test('one in a hundred newer ones is as a living registry has them', () => {
  const { ends } = held([
    ['2022-04-01', 1979],
    ['2026-11-20', 21],
  ]);
  expect(ends.map(({ early }) => early)).toEqual([null]);
});

test('half a year without updates is not yet an old data set, and a few registrations say nothing', () => {
  expect(held([['2026-05-22', 2000]]).ends[0]?.early).toBeNull();
  expect(held([['2026-05-21', 2000]]).ends[0]?.early).toContain('2026-05-21');
  expect(held([['2022-04-01', 999]]).ends[0]?.early).toBeNull();
});
