import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexKeys, plainWordKey, textUnits, tokenKey } from './tokens.ts';

const word = (key: string) => ({ kind: 'word', key });
const compound = (joined: string, ...parts: string[]) => ({ kind: 'compound', joined, parts });

describe('a text is read as words and compounds', () => {
  test.each([
    ['', []],
    ['?! … —', []],
    ['Type 2 diabetes', [word('type'), word('2'), word('diabete')]],
    ['gastro-oesophageal reflux', [compound('gastresophageal', 'gastro', 'esophageal'), word('reflux')]],
    ['COVID\u201119', [compound('covid19', 'covid', '19')]],
    ['cost–benefit', [compound('costbenefit', 'cost', 'benefit')]],
    ['non-small-cell', [compound('nonsmallcell', 'non', 'small', 'cell')]],
    ['pre- and post-operative', [word('pre'), word('and'), compound('postoperative', 'post', 'operative')]],
    ['a -- b --c', [word('a'), word('b'), word('c')]],
    ['Crohn’s-related', [compound('crohnrelated', 'crohn', 'related')]],
    ["Parkinson's disease", [word('parkinson'), word('disease')]],
    ["l'Université", [compound('luniversite', 'l', 'universite')]],
    ["O'Brien", [compound('obrien', 'o', 'brien')]],
    ["patients' needs", [word('patient'), word('need')]],
    ['IL-1β', [compound('il1β', 'il', '1β')]],
    ['mg/kg CD4+', [word('mg'), word('kg'), word('cd4')]],
    ['Avastin™ (bevacizumab)', [word('avastin'), word('bevacizumab')]],
    ['糖尿病 и сахарный', [word('糖尿病'), word('и'), word('сахарныи')]],
    ['𝐁old 𐐷x', [word('bold'), word('𐐷x')]],
    ['\u0301a', [word('a')]],
  ])('%s', (text, units) => {
    expect(textUnits(text)).toEqual(units);
  });
});

test('words, parts and joined compounds are posted, each once', () => {
  expect(indexKeys('Anti-tumour effect of antitumor agents, anti-tumor')).toEqual([
    'anti',
    'tumor',
    'antitumor',
    'effect',
    'of',
    'agent',
  ]);
});

test('a key is never empty and holds no blank, dash or capital', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      for (const key of indexKeys(text)) {
        expect(key).not.toBe('');
        expect(key).not.toMatch(/[\s'-]/);
        expect(key).not.toMatch(/[A-Z]/);
      }
    }),
    { numRuns: 500 },
  );
});

test('a key does not depend on the words read before it', () => {
  const before = tokenKey('haemorrhages');
  for (let number = 0; number < 200_500; number += 1) tokenKey(`filler${number}`);
  expect(tokenKey('haemorrhages')).toBe(before);
  expect(before).toBe('hemorrhage');
});

test('the key of a plain word is the same without the memory of keys', () => {
  const plain = fc.stringMatching(/^[a-z]{1,14}(?:s|es|ies|our|ise|aemia|ata|ogue|lled)?$/);
  fc.assert(
    fc.property(plain, (one) => {
      expect({ one, key: plainWordKey(one) }).toEqual({ one, key: tokenKey(one) });
    }),
    { numRuns: 2000, seed: 20_261_125 },
  );
  expect([plainWordKey('haemorrhages'), plainWordKey('tumours')]).toEqual(['hemorrhage', 'tumor']);
});
