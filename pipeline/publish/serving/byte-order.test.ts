import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareUtf8, sortUtf8 } from './byte-order.ts';

const text = fc.string({
  unit: fc.constantFrom('a', 'b', '\u00e9', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{1f600}'),
  maxLength: 4,
});

describe('compareUtf8', () => {
  it('orders strings as their UTF-8 bytes are ordered, beyond the basic plane too', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareUtf8(a, b))).toBe(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('sortUtf8', () => {
  it('gives the order of compareUtf8, with and without surrogates', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), (strings) => {
        expect(sortUtf8([...strings])).toEqual([...strings].sort(compareUtf8));
      }),
      { numRuns: 1000 },
    );
  });
});
