import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairsOf } from '../../../test/builders/pairs.ts';
import { asciiFold, isAscii, unifyText } from './ascii.ts';

test.each(
  pairsOf(`
    Sjögren = sjogren | Œdème = oedeme | Encyclopædia = encyclopaedia | Gießen = giessen | Tromsø = tromso
    Łódź = lodz | İzmir = izmir | Α ΛΟΓΟΣ = α λογοσ | deﬁned = defined | हिन्दी = हिन्दी
  `),
)('%s folds to %s', (text, folded) => {
  expect(asciiFold(text)).toBe(folded);
});

test.each([
  ['dashes', 'a\u2010b\u2011c\u2012d\u2013e\u2014f\u2015g\u2212h\uff0di\u207bj', 'a-b-c-d-e-f-g-h-i-j'],
  ['signs typed for an apostrophe', 'a’b‘cʼd´e′f`g', "a'b'c'd'e'f'g"],
  ['a trade mark, which is not glued to its word', 'Avastin™', 'Avastin '],
  ['a soft hyphen, which does not split a word', 'gastro\u00adoesophageal', 'gastrooesophageal'],
  ['case and accents, which stay', 'Sjögren – II', 'Sjögren - II'],
])('%s are unified', (_signs, text, unified) => {
  expect(unifyText(text)).toBe(unified);
});

test('unifying twice is unifying once', () => {
  expect(unifyText('\u0374')).toBe("'");
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(unifyText(unifyText(text))).toBe(unifyText(text));
    }),
  );
});

test('folding twice is folding once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(asciiFold(asciiFold(text))).toBe(asciiFold(text));
    }),
  );
  expect([isAscii('plain text 123'), isAscii('na\u00efve')]).toEqual([true, false]);
});
