import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, sha256 } from './hashing.ts';

/** The definition of canonical JSON as code: writes JSON with every object's keys sorted. */
function plainCanonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : part,
  );
}

describe('canonical JSON', () => {
  it('is what JSON.stringify writes of a value whose keys are in order at every depth', () => {
    const text = fc.string({ unit: 'binary' });
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.double(),
        fc.constantFrom(null, true, undefined),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.oneof(text, fc.constantFrom('10', '9', 'toJSON', '__proto__')), tie('value'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(value, (given) => {
        expect(canonicalJson(given)).toBe(plainCanonical(given));
      }),
    );
    expect(canonicalJson({ b: new Date(0), a: [{ d: 1, c: 2 }] })).toBe(
      '{"a":[{"c":2,"d":1}],"b":"1970-01-01T00:00:00.000Z"}',
    );
  });
});

it('SHA-256 of a text is that of its UTF-8, whatever stands in it', () => {
  for (const text of ['', 'islet', 'Ärzte 🧪', '\ud800 lone', '\u0000']) {
    expect(sha256(text)).toBe(createHash('sha256').update(Buffer.from(text, 'utf8')).digest('hex'));
  }
});
