import { describe, expect, it } from 'vitest';
import { Corpus, type CorpusOptions } from './corpus.ts';

const OPTIONS: CorpusOptions = { seed: 1, ctgov: 2000, isrctn: 400 };

const first = new Corpus(OPTIONS);
const studies = [...first.ctgov()];
const trials = [...first.isrctn()];

describe('the synthetic corpus', () => {
  it('makes any record without the others, and different records of one template', () => {
    const alone = new Corpus(OPTIONS);
    for (const place of [0, 7, 399]) {
      expect(alone.study(place)).toBe(studies[place]);
      expect(alone.trial(place)).toBe(trials[place]);
    }
    expect(new Set(studies).size).toBe(2000);
    expect(new Set(trials).size).toBe(400);
  });

  it('uses numbers far beyond those that ClinicalTrials.gov gives, and links some trials to studies', () => {
    const numbers = studies.map((text) => /"nctId":"NCT(\d{8})"/.exec(text)?.[1]);
    expect(new Set(numbers).size).toBe(2000);
    expect(numbers.every((number) => Number(number) >= 90_000_000)).toBe(true);
    const links = trials.flatMap((text) => /<clinicalTrialsGovNumber>NCT(\d{8})</.exec(text)?.[1] ?? []);
    expect(links.length).toBeGreaterThan(20);
    expect(links.every((number) => numbers.includes(number))).toBe(true);
  });

  it('changes on its second day exactly the places that it names', () => {
    const second = new Corpus({ ...OPTIONS, day: 1 });
    const differing = (before: string[], after: string[]): number[] =>
      after.flatMap((text, place) => (text === before[place] ? [] : [place]));
    expect(differing(studies, [...second.ctgov()])).toEqual(second.changed('clinicaltrials_gov'));
    expect(differing(trials, [...second.isrctn()])).toEqual(second.changed('isrctn'));
    expect(second.counts).toEqual({ ctgov: 2001, isrctn: 401 });
    expect(second.changed('clinicaltrials_gov').length).toBeGreaterThan(3);
  });

  it('refuses counts that its numbers do not reach', () => {
    expect(() => new Corpus({ ...OPTIONS, ctgov: 800_000 })).toThrow('ctgov 800000: give a whole number from 0 to');
  });
});
