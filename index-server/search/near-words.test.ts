import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountOf } from '../../test/support/runner/amount.ts';
import { editsTo, type KeySource, nearKeys } from './near-words.ts';

/** Edits between two words, by the table of them. */
function editsByTable(one: Uint8Array, other: Uint8Array): number {
  const table = Array.from({ length: one.length + 1 }, (_, i) =>
    Array.from({ length: other.length + 1 }, (_, j) => i + j),
  );
  const at = (i: number, j: number): number => table[i]![j]!;
  for (let i = 1; i <= one.length; i++) {
    for (let j = 1; j <= other.length; j++) {
      const replaced = at(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      table[i]![j] = Math.min(replaced, at(i - 1, j) + 1, at(i, j - 1) + 1, swapped);
    }
  }
  return at(one.length, other.length);
}

test.each([
  ['asthma', 'asthma', 0],
  ['asthmaa', 'asthma', 1],
  ['atshma', 'asthma', 1],
  ['hypertnesoin', 'hypertension', 2],
  ['kitten', 'sitting', 3],
  ['a'.repeat(31), `${'a'.repeat(31)}b`, 1],
])('from %s to %s it takes %i edits', (from, to, edits) => {
  const [one, other] = [Buffer.from(from), Buffer.from(to)];
  expect(editsTo(one)(other, 0, other.length)).toBe(edits);
  expect(editsByTable(one, other)).toBe(edits);
});

test('the bits of a column count what its cells count, wherever the other word stands', () => {
  const word = (minLength: number, maxLength: number) =>
    fc.array(fc.constantFrom(...'abc\u00e9'), { minLength, maxLength }).map((letters) => Buffer.from(letters.join('')));
  fc.assert(
    fc.property(word(1, 15), word(0, 24), word(0, 3), (one, other, before) => {
      const bytes = Buffer.concat([before, other, Buffer.from('abc')]);
      expect(editsTo(one)(bytes, before.length, other.length)).toBe(editsByTable(one, other));
    }),
    { numRuns: 3000 },
  );
});

/** An image with these words, among keys of other kinds. */
function sourceOf(trials: ReadonlyMap<string, number>): KeySource {
  const words = [...trials.keys()].map((word) => `q:${word}`).sort();
  const keys = ['a:first', 'phase:2', ...words, 's:last'];
  const offsets = new Int32Array(keys.length + 1);
  for (const [place, key] of keys.entries()) offsets[place + 1] = (offsets[place] as number) + Buffer.byteLength(key);
  return {
    keys: { offsets, bytes: Buffer.from(keys.join('')) },
    keysWith: (prefix) => {
      const from = keys.findIndex((key) => key.startsWith(prefix));
      return { from, to: from < 0 ? from : from + keys.filter((key) => key.startsWith(prefix)).length };
    },
    countAt: (place) => trials.get(keys[place]!.slice('q:'.length)) ?? 0,
  };
}

test('near words are those that a comparison with every word of a like beginning finds', () => {
  const word = fc
    .array(fc.constantFrom(...'aabcd1'), { minLength: 2, maxLength: 12 })
    .map((letters) => letters.join(''));
  const corpus = fc.array(fc.tuple(word, fc.integer({ min: 1, max: 5 })), {
    minLength: 200,
    maxLength: 600,
    size: 'max',
  });
  const asked = fc.array(word, { minLength: 20, maxLength: 20 });
  let found = 0;
  fc.assert(
    fc.property(corpus, asked, fc.constantFrom(1, 2, 3), (words, all, most) => {
      const trials = new Map(words);
      const source = sourceOf(trials);
      for (const from of all) {
        const isAlike = (key: string): boolean =>
          key[0] === from[0] ||
          key[0] === from[1] ||
          (/^[a-z]/.test(key) && [from, from.slice(1)].some((rest) => key.startsWith(rest, 1)));
        const expected = [...trials]
          .map(([key, count]) => ({ key, edits: editsByTable(Buffer.from(from), Buffer.from(key)), trials: count }))
          .filter(({ key, edits }) => from.length >= 4 && edits > 0 && edits <= most && isAlike(key))
          .sort((a, b) => a.edits - b.edits || b.trials - a.trials || (a.key < b.key ? -1 : 1));
        expect({ from, near: nearKeys(source, 'q:', from, most) }).toEqual({ from, near: expected });
        found += expected.length;
      }
    }),
    { numRuns: amountOf({ quick: 8, deep: 40 }), seed: 20_261_124 },
  );
  expect(found).toBeGreaterThan(amountOf({ quick: 60, deep: 300 }));
});
