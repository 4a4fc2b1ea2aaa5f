import { describe, expect, test } from 'vitest';
import { classify, lexiconOf, loadLexicons } from './classify.ts';

const lexicons = await loadLexicons();
const reading = (title: string, summary: string | null = null) => {
  const { capital, capitalTerms, lexiconClass, classTerms } = classify(lexicons, title, summary);
  return [capital, capitalTerms.join('; '), lexiconClass, classTerms.join('; ')];
};

describe('classification', () => {
  test.each([
    ['Randomized trial of insulin in children', null, 'I', 'trial; randomised', 'research', 'trial; randomised'],
    [
      '£3 million grant',
      'New funding for a biobank.',
      'M',
      'funding; grant; million; biobank',
      'funding',
      'funding; grant; million',
    ],
    ['Partnerships between communities', null, 'N', 'partnership; community', null, ''],
    ['Pædiatric care in rural areas', 'For ethnic minorities', 'D', 'minority; ethnic; paediatric; rural', null, ''],
    ['Meta-analyses of openness', null, 'I', 'analysis; meta-analysis', 'research', 'meta-analysis'],
    ['Recall: defect in tablets', null, null, '', 'safety', 'recall; defect'],
    ['Open data, access denied', null, 'I', 'data', 'access', 'access'],
    ['Open access', null, 'N', 'open access', 'access', 'access'],
    ['The trialist strategist', null, null, '', null, ''],
    ['open', 'access', null, '', 'access', 'access'],
    ['', null, null, '', null, ''],
  ])('of %j, %j', (title, summary, capital, capitalTerms, lexiconClass, classTerms) => {
    expect(reading(title, summary)).toEqual([capital, capitalTerms, lexiconClass, classTerms]);
  });

  test('gives a tie to the entry that stands first', () => {
    expect(reading('trial funding')[0]).toBe('M');
    expect(reading('women in a network')[0]).toBe('N');
    expect(reading('treatment study')[2]).toBe('research');
    // A term counts once, however often it stands there.
    expect(reading('grant grant grant: a study of data')[0]).toBe('I');
  });
});

describe('a lexicon', () => {
  test('is refused where two terms read the same', () => {
    const entry = { id: 'x', name: 'X', meaning: 'm', why: 'w', reviewedOn: '2026-11-22', terms: ['tumour', 'Tumors'] };
    const file = {
      id: 'l',
      note: 'n',
      formula: ['f'],
      reviewedOn: '2026-11-22',
      nextReviewOn: '2027-05-22',
      entries: [entry],
    };
    expect(() => lexiconOf(Buffer.from(JSON.stringify(file)), 'test')).toThrow(
      'Tumors and tumour, which read the same',
    );
  });
});
