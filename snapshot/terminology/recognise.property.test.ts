import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tinyTerminology } from '../../test/support/terminology.ts';
import { textPieces, textUnits } from '../format/words/tokens.ts';
import { readingsOf, tokensOfName } from './fold.ts';
import type { FoundConcept } from './terminology.ts';

const terms = tinyTerminology();
const sequence = (tokens: readonly string[]): string => tokens.join(' ');

/** Every phrase of the tiny terminology with the term it stands for. */
const PHRASES = new Map<string, string>();
const add = (phrase: string, term: string): void => {
  for (const tokens of tokensOfName(phrase)) PHRASES.set(sequence(tokens), term);
};
for (const [number] of terms.concepts.entries()) {
  for (const { term } of terms.namesOf(number)) add(term, term);
}
/** Forms that no source writes. */
const TURNED: Readonly<Record<string, readonly string[]>> = {
  'Diabetes Mellitus, Type 1': ['type 1 diabetes mellitus'],
  'Distress, Acute': ['acute distress'],
  'Obstruction, Chronic': ['chronic obstruction'],
  'Lung Neoplasms': ['neoplasm of lung', 'cancer of lung', 'tumor of lung', 'lung tumor'],
  Neoplasms: ['cancer', 'tumor'],
  'Lung Diseases': ['disease of lung'],
  'Alzheimer Disease': ['disease of alzheimer'],
  'Ovarian Cysts': ['cyst of ovarian', 'cyst ovarian'],
};
for (const [term, forms] of Object.entries(TURNED)) for (const form of forms) add(form, term);
const CASED = new Set(['ALS', 'IDDM', 'COPD']);

/** All ways to read the units, each as one sequence of tokens, in the order in which they are tried. */
function waysToRead(readings: readonly (readonly (readonly string[])[])[]): string[][] {
  return readings.reduce<string[][]>(
    (ways, unit) => (unit.length === 0 ? ways : ways.flatMap((way) => unit.map((tokens) => [...way, ...tokens]))),
    [[]],
  );
}

/** The plain reading of the rule: at each word try every length from the longest, and every way to read it. */
function reference(text: string): Omit<FoundConcept, 'concept' | 'source'>[] {
  const readings = readingsOf(textUnits(text));
  const pieces = textPieces(text);
  const found: Omit<FoundConcept, 'concept' | 'source'>[] = [];
  for (let from = 0; from < readings.length; from++) {
    for (let to = readings.length; to > from; to--) {
      const ends = readings[from]!.length > 0 && readings[to - 1]!.length > 0;
      const term = waysToRead(readings.slice(from, to))
        .map((tokens) => PHRASES.get(sequence(tokens)))
        .find((name) => name && (!CASED.has(name) || pieces.slice(from, to).flat().join(' ') === name));
      if (!ends || term === undefined) continue;
      found.push({ from, to, term });
      from = to - 1;
      break;
    }
  }
  return found;
}

const WORDS = [
  ...'lung neoplasms cancer of the tumour type I 1 diabetes mellitus interferon α alpha alfa ALS als IDDM COPD'.split(
    ' ',
  ),
  ...'cysts ovarian Alzheimer Alzheimer’s disease gastro-oesophageal gastro reflux arm middle brittle juvenile'.split(
    ' ',
  ),
  ...'lung-cancer Type-1-diabetes interferon-α cold T1D acute distress labile smoker with by site'.split(' '),
];
const texts = fc
  .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(' ', ' ', ' ', '-', ', ')), { maxLength: 12 })
  .map((parts) => parts.map(([word, join]) => `${word}${join}`).join(''));

describe('recognising against a plain reference', () => {
  it('finds the same words and terms', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const found = terms.recognise(textUnits(text), text);
        expect(found.map(({ from, to, term }) => ({ from, to, term }))).toEqual(reference(text));
      }),
      { seed: 20, numRuns: 2000 },
    );
  });
});
