import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareUtf8 } from './byte-order.ts';

describe('compareUtf8', () => {
  it('orders strings as their UTF-8 bytes are ordered, beyond the basic plane too', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '\u00e9', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{1f600}'),
      maxLength: 4,
    });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareUtf8(a, b))).toBe(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
      }),
      { numRuns: 2000 },
    );
  });
});
