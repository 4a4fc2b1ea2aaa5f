import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BITMAP_DENSITY } from '../../snapshot/format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import type { Requirement } from './filters.ts';
import { partsOf, relevancePage } from './relevance.ts';
import { bitmapOf, type RowSet } from './row-set.ts';

const TRIALS = 3000;
const rows = fc.oneof(
  fc.uniqueArray(fc.nat(TRIALS - 1), { maxLength: 60 }),
  fc.uniqueArray(fc.nat(TRIALS - 1), { minLength: 200, maxLength: 900 }),
  fc
    .tuple(fc.nat(TRIALS - 1), fc.integer({ min: 1, max: TRIALS }))
    .map(([from, length]) => Array.from({ length: Math.min(length, TRIALS - from) }, (_, at) => from + at)),
);

/** In the form in which an image would keep it. */
function setOf(values: readonly number[]): RowSet {
  const list: RowSet = { form: 'list', count: values.length, words: Uint32Array.from(values).sort() };
  return values.length * BITMAP_DENSITY > TRIALS ? bitmapOf(list, TRIALS) : list;
}

/** Rows of a word in the title, conditions, interventions and elsewhere. */
const word = fc.tuple(rows, rows, rows, rows);
const few = fc.uniqueArray(fc.nat(30), { maxLength: 8 });
/** Words that few trials have together. */
const rareWord = fc.tuple(few, few, few, few);
const all = Array.from({ length: TRIALS }, (_, row) => row);

function imageOf(words: Record<string, readonly number[][]>): SnapshotImage {
  const postings = new Map(
    Object.entries(words).flatMap(([name, fields]): [string, RowSet][] => [
      ...fields.slice(0, 3).map((held, place): [string, RowSet] => [`${'tdi'[place]}:${name}`, setOf(held)]),
      [`q:${name}`, setOf([...new Set(fields.flat())])],
    ]),
  );
  return { trials: TRIALS, posting: (key: string) => postings.get(key) ?? null } as unknown as SnapshotImage;
}

function pointsOf(fields: readonly number[][], row: number): number {
  const best = fields.findIndex((held) => held.includes(row));
  return best < 0 ? 0 : 4 - best;
}

describe('the order by relevance', () => {
  it('is that of the sums of points, in each form of the sets and on each page', () => {
    const asked = fc.record({
      words: fc.oneof(
        fc.record({ a: word, b: word, c: word, d: word }),
        fc.record({ a: rareWord, b: rareWord, c: rareWord, d: rareWord }),
      ),
      matching: fc.oneof(rows, fc.constant(all)),
      offset: fc.nat(400),
      limit: fc.integer({ min: 1, max: 100 }),
      // A phrase is worth what its words are worth together, wherever they stand.
      both: fc.constantFrom<Requirement>(
        { allOf: ['q:c', 'q:d'] },
        { phrase: ['c', 'd'].map((key) => ({ kind: 'word', key })) },
      ),
    });
    fc.assert(
      fc.property(asked, ({ words, matching, offset, limit, both }) => {
        // a, and the better of b and the weaker of c and d.
        const parts: Requirement[] = ['q:a', { anyOf: ['q:b', both, { not: 'q:a' }] }];
        const points = (name: keyof typeof words, row: number) => pointsOf(words[name], row);
        const scored = [...matching]
          .sort((one, other) => one - other)
          .map((row) => ({
            row,
            score: points('a', row) + Math.max(points('b', row), Math.min(points('c', row), points('d', row))),
          }))
          .sort((one, other) => other.score - one.score || one.row - other.row)
          .slice(offset, offset + limit);
        const page = relevancePage(imageOf(words), setOf(matching), parts, { offset, limit });
        expect([...page.rows]).toEqual(scored.map(({ row }) => row));
        expect(page.scores).toEqual(scored.map(({ score }) => score));
      }),
      { numRuns: 150 },
    );
  });

  it('gives points to each part that must hold, once, and to nothing that is excluded', () => {
    const either: Requirement = { anyOf: ['q:a', { not: 'q:b' }] };
    expect(partsOf({ allOf: ['q:a', { allOf: ['q:b', 'q:a'] }, { not: 'q:c' }, either] })).toEqual([
      'q:a',
      'q:b',
      either,
    ]);
    expect(partsOf({ not: 'q:a' })).toEqual([]);
    expect(partsOf({ anyOf: [{ not: 'q:a' }, { not: 'q:b' }] })).toEqual([]);
  });
});
