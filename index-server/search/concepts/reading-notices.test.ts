import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AskedTexts, noticesByWords } from './reading-notices.ts';

test('a plain text is read no other way than any', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('the', 'of', 'Asthma', '5', 'type-2', "Crohn's", 'OR', 'Without'), { minLength: 1 }),
      (words) => {
        const text = words.join(' ');
        // Two blanks are no plain text, and are read as one.
        expect(noticesByWords({ q: text })).toEqual(noticesByWords({ q: `${text.replaceAll(' ', '  ')} ` }));
      },
    ),
  );
});

describe('a search by words says how it read', () => {
  const EXCLUDE = 'To leave a word out, write - right before it, with match=concepts.';
  const UNPAIRED =
    'A quotation mark in q has no partner and was left out, so its words may stand apart: close it to ask for a phrase.';
  test.each<[AskedTexts, string[]]>([
    [{ q: 'asthma - stroke' }, [`“- stroke” in q excludes nothing. ${EXCLUDE}`]],
    [{ q: 'asthma !stroke' }, [`“!stroke” in q excludes nothing. ${EXCLUDE}`]],
    [
      { q: 'asthma or stroke' },
      ['or in q must occur as a word, and so must both sides: match=concepts takes OR in capitals for either.'],
    ],
    [{ q: 'asthma and stroke' }, ['and in q must occur as a word: leave it out, since all words must occur.']],
    [
      { q: 'asthma without stroke' },
      ['without in q must occur as a word and excludes nothing: match=concepts leaves out -word.'],
    ],
    [
      { q: 'diabet?' },
      [
        'With match=words, q takes no operators (?): letters are read as a word, signs are left out, and all words must occur. match=concepts takes OR, AND, NOT, -word and parentheses; neither takes wildcards.',
      ],
    ],
    [{ q: '"heart failure' }, [UNPAIRED]],
    [
      { q: 'status:recruiting asthma' },
      [
        '“status:recruiting” in q was read as words, since q takes no names of fields. Send status=recruiting beside q.',
      ],
    ],
    [
      { q: 'cond:asthma title:child' },
      [
        '“cond:asthma” in q was read as words, since q takes no names of fields. Send condition=asthma beside q.',
        '“title:child” in q was read as words, since q takes no names of fields. Send q=child.',
      ],
    ],
    [
      { q: 'condition:"heart failure" asthma[ti]' },
      [
        '“condition:"heart failure"” in q was read as words, since q takes no names of fields. Send condition="heart failure" beside q.',
        '“[ti]” in q was read as words, since q takes no names of fields. Leave it out.',
      ],
    ],
    [{ q: '糖尿病' }, ['糖尿病 in q: nearly all records are in English, so ask in English.']],
    [
      { q: 'of the' },
      [
        'q has only words that say nothing of a trial (of, the): its count answers no question. Name a disease, a treatment or a sponsor.',
      ],
    ],
    [
      { sponsor: 'Pfizer OR Novartis' },
      ['sponsor takes no operators (OR): letters are read as a word, signs are left out, and all words must occur.'],
    ],
    [
      { anySponsor: 'Pfizer or Novartis' },
      ['or in anySponsor must occur as a word, and so must both sides: ask for each by itself.'],
    ],
    [
      { intervention: '"insulin glargine"' },
      [
        'Quotation marks have no meaning in intervention by words: its words may stand apart. match=concepts takes a phrase in them.',
      ],
    ],
    [
      { condition: 'asthma OR stroke' },
      [
        'With match=words, condition is a whole term of a registry, with every sign (OR) a part of it. match=concepts takes OR, AND, NOT, -word, "a phrase" and parentheses.',
      ],
    ],
  ])('%o', (texts, notices) => expect(noticesByWords(texts)).toEqual(notices));

  test.each<AskedTexts>([
    { q: 'type-2 diabetes' },
    { q: '"heart and lung"' },
    { q: 'Is aspirin safe in children?' },
    { q: 'β-blocker naïve 5 µg' },
    { q: 'ratio 1:2' },
    { q: 'cetuximab [Erbitux] [18F]FDG' },
    { q: 'glucose 5% asthma, stroke' },
    { q: '"of the"' },
    { sponsor: 'Hospital (Leeds)' },
    { condition: 'Carcinoma (disorder)' },
  ])('%o is read as it is written', (texts) => expect(noticesByWords(texts)).toEqual([]));
});
