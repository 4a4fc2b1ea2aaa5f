import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

const canonical = (text: string): string => canonicalJson(JSON.parse(text));

test('is the example of RFC 8785, 3.2.4', () => {
  const input = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`;
  expect(canonical(input)).toBe(
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

test('orders keys by UTF-16 code units, as RFC 8785, 3.2.3 asks', () => {
  const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
  const text = JSON.stringify(Object.fromEntries(keys.map((key) => [key, 0])));
  expect(Object.keys(JSON.parse(canonical(text)))).toHaveLength(7);
  expect(canonical(text)).toBe('{"\\r":0,"1":0,"\u0080":0,"\u00f6":0,"\u20ac":0,"\ud83d\ude00":0,"\ufb33":0}');
});

test('is the JSON that JSON.stringify writes, whatever the value; each object with its keys in order', () => {
  const text = fc.string({ unit: 'binary' });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.double(),
      fc.constantFrom(null, true),
      fc.array(fc.oneof(tie('value'), fc.constant(undefined)), { maxLength: 4 }),
      fc.dictionary(
        fc.oneof(text, fc.constantFrom('10', '9', 'toJSON', '__proto__')),
        fc.oneof(tie('value'), fc.constant(undefined)),
        { maxKeys: 5 },
      ),
    ),
  }));
  fc.assert(
    fc.property(value, (given) => {
      expect(JSON.parse(canonicalJson(given))).toEqual(JSON.parse(JSON.stringify(given)));
      expect(canonicalJson(JSON.parse(canonicalJson(given)))).toBe(canonicalJson(given));
    }),
  );
  fc.assert(
    fc.property(fc.dictionary(text, fc.nat()), (given) => {
      const members = Object.keys(given).sort();
      expect(canonicalJson(given)).toBe(`{${members.map((key) => `${JSON.stringify(key)}:${given[key]}`).join(',')}}`);
    }),
  );
});

test('numbers as keys stand in order of their characters, and a date as its text', () => {
  expect(canonicalJson({ 9: 1, 10: 2, a: undefined, b: [undefined, new Date(0)] })).toBe(
    '{"10":2,"9":1,"b":[null,"1970-01-01T00:00:00.000Z"]}',
  );
});
