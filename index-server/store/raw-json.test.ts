import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonString, rawJson } from './keyed-store.ts';

const head = { registration: 'NCT00000001', checksum: 'sha256:aa', format: 'json' } as const;

test('payloads become the JSON that the engine writes of them, character by character', () => {
  const texts = fc.array(fc.string({ unit: 'binary' }), { maxLength: 3 });
  fc.assert(
    fc.property(texts, (payloads) => {
      const raw = payloads.map((text) => ({ ...head, json: jsonString(Buffer.from(text)) }));
      expect(Buffer.concat(rawJson(raw)).toString('utf8')).toBe(
        JSON.stringify(payloads.map((payload) => ({ ...head, payload }))),
      );
    }),
    { examples: [[['{"a":"\\u0001é\u2028𝒳\u007f"}\r\n', '']]] },
  );
});
