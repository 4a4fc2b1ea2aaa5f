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

/** Keys of consecutive words. */
type Phrase = readonly string[];

export interface Lexicon {
  id: string;
  /** SHA-256, lower-case hex, of the file's bytes. */
  sha256: string;
  /** In the order that decides ties. */
  entries: readonly { id: string; terms: readonly string[] }[];
  /** By the first key of a phrase: the phrases, each with its entry and term. */
  phrases: ReadonlyMap<string, readonly { keys: Phrase; entry: number; term: number }[]>;
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
  const phrases = new Map<string, { keys: Phrase; entry: number; term: number }[]>();
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
function phrasesOf(term: string): Phrase[] {
  const units = textUnits(term);
  if (units.length === 0) throw new Error(`the term ${JSON.stringify(term)} has no word`);
  const inRow = units.flatMap(partsOf);
  const only = units.length === 1 ? units[0] : undefined;
  return only?.kind === 'compound' ? [inRow, [only.joined]] : [inRow];
}

/** Keys of the words of a unit, in their order. */
export function partsOf(unit: TextUnit): string[] {
  return unit.kind === 'word' ? [unit.key] : unit.parts;
}
