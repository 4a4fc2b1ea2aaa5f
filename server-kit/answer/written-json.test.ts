import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonOf, writtenOnce } from './written-json.ts';

describe('the JSON of an object with members that were written before', () => {
  it('is what JSON.stringify writes of it', () => {
    const member = fc.oneof(
      fc.jsonValue(),
      fc.constant(undefined),
      fc.jsonValue().map((value) => (typeof value === 'object' && value !== null ? writtenOnce(value) : value)),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), member), (object) => {
        expect(jsonOf(object)).toBe(JSON.stringify(object));
      }),
    );
  });

  it('copies the text of a member that was written before', () => {
    const honesty = writtenOnce(['a', 'b']);
    honesty.push('c');
    expect(jsonOf({ honesty, other: ['c'] })).toBe('{"honesty":["a","b"],"other":["c"]}');
  });
});
