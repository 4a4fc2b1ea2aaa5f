import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asciiFold, isAscii, unifyText } from './ascii.ts';

test.each([
  ['Sjögren', 'sjogren'],
  ['Œdème', 'oedeme'],
  ['Encyclopædia', 'encyclopaedia'],
  ['Gießen', 'giessen'],
  ['Tromsø', 'tromso'],
  ['Łódź', 'lodz'],
  ['İzmir', 'izmir'],
  ['Α ΛΟΓΟΣ', 'α λογοσ'],
  ['deﬁned', 'defined'],
  ['हिन्दी', 'हिन्दी'],
])('%s folds to %s', (text, folded) => {
  expect(asciiFold(text)).toBe(folded);
});

test('every dash becomes the hyphen', () => {
  expect(unifyText('a\u2010b\u2011c\u2012d\u2013e\u2014f\u2015g\u2212h\uff0di\u207bj')).toBe('a-b-c-d-e-f-g-h-i-j');
});

test('every sign typed for an apostrophe becomes one', () => {
  expect(unifyText('a’b‘cʼd´e′f`g')).toBe("a'b'c'd'e'f'g");
  expect(unifyText('a`b')).toBe("a'b");
});

test('a trade mark is not glued to its word', () => {
  expect(unifyText('Avastin™')).toBe('Avastin ');
});

test('a soft hyphen inside a word does not split it', () => {
  expect(unifyText('gastro\u00adoesophageal')).toBe('gastrooesophageal');
});

test('case and accents survive the unifying of signs', () => {
  expect(unifyText('Sjögren – II')).toBe('Sjögren - II');
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
});

test('only a text without any other character is ASCII', () => {
  expect(isAscii('plain text 123')).toBe(true);
  expect(isAscii('na\u00efve')).toBe(false);
});
