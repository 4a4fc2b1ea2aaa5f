import { describe, expect, it } from 'vitest';
import { tokenKey } from '../../snapshot/format/words/tokens.ts';
import { ofName, vocabulary } from '../../test/support/modality.ts';
import { writtenWords } from './matcher.ts';

describe('the vocabulary', () => {
  it('has no term with a word of a placebo, since a part of a name with one is not read', () => {
    const inert = new Set(vocabulary.inert.map(tokenKey));
    const terms = vocabulary.groups.flatMap(({ terms, nameTerms, proseTerms, substances, weak, traps }) => [
      ...terms,
      ...nameTerms,
      ...proseTerms,
      ...substances,
      ...weak,
      ...traps,
    ]);
    expect(terms.filter((term) => writtenWords(term).some((word) => inert.has(tokenKey(word))))).toEqual([]);
  });

  it('recognises each of its own terms and stems, but for one that yields', () => {
    const missed = vocabulary.groups.flatMap(({ id, terms, nameTerms, substances, stems, yieldsTo, notInTypes }) =>
      [
        ...[...terms, ...nameTerms, ...substances].map((term) =>
          term.replaceAll('=', '').replaceAll(' …', '').replaceAll('*', ''),
        ),
        ...stems.map(({ ending }) => `xalomero${ending}`),
      ]
        .filter((text) => {
          const found = ofName(text, notInTypes.includes('other') ? 'drug' : 'other');
          return !found.includes(id) && !yieldsTo.some((other) => found.includes(other));
        })
        .map((text) => `${id}: ${text}`),
    );
    expect(missed).toEqual([]);
  });
});
