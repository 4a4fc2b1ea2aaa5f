import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AskedTexts, readingNotices } from './reading-notices.ts';

test('a plain text is read no other way than any', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('the', 'of', 'Asthma', '5', 'type-2', "Crohn's", 'OR', 'Without'), { minLength: 1 }),
      (words) => {
        const text = words.join(' ');
        // Two blanks are no plain text, and are read as one.
        expect(readingNotices({ q: text }, 'words')).toEqual(
          readingNotices({ q: `${text.replaceAll(' ', '  ')} ` }, 'words'),
        );
      },
    ),
  );
});

describe('a search by words says how it read', () => {
  const CONCEPTS = 'match=concepts takes OR, AND, NOT, -word, "a phrase" and parentheses';
  const noOperators = (signs: string): string =>
    `With match=words, q takes no operators (${signs}): letters are read as a word, signs are left out, and all words must occur. ${CONCEPTS}; neither takes wildcards.`;
  test.each<[AskedTexts, string[]]>([
    [{ q: 'asthma - stroke' }, [noOperators('“- stroke”')]],
    [{ q: 'asthma !stroke' }, [noOperators('“!stroke”')]],
    [{ q: 'asthma or stroke' }, [noOperators('or')]],
    [{ q: 'asthma and stroke' }, [noOperators('and')]],
    [{ q: 'asthma without stroke' }, [noOperators('without')]],
    [{ q: 'diabet?' }, [noOperators('?')]],
    [{ q: '"heart failure' }, [noOperators('a quotation mark without a partner')]],
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
      ['anySponsor takes no operators (or): letters are read as a word, signs are left out, and all words must occur.'],
    ],
    [{ intervention: '"insulin glargine"' }, [noOperators('quotation marks').replace('q takes', 'intervention takes')]],
    [
      { condition: 'asthma OR stroke' },
      [
        'With match=words, condition is a whole term of a registry, with every sign (OR) a part of it. match=concepts takes OR, AND, NOT, -word, "a phrase" and parentheses.',
      ],
    ],
  ])('%o', (texts, notices) => expect(readingNotices(texts, 'words')).toEqual(notices));

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
  ])('%o is read as it is written', (texts) => expect(readingNotices(texts, 'words')).toEqual([]));
});
