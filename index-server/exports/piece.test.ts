import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Piece } from './piece.ts';

it('a piece has the bytes of what was written, in order, whatever was expected', () => {
  const part = fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array());
  fc.assert(
    fc.property(fc.nat(64), fc.array(part), (expected, parts) => {
      const piece = new Piece(expected);
      for (const one of parts) {
        if (typeof one === 'string') piece.text(one);
        else piece.bytes(one);
      }
      const whole = Buffer.concat(parts.map((one) => Buffer.from(one)));
      expect(piece.length).toBe(whole.length);
      expect(Buffer.compare(piece.finished(), whole)).toBe(0);
    }),
  );
});

it('a piece can be sent to another thread without taking anything else along', () => {
  const piece = new Piece(8);
  piece.text('Größe');
  const bytes = piece.finished();
  const sent = structuredClone(bytes, { transfer: [bytes.buffer] });
  expect(Buffer.from(sent).toString()).toBe('Größe');
  expect(bytes.length).toBe(0);
});
