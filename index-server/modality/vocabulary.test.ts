import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiFold, unifyText } from '../../snapshot/format/words/ascii.ts';
import { tokenKey } from '../../snapshot/format/words/tokens.ts';
import { given, ofName, trialOf, vocabulary } from '../../test/support/modality.ts';
import { amountOf } from '../../test/support/runner/amount.ts';
import { ModalityInference } from './infer.ts';
import { writtenWords } from './pattern.ts';
import type { ModalityVocabulary } from './vocabulary.ts';

type Group = ModalityVocabulary['groups'][number];
/** With one known substance in forty, so that simple code reads it in time. */
const fewer: ModalityVocabulary = {
  ...vocabulary,
  groups: vocabulary.groups.map((group) => ({
    ...group,
    substances: group.substances.filter((_, at) => at % 40 === 0),
  })),
};
const byFewer = new ModalityInference(fewer);

/**
 * The rules in the vocabulary's note as simple code, which tries each term at each word. It covers names only, and no
 * placebos.
 */
function plainly(text: string): string[] {
  const words = unifyText(text).match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  const places = (term: string): number[][] => {
    const pieces = term.split(' ').flatMap((chunk) => {
      if (chunk === '…' || chunk.startsWith('=') || chunk.endsWith('#')) return [chunk];
      const parts = chunk.match(/[\p{L}\p{N}]+\*?/gu) ?? [];
      return parts as string[];
    });
    const from = (at: number, rest: string[]): number => {
      const [piece, ...more] = rest;
      if (piece === undefined) return at;
      if (piece === '…') {
        const ends = [0, 1, 2, 3, 4].map((skip) => from(at + skip, more)).filter((end) => end >= 0);
        return ends[0] ?? -1;
      }
      const word = words[at];
      if (word === undefined) return -1;
      const exact = piece.slice(1);
      const holds = piece.startsWith('=')
        ? word === exact || word === `${exact}s`
        : piece.endsWith('#')
          ? asciiFold(word).startsWith(asciiFold(piece.slice(0, -1))) &&
            /^\d{3,}[a-z]?$/.test(asciiFold(word).slice(piece.length - 1))
          : piece.endsWith('*')
            ? asciiFold(word).startsWith(asciiFold(piece.slice(0, -1)))
            : tokenKey(word) === tokenKey(piece);
      return holds ? from(at + 1, more) : -1;
    };
    return words.flatMap((_, at) => {
      const end = from(at, pieces);
      return end < 0 ? [] : [Array.from({ length: end - at }, (__, step) => at + step)];
    });
  };
  const holds = ({ terms, nameTerms, substances, traps, stems, notInTypes }: Group): boolean => {
    if (notInTypes.includes('other')) return false;
    const trapped = new Set(traps.flatMap(places).flat());
    const byTerm = [...terms, ...nameTerms, ...substances]
      .flatMap(places)
      .some((place) => !place.some((at) => trapped.has(at)));
    return (
      byTerm ||
      words.some((word, at) => {
        const folded = asciiFold(word);
        return stems.some(
          ({ ending, minimumLetters, stop }) =>
            folded.endsWith(ending) && folded.length >= minimumLetters && !stop.includes(folded) && !trapped.has(at),
        );
      })
    );
  };
  const isTracer = fewer.tracers.some((term) => places(term).length > 0);
  const held = fewer.groups.filter((group) => !(isTracer && group.kind === 'substance') && holds(group));
  const ids = held.map(({ id }) => id);
  return held.filter(({ yieldsTo }) => !yieldsTo.some((id) => ids.includes(id))).map(({ id }) => id);
}

describe('the vocabulary', () => {
  it('is read as its note says, whatever words stand side by side', () => {
    const pieces = fewer.groups.flatMap(({ terms, nameTerms, substances, traps, stems }) => [
      ...[...terms, ...nameTerms, ...substances, ...traps].flatMap((term) =>
        term.replaceAll('=', '').replaceAll('*', 'al').replaceAll('#', '250').split(' … '),
      ),
      ...stems.flatMap(({ ending, stop }) => [`xalo${ending}`, ...stop.slice(0, 3)]),
    ]);
    const word = fc.oneof(
      fc.constantFrom(...pieces),
      fc.constantFrom('the', 'of', 'human', 'cells', 'T', 'Zell', 'GENE'),
      fc.constantFrom(...pieces).map((piece) => piece.toUpperCase()),
    );
    const text = fc
      .array(fc.tuple(word, fc.constantFrom(' ', '-', ', ')), { minLength: 1, maxLength: 7 })
      .map((pairs) => pairs.map((pair) => pair.join('')).join(''));
    let found = 0;
    fc.assert(
      fc.property(text, (name) => {
        const expected = plainly(name);
        found += expected.length;
        expect([name, byFewer.labels(trialOf([given(name)])).map(({ id }) => id)]).toEqual([name, expected]);
      }),
      { numRuns: amountOf({ quick: 50, deep: 300 }), seed: 20261123 },
    );
    expect(found).toBeGreaterThan(amountOf({ quick: 50, deep: 300 }));
  });

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
