import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { illFormedPaths, wellFormedJson } from './well-formed.ts';

const anyText = fc
  .array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\\', '\\ud800', '\ud83d', '\udc00', '😀', '"')))
  .map((parts) => parts.join(''));

describe('a parsed JSON document', () => {
  it.each([
    ['{"a":"\\ud800"}', ['a']],
    ['{"a":"x \\uDC00 y"}', ['a']],
    ['{"a":{"b":["ok","\\ud83d"]}}', ['a.b.1']],
    ['{"a\\ud800":1}', ['a\ufffd']],
    ['{"a":"\\ud83d\\ude00"}', []],
    ['{"a":"\\\\ud800"}', []],
    ['{"a":"\\ud800","b":"\\udfff"}', ['a', 'b']],
  ])('%s is ill-formed at its paths only', (text, paths) => {
    expect(illFormedPaths(text, JSON.parse(text))).toEqual(paths);
  });

  it('names 20 paths at most, each 200 characters long at most', () => {
    const text = `{"${'n'.repeat(500)}":[${'"\\ud800",'.repeat(30)}1]}`;
    const paths = illFormedPaths(text, JSON.parse(text));
    expect([paths.length, paths[0]!.length]).toEqual([20, 200]);
  });
});

describe('JSON that is answered', () => {
  it('has U+FFFD for each half of a pair, and is unchanged without one', () => {
    fc.assert(
      fc.property(anyText, anyText, (name, text) => {
        const given = { [`n${name}`]: [text] };
        const written = wellFormedJson(JSON.stringify(given));
        expect(JSON.parse(written)).toEqual({ [`n${name.toWellFormed()}`]: [text.toWellFormed()] });
        expect(written === JSON.stringify(given)).toBe(name.isWellFormed() && text.isWellFormed());
      }),
    );
  });
});
