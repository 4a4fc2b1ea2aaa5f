import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type TextUnit, textUnits } from '../../snapshot/format/words/tokens.ts';

interface Term {
  /** As written in the lexicon. */
  text: string;
  /** Its keys with blanks around them; of a compound also the key of the form without separators. */
  phrases: string[];
}

export interface Lexicon {
  id: string;
  /** SHA-256, lower-case hex, of the file's bytes. */
  sha256: string;
  /** In the order that decides ties. */
  entries: readonly { id: string; terms: readonly Term[] }[];
}

export interface Lexicons {
  /** Material, Intelligence, Network, Diversity. */
  capitals: Lexicon;
  classes: Lexicon;
}

const FOLDER = new URL('../../data/lexicons/', import.meta.url);

/** The reviewed lexicons of this repository. */
export async function loadLexicons(): Promise<Lexicons> {
  return { capitals: await loadLexicon('capitals.json'), classes: await loadLexicon('classes.json') };
}

async function loadLexicon(file: string): Promise<Lexicon> {
  const bytes = await readFile(new URL(file, FOLDER));
  const { id, entries }: { id: string; entries: { id: string; terms: string[] }[] } = JSON.parse(bytes.toString());
  return {
    id,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    entries: entries.map((entry) => ({ id: entry.id, terms: entry.terms.map(termOf) })),
  };
}

function termOf(text: string): Term {
  const units = textUnits(text);
  const [only] = units;
  const joined = units.length === 1 && only?.kind === 'compound' ? [` ${only.joined} `] : [];
  return { text, phrases: [` ${units.flatMap(partsOf).join(' ')} `, ...joined] };
}

/** Keys of the words of a unit, in their order. */
function partsOf(unit: TextUnit): string[] {
  return unit.kind === 'word' ? [unit.key] : unit.parts;
}

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
  const keys = [title, summary ?? ''].flatMap((text) => {
    const units = textUnits(text);
    const joined = units.flatMap((unit) => (unit.kind === 'compound' ? [unit.joined] : []));
    return [units.flatMap(partsOf).join(' '), ...joined];
  });
  // No key has this sign, so that no phrase goes from one text into the next.
  const searched = ` ${keys.join(' | ')} `;
  const capital = strongest(lexicons.capitals, searched);
  const found = strongest(lexicons.classes, searched);
  return { capital: capital.id, capitalTerms: capital.terms, lexiconClass: found.id, classTerms: found.terms };
}

/** The entry with the most distinct matched terms; in a tie the first in the lexicon. */
function strongest({ entries }: Lexicon, searched: string): { id: string | null; terms: string[] } {
  let best: { id: string | null; terms: string[] } = { id: null, terms: [] };
  for (const { id, terms } of entries) {
    const matched = terms.filter(({ phrases }) => phrases.some((phrase) => searched.includes(phrase)));
    if (matched.length > best.terms.length) best = { id, terms: matched.map(({ text }) => text) };
  }
  return best;
}
