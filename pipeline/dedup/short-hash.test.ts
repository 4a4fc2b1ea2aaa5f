import { expect, test } from 'vitest';
import { shortHash, unusedId } from './short-hash.ts';

test('a short hash is the leading bits of SHA-256 in lower-case Crockford base 32', () => {
  // SHA-256('abc') begins ba7816bf 8f01cfea: 10111 01001 11100 00001 01101 01111 11100 01111 00000 00111 00111 11110
  expect(shortHash('abc')).toBe('q9w1dfwf077y');
  expect(shortHash('abc', 13)).toBe('q9w1dfwf077ym');
  expect(shortHash('abc', 51)).toHaveLength(51);
});

test('an id that is taken grows until it is free, and an id that stays taken is an error', () => {
  const taken = new Set(['wt_q9w1dfwf077y', 'wt_q9w1dfwf077ym']);
  expect(unusedId('wt_', 'abc', (id) => taken.has(id))).toBe(`wt_${shortHash('abc', 14)}`);
  expect(() => unusedId('wt_', 'abc', () => true)).toThrow('every wt_ id of abc is taken');
});
