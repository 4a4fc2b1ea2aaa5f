import { asciiFold, isAscii, unifyText } from '../../snapshot/format/words/ascii.ts';
import { tokenKey } from '../../snapshot/format/words/tokens.ts';

import type { ModalityVocabulary } from './vocabulary.ts';

/** One word of a text: as written, in lower case without accents, and its key, which spellings and plurals share. */
interface Word {
  written: string;
  folded: string;
  key: string;
}

/**
 * `same`: equal key; `starts`: equal prefix; `exact`: as written, with or without a plural s; `code`: the prefix, which may be
 * empty, and at least CODE_DIGITS digits; `gap`: up to GAP_WORDS words.
 */
type WordPiece = { kind: 'same' | 'starts' | 'exact' | 'code'; text: string };
type Piece = WordPiece | { kind: 'gap' };
type Pattern = readonly Piece[];

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
/** Words of ASCII text, found in a third of the time. */
const ASCII_WORD = /[A-Za-z0-9]+/g;
/** Most words that `…` in a pattern may stand for. */
const GAP_WORDS = 4;
const CODE_DIGITS = 3;
const DIGITS = /^\d+[a-z]?$/;

/** Words of a text in order, as written; a hyphen separates words, so that "CAR-T" equals "CAR T". */
export function writtenWords(text: string): readonly string[] {
  const unified = unifyText(text);
  return unified.match(isAscii(unified) ? ASCII_WORD : WORD) ?? [];
}

function wordOf(written: string): Word {
  return { written, folded: asciiFold(written), key: tokenKey(written) };
}

function wordsOf(text: string): Word[] {
  return writtenWords(text).map(wordOf);
}

/** Reads a term of the vocabulary, whose note explains `=`, `*`, `#` and `…`. Throws if it is empty or begins or ends with a gap. */
function parsePattern(term: string): Pattern {
  const pieces = term.split(' ').flatMap((chunk): Piece[] => {
    if (chunk === '…') return [{ kind: 'gap' }];
    if (chunk.startsWith('=')) return [{ kind: 'exact', text: chunk.slice(1) }];
    if (chunk.endsWith('#')) return [{ kind: 'code', text: asciiFold(chunk.slice(0, -1)) }];
    const words = wordsOf(chunk);
    return words.map(({ folded, key }, place) =>
      chunk.endsWith('*') && place === words.length - 1
        ? { kind: 'starts', text: folded }
        : { kind: 'same', text: key },
    );
  });
  if (pieces.length === 0 || pieces[0]?.kind === 'gap' || pieces.at(-1)?.kind === 'gap') {
    throw new Error(`data/rules/modality.json: "${term}" is not a valid term`);
  }
  return pieces;
}

/** End (exclusive) of the match at `at` with the shortest gaps; -1 without a match. */
function matchEnd(pattern: Pattern, words: readonly Word[], at: number, piece = 0): number {
  const wanted = pattern[piece];
  if (wanted === undefined) return at;
  if (wanted.kind === 'gap') {
    for (let skipped = 0; skipped <= GAP_WORDS; skipped++) {
      const end = matchEnd(pattern, words, at + skipped, piece + 1);
      if (end >= 0) return end;
    }
    return -1;
  }
  const word = words[at];
  return word !== undefined && meets(word, wanted) ? matchEnd(pattern, words, at + 1, piece + 1) : -1;
}

function meets(word: Word, { kind, text }: WordPiece): boolean {
  if (kind === 'same') return word.key === text;
  if (kind === 'starts') return word.folded.startsWith(text);
  if (kind === 'exact') return word.written === text || word.written === `${text}s`;
  const digits = word.folded.slice(text.length);
  return digits.length >= CODE_DIGITS && word.folded.startsWith(text) && DIGITS.test(digits);
}

/** A term or stem found in the words `start` to `end` (exclusive) of one text. */
export interface Hit {
  /** Place of the group in the vocabulary. */
  group: number;
  /** The term as it stands in the vocabulary. */
  term: string;
  start: number;
  end: number;
}

/** In a name all terms and stems count; in prose the terms for prose; `weak` reads the weak terms alone. */
export type Reading = 'name' | 'prose' | 'weak';

/** Lists of phrases that belong to no group. */
const PHRASES = ['usual', 'unnamed', 'tracers', 'wholes', 'exercises'] as const;
export type Phrases = (typeof PHRASES)[number];

interface Entry {
  group: number;
  term: string;
  pattern: Pattern;
  kind: 'term' | 'nameTerm' | 'proseTerm' | 'weak' | 'trap' | Phrases;
}
interface Stem {
  group: number;
  ending: string;
  minimumLetters: number;
  stop: ReadonlySet<string>;
  prose: boolean;
}

/** A word, with everything the vocabulary says about it. */
export interface KnownWord extends Word {
  /** Entries that may begin with it. */
  entries: readonly Entry[];
  /** Stems that it ends with. */
  stems: readonly Stem[];
  /** Whether it names a placebo or a sham. */
  inert: boolean;
}

