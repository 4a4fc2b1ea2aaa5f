import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { sha256 } from './hashing.ts';

it('SHA-256 of a text is that of its UTF-8, whatever stands in it', () => {
  for (const text of ['', 'islet', 'Ärzte 🧪', '\ud800 lone', '\u0000']) {
    expect(sha256(text)).toBe(createHash('sha256').update(Buffer.from(text, 'utf8')).digest('hex'));
  }
});
