import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betterQuestion } from './better-question.ts';

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
