import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesQuery, parseQuery } from '../../../snapshot/format/words/query.ts';
import { type FoldedQuery, foldQuery, foldTexts } from './folding.ts';
import { tsqueryOf, tsvectorOf } from './postgres/text-search.ts';

/** Each rival matches folded text in this way: it looks for the keys in sequence, separated by blanks. */
function holds(folded: string, { words, phrases }: FoldedQuery): boolean {
  return [...words.map((word) => [word]), ...phrases].every((keys) => ` ${folded} `.includes(` ${keys.join(' ')} `));
}

describe('folded text', () => {
  it('finds what our search finds, for words and phrases of two words', () => {
    const word = fc.constantFrom('cell', 'cells', 'small', 'Non', 'nonsmall', 'smallcell', 'tumour');
    const piece = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('-'));
    const text = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(' '));
    const query = fc.oneof(
      word,
      fc.tuple(word, word).map(([a, b]) => `"${a} ${b}"`),
      fc.tuple(word, word, word).map(([a, b, c]) => `${a} "${b} ${c}"`),
    );
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), query, (texts, q) => {
        expect(holds(foldTexts(texts), foldQuery(q))).toBe(matchesQuery(parseQuery(q), texts));
      }),
      { seed: 7, numRuns: 2000 },
    );
  });
});

describe('folded queries', () => {
  it('part words from phrases', () => {
    expect(foldQuery('Tumours "small cells" lung')).toEqual({
      words: ['tumor', 'lung'],
      phrases: [['small', 'cell']],
    });
  });

  it('refuse a compound, which the rivals would read in one way only', () => {
    expect(() => foldQuery('non-small')).toThrow(RangeError);
  });
});

describe('folded text in PostgreSQL', () => {
  it('keeps the place of each key and leaves one out between texts', () => {
    expect(tsvectorOf(` ${foldTexts(['b cell b', 'c'])} `)).toBe("'b':1,3 'cell':2 'c':5");
  });

  it('leaves a key out that is too long for a tsvector, but not its place', () => {
    expect(tsvectorOf(`a ${'x'.repeat(2047)} b`)).toBe("'a':1 'b':3");
  });

  it('is asked for words and for keys that follow each other', () => {
    expect(tsqueryOf({ words: ['a', "b'c\\"], phrases: [['d', 'e']] })).toBe("'a' & 'b''c\\\\' & ('d' <-> 'e')");
  });
});