/** Most distinct words kept in memory; most words of a text are among them. */
const KEPT_WORDS = 50_000;
/** From this length on, a part of a string keeps the whole string in memory, so the part is copied. */
const PART_OF_TEXT_CHARACTERS = 13;
/** Group of the phrases that name nothing in particular. */
const NO_GROUP = -1;

/** Finds the terms of all groups in one pass over the words. */
export class TermMatcher {
  readonly #inert: ReadonlySet<string>;
  readonly #known = new Map<string, KnownWord>();
  /** Entries by the key or spelling of their first word. Entries that begin with a prefix are tried at every word. */
  readonly #byKey = new Map<string, Entry[]>();
  readonly #byWriting = new Map<string, Entry[]>();
  readonly #anywhere: Entry[] = [];
  readonly #stems = new Map<string, Stem[]>();
  readonly #stemLengths: number[];

  constructor({ groups, inert, ...phrases }: ModalityVocabulary) {
    this.#inert = new Set(inert.flatMap((word) => wordsOf(word).map(({ key }) => key)));
    for (const kind of PHRASES) this.#addAll(phrases[kind], NO_GROUP, kind);
    groups.forEach(({ terms, nameTerms, proseTerms, substances, weak, traps, stems, prose }, group) => {
      this.#addAll(terms, group, prose ? 'term' : 'nameTerm');
      this.#addAll(nameTerms, group, 'nameTerm');
      this.#addAll(proseTerms, group, 'proseTerm');
      this.#addAll(substances, group, 'term');
      this.#addAll(weak, group, 'weak');
      this.#addAll(traps, group, 'trap');
      for (const { ending, stop, ...stem } of stems) {
        push(this.#stems, ending, { ...stem, group, ending, stop: new Set(stop) });
      }
    });
    this.#stemLengths = [...new Set([...this.#stems.keys()].map(({ length }) => length))];
  }

  wordsOf(text: string): KnownWord[] {
    return writtenWords(text).map((written) => this.#known.get(written) ?? this.#learn(written));
  }

  /** Hits outside the traps of their group. */
  hits(words: readonly KnownWord[], reading: Reading): Hit[] {
    const found: Hit[] = [];
    const trapped: Hit[] = [];
    for (let start = 0; start < words.length; start++) {
      const { entries, stems } = words[start] as KnownWord;
      for (const { group, term, pattern, kind } of entries) {
        if (!counts(kind, reading)) continue;
        const end = matchEnd(pattern, words, start);
        if (end >= 0) (kind === 'trap' ? trapped : found).push({ group, term, start, end });
      }
      if (reading === 'weak') continue;
      for (const { group, ending, prose } of stems) {
        if (reading === 'prose' && !prose) continue;
        found.push({ group, term: `-${ending}`, start, end: start + 1 });
      }
    }
    if (trapped.length === 0) return found;
    return found.filter((hit) => !trapped.some((trap) => trap.group === hit.group && overlap(trap, hit)));
  }

  /** Whether the words have a phrase of this list of the vocabulary. */
  has(words: readonly KnownWord[], wanted: Phrases): boolean {
    return words.some(({ entries }, start) =>
      entries.some(({ kind, pattern }) => kind === wanted && matchEnd(pattern, words, start) >= 0),
    );
  }

  #learn(part: string): KnownWord {
    const written = part.length < PART_OF_TEXT_CHARACTERS ? part : Buffer.from(part).toString();
    const word = wordOf(written);
    const begun = [...(this.#byKey.get(word.key) ?? []), ...(this.#byWriting.get(written) ?? []), ...this.#anywhere];
    const entries = begun.filter(
      ({ pattern: [first] }) => first !== undefined && first.kind !== 'gap' && meets(word, first),
    );
    const known = { ...word, entries, stems: this.#stemsOf(word), inert: this.#inert.has(word.key) };
    if (this.#known.size >= KEPT_WORDS) this.#known.clear();
    this.#known.set(written, known);
    return known;
  }

  #addAll(terms: readonly string[], group: number, kind: Entry['kind']): void {
    for (const term of terms) {
      const entry = { group, term, pattern: parsePattern(term), kind };
      const [first] = entry.pattern;
      if (first?.kind === 'same') push(this.#byKey, first.text, entry);
      else if (first?.kind === 'exact') {
        push(this.#byWriting, first.text, entry);
        push(this.#byWriting, `${first.text}s`, entry);
      } else this.#anywhere.push(entry);
    }
  }

  #stemsOf({ folded }: Word): Stem[] {
    return this.#stemLengths.flatMap((length) =>
      (this.#stems.get(folded.slice(-length)) ?? []).filter(
        ({ minimumLetters, stop }) => folded.length >= minimumLetters && !stop.has(folded),
      ),
    );
  }
}

/** Kind of entry that only one reading takes. */
const OF_READING = { name: 'nameTerm', prose: 'proseTerm', weak: 'weak' } as const;

function counts(kind: Entry['kind'], reading: Reading): boolean {
  if (kind === 'trap') return true;
  if (kind === 'term') return reading !== 'weak';
  return kind === OF_READING[reading];
}

function overlap(a: Hit, b: Hit): boolean {
  return a.start < b.end && b.start < a.end;
}

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
