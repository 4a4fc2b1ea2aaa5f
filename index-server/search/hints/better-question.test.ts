import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betterQuestion, filterNamed, readFiltersIn } from './better-question.ts';

describe('words of a question', () => {
  it.each([
    ['Germany', { parameter: 'country', value: 'Germany' }],
    ['UK', { parameter: 'country', value: 'United Kingdom' }],
    ['Uk', { parameter: 'country', value: 'United Kingdom' }],
    ['the uk', { parameter: 'country', value: 'United Kingdom' }],
    ['usa', { parameter: 'country', value: 'United States' }],
    ['the US', { parameter: 'country', value: 'United States' }],
    ['Not yet recruiting', { parameter: 'status', value: 'not_yet_recruiting' }],
    ['PHASE2', { parameter: 'phase', value: '2' }],
    ['in', null],
    ['Us', null],
    ['the er', null],
    ['be', null],
    ['unknown', null],
    ['diabetes', null],
  ])('%s names its filter or none', (words, named) => {
    expect(filterNamed(words)).toEqual(named);
  });

  it('are a city where trials have a site in one of that name', () => {
    const isCity = (words: string): boolean => words.toLowerCase() === 'new york';
    expect(readFiltersIn(['asthma', 'new', 'york', 'York'], new Set(), isCity)).toEqual({
      rest: ['asthma', 'York'],
      filters: { sitePlace: 'new york' },
    });
    expect(readFiltersIn(['new', 'york'], new Set(['sitePlace']), isCity).filters).toEqual({});
  });

  it('are taken once each, the longest name first, and never for a filter that is given', () => {
    expect(readFiltersIn(['lung', 'cancer', 'phase', '3', 'United', 'Kingdom', 'Germany'], new Set())).toEqual({
      rest: ['lung', 'cancer', 'Germany'],
      filters: { phase: '3', country: 'United Kingdom' },
    });
    expect(readFiltersIn(['asthma', 'Germany'], new Set(['country']))).toEqual({
      rest: ['asthma', 'Germany'],
      filters: {},
    });
  });
});

describe('a better question', () => {
  const WORDS = ['asthma', 'insulin', 'what', 'of', 'Germany', 'recruiting', 'rare', 'knee'];
  const trial = fc.record({
    words: fc.subarray(WORDS),
    country: fc.constantFrom('Germany', 'France'),
    status: fc.constantFrom('recruiting', 'completed'),
  });
  type Query = { q?: string | undefined; country?: string; status?: readonly string[] };

  it('is counted as a plain read counts it, finds more, and divides the words of the query', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(trial, { maxLength: 12 }),
        fc.subarray(WORDS, { minLength: 1 }),
        async (trials, pieces) => {
          const plain = ({ q, country, status }: Query): number =>
            trials.filter(
              (one) =>
                (q === undefined || q.split(' ').every((word) => one.words.includes(word))) &&
                (country === undefined || one.country === country) &&
                (status === undefined || status.includes(one.status)),
            ).length;
          const query: Query = { q: pieces.join(' ') };
          const total = plain(query);
          const found = await betterQuestion({
            query: query as never,
            pieces,
            total,
            countOf: async (asked) => plain(asked as Query),
            isCity: () => false,
          });
          if (found === null) return;
          const { q, filters, dropped } = found;
          const { country, status } = filters;
          const same = { q: q ?? undefined, ...(country && { country }), ...(status && { status: [status] }) };
          expect(found.total).toBe(plain(same));
          expect(found.total).toBeGreaterThan(total);
          const named = [...(country ? ['Germany'] : []), ...(status ? ['recruiting'] : [])];
          expect([...(q?.split(' ') ?? []), ...dropped, ...named].sort()).toEqual([...pieces].sort());
        },
      ),
      { seed: 1, numRuns: 300 },
    ));
});
