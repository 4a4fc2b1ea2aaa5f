import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type TextUnit, textUnits } from '../../snapshot/format/words/tokens.ts';

const sentence = z.string().trim().min(1);
const entrySchema = z.strictObject({
  id: sentence,
  name: sentence,
  meaning: sentence,
  terms: z.array(sentence).min(1),
  why: sentence,
  reviewedOn: z.iso.date(),
});
const fileSchema = z.strictObject({
  id: sentence,
  note: sentence,
  formula: z.array(sentence).min(1),
  reviewedOn: z.iso.date(),
  nextReviewOn: z.iso.date(),
  entries: z.array(entrySchema).min(1),
});

/** The capitals in the order that also decides ties: Material, Intelligence, Network, Diversity. */
export const CAPITALS = ['M', 'I', 'N', 'D'] as const;

/** Keys of consecutive words, with the entry and the term that they stand for. */
interface Phrase {
  keys: readonly string[];
  entry: number;
  term: number;
}

export interface Lexicon {
  id: string;
  /** SHA-256, lower-case hex, of the file's bytes. */
  sha256: string;
  /** In the order that decides ties. */
  entries: readonly { id: string; terms: readonly string[] }[];
  /** By their first key. */
  phrases: ReadonlyMap<string, readonly Phrase[]>;
}

export interface Lexicons {
  capitals: Lexicon;
  classes: Lexicon;
}

const FOLDER = new URL('../../data/lexicons/', import.meta.url);

/** The reviewed lexicons of this repository. Throws if a file is invalid or a term occurs twice. */
export async function loadLexicons(folder: URL = FOLDER): Promise<Lexicons> {
  const capitals = lexiconOf(await readFile(new URL('capitals.json', folder)), 'capitals');
  const classes = lexiconOf(await readFile(new URL('classes.json', folder)), 'classes');
  const ids = capitals.entries.map(({ id }) => id).join();
  if (ids !== CAPITALS.join()) throw new Error(`the capitals lexicon lists ${ids}, not ${CAPITALS.join()}`);
  return { capitals, classes };
}

/** A lexicon from the bytes of its file; `name` is for messages. */
export function lexiconOf(bytes: Buffer, name: string): Lexicon {
  const parsed = fileSchema.safeParse(JSON.parse(bytes.toString('utf8')));
  if (!parsed.success) throw new Error(`the lexicon ${name} is not usable: ${z.prettifyError(parsed.error)}`);
  const { id, entries } = parsed.data;
  const phrases = new Map<string, Phrase[]>();
  const owners = new Map<string, string>();
  for (const [entry, { terms }] of entries.entries()) {
    for (const [term, words] of terms.entries()) {
      for (const keys of phrasesOf(words)) {
        const known = owners.get(keys.join(' '));
        if (known !== undefined) throw new Error(`the lexicon ${name} has ${words} and ${known}, which read the same`);
        owners.set(keys.join(' '), words);
        const first = keys[0]!;
        phrases.set(first, [...(phrases.get(first) ?? []), { keys, entry, term }]);
      }
    }
  }
  return { id, sha256: createHash('sha256').update(bytes).digest('hex'), entries, phrases };
}

/** All forms of a term in a text: its consecutive words; for a compound also the form without separators. */
function phrasesOf(term: string): string[][] {
  const units = textUnits(term);
  if (units.length === 0) throw new Error(`the term ${JSON.stringify(term)} has no word`);
  const inRow = units.flatMap(partsOf);
  const only = units.length === 1 ? units[0] : undefined;
  return only?.kind === 'compound' ? [inRow, [only.joined]] : [inRow];
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
