import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { classify, loadLexicons } from './classify.ts';

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

describe('the lexicons', () => {
  test('have the four capitals in their order, and no two terms that read the same', () => {
    expect(lexicons.capitals.entries.map(({ id }) => id)).toEqual(['M', 'I', 'N', 'D']);
    for (const { entries } of [lexicons.capitals, lexicons.classes]) {
      const phrases = entries.flatMap(({ terms }) => terms.flatMap((term) => term.phrases));
      expect(phrases.filter((phrase, place) => phrases.indexOf(phrase) !== place || phrase.trim() === '')).toEqual([]);
    }
  });

  test.each(['capitals', 'classes'])('state the reasons and the review of %s', async (name) => {
    const text = z.string().trim().min(1);
    const [entry, review] = [{ id: text, name: text, meaning: text, why: text }, { reviewedOn: z.iso.date() }];
    const entries = z.array(z.strictObject({ ...entry, ...review, terms: z.array(text).min(1) })).min(1);
    const rules = { id: text, note: text, formula: z.array(text).min(1), nextReviewOn: z.iso.date() };
    const bytes = await readFile(new URL(`../../data/lexicons/${name}.json`, import.meta.url), 'utf8');
    z.strictObject({ ...rules, ...review, entries }).parse(JSON.parse(bytes));
  });
});
