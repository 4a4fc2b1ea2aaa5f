import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askedLetters, askedWords, letterForm, letterKeys, wordForm, wordKeys } from './search-forms.ts';

/** Whether a row with these texts is found, by the plain meaning of forms, keys and parts. */
function isFound(texts: readonly string[], q: string): boolean {
  const [form, asked] = [wordForm(texts), askedWords(q)];
  const keys = new Set(wordKeys(form));
  if (asked === null) return false;
  return asked.keys.every((key) => keys.has(key)) && asked.parts.every((part) => form.includes(part));
}

describe('a word', () => {
  it.each([
    ['any case', 'Diabetes in CHILDREN', 'DIABETES children'],
    ['capitals with a small s, whatever its case', 'KRIs of a ward', 'kris'],
    ['any accent', 'Sjögren, ÉPILEPSIE', 'sjogren epilepsie'],
    ['both spellings', 'tumour, anaemia and randomised', 'tumor anemia randomized'],
    ['singular and plural', 'therapies for a lens', 'therapy lens'],
    ['a final sigma', 'ΝΌΣΟΣ', 'νόσος'],
    ['letters without case', 'हिन्दी 糖尿病', '糖尿病 हिन्दी'],
    ['a piece of several words as a phrase', 'loss of beta cells', 'beta-cell'],
    ['pieces in any order', 'a rate of 1.5 per/day', 'day 1.5 per/day rate'],
    ['what looks like an operator', 'say not or near', '"or" NOT near*'],
    ['an agent by its name', 'agent-a', 'agent-a'],
  ])('is found by %s', (_what, text, q) => {
    expect(isFound([text], q)).toBe(true);
  });

  it.each([
    ['by a part of it', ['diabetes'], 'diabet'],
    ['as a phrase in another order', ['cell beta'], 'beta-cell'],
    ['as a phrase across words between', ['beta islet cell'], 'beta-cell'],
    ['as a phrase across two texts', ['beta', 'cell'], 'beta-cell'],
    ['by nothing that is a word', ['a text'], '" - * \u0000'],
  ])('is not found %s', (_what, texts, q) => {
    expect(isFound(texts, q)).toBe(false);
  });

  it('of more than 500 letters is left out, and nothing is asked by it', () => {
    const [held, long] = ['ñ'.repeat(500), 'x'.repeat(501)];
    expect(wordForm([`before ${held} ${long} after`])).toBe(` before ${'n'.repeat(500)} \ue000 after `);
    expect(askedWords(long)).toBeNull();
    expect(isFound([`before ${long} after`], 'before/after')).toBe(false);
  });

  // Halves of letters outside the first plane too.
  const units = fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes));

  it('has no blank and no ASCII but small letters and digits, whatever the text', () => {
    fc.assert(
      fc.property(units, (text) => {
        for (const key of wordKeys(wordForm([text]))) {
          expect(key.isWellFormed()).toBe(true);
          expect(key).toMatch(/^(?:[a-z0-9]|[^\u0000-\u007f\s])+$/u);
        }
      }),
      { numRuns: 2_000, seed: 20_261_126 },
    );
  });
});

describe('a part of a text', () => {
  it.each([
    ['in any case', 'Type 1 Diabetes', 'PE 1 di'],
    ['across letters that change with case', 'ſtraße ΝΌΣΟΣ', 'STRASSE νόσος'],
    ['with what no store can hold', 'a\u0000b\ud800c', 'a\u0000b\ud800c'],
    ['outside the first plane', 'x😀😀y', '😀😀y'],
  ])('is found %s', (_what, text, part) => {
    const asked = askedLetters(part)!;
    const form = letterForm([text]);
    expect(form.includes(asked.parts[0]!)).toBe(true);
    expect(letterKeys(form)).toEqual(expect.arrayContaining(asked.keys));
  });

  it('is nowhere where it has less than three letters', () => {
    expect(askedLetters('😀a')).toBeNull();
  });

  it('is a part of the form of the text, whatever the text and the case', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary', minLength: 3 }),
        fc.string(),
        (a, b, c) => {
          const form = letterForm([`${a}${b}${c}`]);
          for (const part of [b, b.toLowerCase()]) expect(form).toContain(letterForm([part]));
        },
      ),
      { numRuns: 2_000, seed: 20_261_126 },
    );
  });
});
