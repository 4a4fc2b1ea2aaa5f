import { textUnits } from '../../snapshot-format/tokens.ts';
import { type Lexicon, type Lexicons, partsOf } from './lexicons.ts';

export interface Classification {
  /** M, I, N or D; null when no term of any capital stands in the item. */
  capital: string | null;
  /** The capital's terms that were found, as the lexicon writes them and in its order. */
  capitalTerms: string[];
  lexiconClass: string | null;
  classTerms: string[];
}

/** Reads an item's title and summary by the lexicons; the item and the lexicons alone decide. */
export function classify(lexicons: Lexicons, title: string, summary: string | null): Classification {
  const texts = [keysOf(title), keysOf(summary ?? '')];
  const capital = strongest(lexicons.capitals, texts);
  const found = strongest(lexicons.classes, texts);
  return { capital: capital.id, capitalTerms: capital.terms, lexiconClass: found.id, classTerms: found.terms };
}

interface TextKeys {
  /** Words in a row, compounds taken apart. */
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

/** The entry with the most distinct terms found; at a tie the one that stands first in the lexicon. */
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

/** Notes every phrase that begins at `at`. */
function collect(lexicon: Lexicon, keys: readonly string[], at: number, found: readonly Set<number>[]): void {
  for (const phrase of lexicon.phrases.get(keys[at]!) ?? []) {
    if (phrase.keys.every((key, offset) => keys[at + offset] === key)) found[phrase.entry]!.add(phrase.term);
  }
}
