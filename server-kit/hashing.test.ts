import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { sha256, sortedJson } from './hashing.ts';

it('SHA-256 of a text is that of its UTF-8, whatever stands in it', () => {
  for (const text of ['', 'islet', 'Ärzte 🧪', '\ud800 lone', '\u0000']) {
    expect(sha256(text)).toBe(createHash('sha256').update(Buffer.from(text, 'utf8')).digest('hex'));
  }
});

// The hashes of boards that exist rest on this order.
it('sorts keys, after those that are whole numbers, in every depth', () => {
  expect(sortedJson({ b: [{ z: 1, a: null }], 10: 1, '': 2, 9: 3 })).toBe('{"9":3,"10":1,"":2,"b":[{"a":null,"z":1}]}');
});
