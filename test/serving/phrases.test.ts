import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFilters } from '../../index-server/search/filters.ts';
import { matchingRows } from '../../index-server/search/matching.ts';
import { registration } from '../builders/registration.ts';
import { buildImage } from '../builders/serving-image.ts';
import { plainSearch } from '../support/plain/plain-search.ts';

const WORDS = ['type', 'child', 'gastro-oesophageal', 'gastroesophageal', 'gastro', 'oesophageal'];
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
const TITLES = fc.sample(fc.tuple(text, text), { numRuns: 60, seed: 20_261_121 });

const trials = TITLES.map(([title, officialTitle], place) => {
  const id = `NCT${String(place).padStart(8, '0')}`;
  return {
    canonicalId: `wt_${id.toLowerCase()}0`,
    aliases: [],
    registrations: [registration(id, { title, officialTitle })],
  };
});
const pairs = WORDS.flatMap((one) => WORDS.map((other) => `"${one} ${other}"`));
const phrases = [...pairs, ...pairs.flatMap((pair) => WORDS.map((word) => pair.replace(/"$/, ` ${word}"`)))];

describe('phrases', () => {
  it.each([
    ['every word is common, so that pairs decide', 1],
    ['some words are common', 55],
    ['no word is common, so that every text is looked through', 1000],
  ])('mean the same as in the plain reference when %s', async (_, commonTermRows) => {
    await using built = await buildImage(
      { trials, identifiers: [], links: [], relations: [] },
      { topics: [], commonTermRows },
    );
    const totals = (count: (q: string) => number) => Object.fromEntries(phrases.map((q) => [q, count(q)]));
    const expected = totals((q) => plainSearch(trials, { q }).length);
    expect(totals((q) => matchingRows(built.image, compileFilters({ q })).count)).toEqual(expected);
    expect(Object.values(expected).filter((count) => count > 0).length).toBeGreaterThan(100);
  });
});
