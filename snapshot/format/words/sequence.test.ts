import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textHasPhrase } from '../../../test/support/plain/plain-query.ts';
import { COMPOUND, encodePhrase, encodeSequence, FIELD_BREAK, phraseTest } from './sequence.ts';
import { type TextUnit, textUnits } from './tokens.ts';

/**
 * Numbers keys in the order of first use. 1, 2 and 3 are in use early, so that numbers of keys also occur as part
 * counts.
 */
function numbering(): { numberOf: (key: string) => number; lookup: (key: string) => number | undefined } {
  const numbers = new Map<string, number>();
  return {
    numberOf: (key) => {
      const number = numbers.get(key) ?? numbers.size;
      numbers.set(key, number);
      return number;
    },
    lookup: (key) => numbers.get(key),
  };
}

function hasPhrase(fields: TextUnit[][], phrase: TextUnit[], offset = 0): boolean {
  const { numberOf, lookup } = numbering();
  const encoded = encodeSequence(fields, numberOf);
  const wanted = encodePhrase(phrase, lookup);
  if (wanted === null) return false;
  // Foreign values before and after the sequence; the search must not read them.
  const values = new Uint32Array([...Array(offset).fill(0), ...encoded, ...encoded]);
  return phraseTest(wanted)(values, offset, offset + encoded.length);
}

test('fields, words and compounds have the stated layout', () => {
  const { numberOf } = numbering();
  const fields = ['heart gastro-oesophageal', '', 'heart'].map(textUnits);
  expect(encodeSequence(fields, numberOf)).toEqual([0, COMPOUND, 2, 1, 2, 3, FIELD_BREAK, FIELD_BREAK, 0]);
});

test('a number that collides with a marker is refused', () => {
  expect(() => encodeSequence([textUnits('heart')], () => COMPOUND)).toThrow(RangeError);
});

test('a phrase with an unknown word is none; a compound is kept by its joined key or by its parts', () => {
  const numbers = new Map(Object.entries({ covid19: 7, heart: 8, gastro: 9, esophageal: 10 }));
  const encoded = (text: string) => encodePhrase(textUnits(text), (key) => numbers.get(key));
  expect([encoded('heart kidney'), encoded('heart gastro-kidney')]).toEqual([null, null]);
  expect(encoded('covid-19 gastro-oesophageal')).toEqual([
    { joined: 7, parts: null },
    { joined: null, parts: [9, 10] },
  ]);
});

const key = fc.constantFrom('a', 'b', 'ab', 'c');
const unit: fc.Arbitrary<TextUnit> = fc.oneof(
  { weight: 3, arbitrary: key.map((value): TextUnit => ({ kind: 'word', key: value })) },
  {
    weight: 2,
    arbitrary: fc
      .array(key, { minLength: 2, maxLength: 3 })
      .map((parts): TextUnit => ({ kind: 'compound', joined: parts.join(''), parts })),
  },
);
const units = (maxLength: number) => fc.array(unit, { minLength: 1, maxLength });

test('sequences find exactly the phrases that the plain reference finds', () => {
  let hits = 0;
  fc.assert(
    fc.property(fc.array(units(5), { maxLength: 3 }), units(4), fc.nat(3), (fields, phrase, offset) => {
      const expected = textHasPhrase(fields, phrase);
      if (expected) hits += 1;
      expect(hasPhrase(fields, phrase, offset)).toBe(expected);
    }),
    { numRuns: 5000, seed: 20261121 },
  );
  expect(hits).toBeGreaterThan(500);
});

test('compounds that can be read in two ways do not multiply the work', () => {
  const repeated = Array.from({ length: 60 }, (): TextUnit => ({ kind: 'compound', joined: 'ab', parts: ['a', 'b'] }));
  const phrase: TextUnit[] = [...repeated.slice(0, 40), { kind: 'word', key: 'end' }];
  expect(hasPhrase([repeated, [{ kind: 'word', key: 'end' }]], phrase)).toBe(false);
  expect(hasPhrase([[...repeated, { kind: 'word', key: 'end' }]], phrase)).toBe(true);
});
