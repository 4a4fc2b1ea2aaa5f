import fc from 'fast-check';
import { expect, test } from 'vitest';
import { POSTING } from '../../snapshot/format/serving-columns.ts';
import { amountOf } from '../../test/support/runner/amount.ts';
import { editsByTable } from './hints/edits.ts';
import { nearWords, type WordSource } from './vocabulary.ts';

/** What an image shows of these words, among keys of other kinds. */
function sourceOf(trials: ReadonlyMap<string, number>): WordSource {
  const words = [...trials.keys()].map((word) => POSTING.text + word).sort();
  const keys = ['a:first', 'phase:2', ...words, 's:last'];
  const offsets = new Int32Array(keys.length + 1);
  for (const [place, key] of keys.entries()) offsets[place + 1] = (offsets[place] as number) + Buffer.byteLength(key);
  return {
    keys: { offsets, bytes: Buffer.from(keys.join('')) },
    keysWith: () => ({ from: 2, to: 2 + words.length }),
    countAt: (place) => trials.get(keys[place]!.slice(POSTING.text.length)) ?? 0,
  };
}

/** Compares with every word. */
function plainNear(trials: ReadonlyMap<string, number>, word: string, most: number) {
  if (word.length < 4 || word.length > 64) return [];
  return [...trials]
    .map(([key, count]) => ({ key, edits: editsByTable(Buffer.from(word), Buffer.from(key)), trials: count }))
    .filter(({ edits }) => edits > 0 && edits <= (word.length > 5 ? 2 : 1))
    .sort((a, b) => a.edits - b.edits || b.trials - a.trials || (a.key < b.key ? -1 : 1))
    .slice(0, most);
}

test('near spellings are those that a comparison with every word finds', () => {
  const letters = (min: number, max: number) =>
    fc.array(fc.constantFrom(...'aabcd1'), { minLength: min, maxLength: max }).map((some) => some.join(''));
  const longOf = (word: string) => 'abcdefgh'.repeat(8).slice(0, 60) + word;
  const known = fc.oneof(
    { weight: 6, arbitrary: letters(1, 12) },
    { weight: 1, arbitrary: letters(0, 9).map(longOf) },
    { weight: 1, arbitrary: letters(1, 9).map((word) => `${word}\u00e9`) },
  );
  const asked = fc.oneof({ weight: 6, arbitrary: letters(2, 12) }, { weight: 1, arbitrary: letters(0, 5).map(longOf) });
  const corpus = fc.array(fc.tuple(known, fc.integer({ min: 1, max: 5 })), {
    minLength: 200,
    maxLength: 600,
    size: 'max',
  });
  let found = 0;
  fc.assert(
    fc.property(
      corpus,
      fc.array(asked, { minLength: 20, maxLength: 20 }),
      fc.constantFrom(1, 3, 50),
      (words, all, most) => {
        const trials = new Map(words);
        const source = sourceOf(trials);
        for (const word of all) {
          const near = nearWords(source, word, most);
          expect({ word, near }).toEqual({ word, near: plainNear(trials, word, most) });
          found += near.length;
        }
      },
    ),
    { numRuns: amountOf({ quick: 8, deep: 40 }), seed: 20_261_124 },
  );
  expect(found).toBeGreaterThan(amountOf({ quick: 60, deep: 300 }));
});
