import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editsByTable, editsTo } from './edits.ts';

test.each([
  ['asthma', 'asthma', 0],
  ['asthmaa', 'asthma', 1],
  ['atshma', 'asthma', 1],
  ['hypertnesoin', 'hypertension', 2],
  ['', 'ab', 2],
  ['kitten', 'sitting', 3],
  ['a'.repeat(31), `${'a'.repeat(31)}b`, 1],
  ['a'.repeat(32), `b${'a'.repeat(31)}b`, 2],
  ['a'.repeat(33), 'a'.repeat(31), 2],
  [`${'x'.repeat(62)}ab`, `${'x'.repeat(62)}ba`, 1],
])('from %s to %s it takes %i edits', (from, to, edits) => {
  const [one, other] = [Buffer.from(from), Buffer.from(to)];
  expect([editsTo(one)(other, 0, other.length), editsTo(other)(one, 0, one.length)]).toEqual([edits, edits]);
  expect(editsByTable(one, other)).toBe(edits);
});

test('the bits of a column count what its cells count, wherever the other word stands', () => {
  const word = (maxLength: number) =>
    fc.array(fc.constantFrom(...'abc\u00e9'), { maxLength }).map((letters) => Buffer.from(letters.join('')));
  fc.assert(
    fc.property(word(24), word(24), word(3), (one, other, before) => {
      const bytes = Buffer.concat([before, other, Buffer.from('abc')]);
      expect(editsTo(one)(bytes, before.length, other.length)).toBe(editsByTable(one, other));
    }),
    { numRuns: 3000 },
  );
});
