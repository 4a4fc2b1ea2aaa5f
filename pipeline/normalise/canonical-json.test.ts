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
