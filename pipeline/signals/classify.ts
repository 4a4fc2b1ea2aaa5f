import { textUnits } from '../../snapshot/format/words/tokens.ts';
import { type Lexicon, type Lexicons, partsOf } from './lexicons.ts';

export interface Classification {
  /** M, I, N or D; null if the item holds no term of any capital. */
  capital: string | null;
  /** The matched terms of the capital, as written in the lexicon and in its order. */
  capitalTerms: string[];
  lexiconClass: string | null;
  classTerms: string[];
}

/** Classifies an item's title and summary by the lexicons; nothing else has an influence. */
export function classify(lexicons: Lexicons, title: string, summary: string | null): Classification {
  const texts = [keysOf(title), keysOf(summary ?? '')];
  const capital = strongest(lexicons.capitals, texts);
  const found = strongest(lexicons.classes, texts);
  return { capital: capital.id, capitalTerms: capital.terms, lexiconClass: found.id, classTerms: found.terms };
}

interface TextKeys {
  /** Words in order, with compounds split into parts. */
  inRow: string[];
  /** Compounds without their joins. */
  joined: string[];
}

function keysOf(text: string): TextKeys {
  const units = textUnits(text);
  return {
    inRow: units.flatMap(partsOf),
    joined: units.flatMap((unit) => (unit.kind === 'compound' ? [unit.joined] : [])),
  };
}

/** The entry with the most distinct matched terms; in a tie the first in the lexicon. */
function strongest(lexicon: Lexicon, texts: readonly TextKeys[]): { id: string | null; terms: string[] } {
  const found = lexicon.entries.map(() => new Set<number>());
  for (const { inRow, joined } of texts) {
    for (let at = 0; at < inRow.length; at++) collect(lexicon, inRow, at, found);
    for (const key of joined) collect(lexicon, [key], 0, found);
  }
  let best = -1;
  for (const [entry, terms] of found.entries()) {
    if (terms.size > (best === -1 ? 0 : found[best]!.size)) best = entry;
  }
  if (best === -1) return { id: null, terms: [] };
  const { id, terms } = lexicon.entries[best]!;
  return { id, terms: terms.filter((_, term) => found[best]!.has(term)) };
}

/** Records every phrase that begins at `at`. */
function collect(lexicon: Lexicon, keys: readonly string[], at: number, found: readonly Set<number>[]): void {
  for (const phrase of lexicon.phrases.get(keys[at]!) ?? []) {
    if (phrase.keys.every((key, offset) => keys[at + offset] === key)) found[phrase.entry]!.add(phrase.term);
  }
}
