import { expect, test } from 'vitest';
import { editsWithin } from './vocabulary.ts';

test.each([
  ['asthma', 'asthma', 0],
  ['astma', 'asthma', 1],
  ['asthmaa', 'asthma', 1],
  ['osthma', 'asthma', 1],
  ['atshma', 'asthma', 1],
  ['diabetis', 'diabetes', 1],
  ['hypertnesoin', 'hypertension', 2],
  ['', 'ab', 2],
  ['ab', 'ba', 1],
  ['kitten', 'sitting', 3],
  ['abcdef', 'bacdfe', 2],
  ['asthma', 'diabetes', 4],
])('from %s to %s it takes %i edits', (from, to, edits) => {
  for (const most of [1, 2, 3]) {
    expect(editsWithin(Buffer.from(from), Buffer.from(to), most)).toBe(Math.min(edits, most + 1));
    expect(editsWithin(Buffer.from(to), Buffer.from(from), most)).toBe(Math.min(edits, most + 1));
  }
});
