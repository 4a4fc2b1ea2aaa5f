import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textHasPhrase } from './query.ts';
import { COMPOUND, encodePhrase, encodeSequence, FIELD_BREAK, sequenceHasPhrase } from './sequence.ts';
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
  return sequenceHasPhrase(values, offset, offset + encoded.length, wanted);
}

test('fields, words and compounds have the stated layout', () => {
  const { numberOf } = numbering();
  const fields = ['heart gastro-oesophageal', '', 'heart'].map(textUnits);
  expect(encodeSequence(fields, numberOf)).toEqual([0, COMPOUND, 2, 1, 2, 3, FIELD_BREAK, FIELD_BREAK, 0]);
});

test('a number that collides with a marker is refused', () => {
  expect(() => encodeSequence([textUnits('heart')], () => COMPOUND)).toThrow(RangeError);
});

describe('a phrase with unknown terms', () => {
  const lookup = (key: string) =>
    new Map([
      ['covid19', 7],
      ['heart', 8],
      ['gastro', 9],
      ['esophageal', 10],
    ]).get(key);
  test('is null when a word is unknown', () => {
    expect(encodePhrase(textUnits('heart kidney'), lookup)).toBeNull();
  });
  test('keeps a compound if only its joined key or only its parts are known', () => {
    expect(encodePhrase(textUnits('covid-19 gastro-oesophageal'), lookup)).toEqual([
      { kind: 'compound', joined: 7, parts: null },
      { kind: 'compound', joined: null, parts: [9, 10] },
    ]);
  });
  test('is null when a compound lacks both', () => {
    expect(encodePhrase(textUnits('heart gastro-kidney'), lookup)).toBeNull();
  });
});

test.each([
  ['heart failure', ['acute heart failure'], true],
  ['heart failure', ['heart', 'failure'], false],
  ['heart failure', ['heart and failure'], false],
  ['covid19 vaccine', ['a COVID-19 vaccine'], true],
  ['covid-19 vaccine', ['covid19 vaccine'], true],
  ['covid-19 vaccine', ['covid 19 vaccine'], true],
  ['19 vaccine', ['COVID-19 vaccine'], true],
  ['small cell', ['non-small-cell'], true],
  ['vaccine covid', ['vaccine', 'covid'], false],
])('"%s" in %j: %s', (phrase, fields, expected) => {
  expect(hasPhrase(fields.map(textUnits), textUnits(phrase), 3)).toBe(expected);
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

test('every run of units of a field is found as a phrase', () => {
  fc.assert(
    fc.property(units(6), fc.nat(5), fc.nat(5), (field, a, b) => {
      const phrase = field.slice(Math.min(a, b), Math.max(a, b) + 1);
      fc.pre(phrase.length > 0);
      expect(hasPhrase([[{ kind: 'word', key: 'z' }], field], phrase)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('compounds that can be read in two ways do not multiply the work', () => {
  const repeated = Array.from({ length: 60 }, (): TextUnit => ({ kind: 'compound', joined: 'ab', parts: ['a', 'b'] }));
  const phrase: TextUnit[] = [...repeated.slice(0, 40), { kind: 'word', key: 'end' }];
  expect(hasPhrase([repeated, [{ kind: 'word', key: 'end' }]], phrase)).toBe(false);
  expect(hasPhrase([[...repeated, { kind: 'word', key: 'end' }]], phrase)).toBe(true);
});
