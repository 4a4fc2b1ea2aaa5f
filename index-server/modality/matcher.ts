import { canBegin, matchEnd, type Pattern, parsePattern, type Word, wordOf, wordsOf, writtenWords } from './pattern.ts';
import type { ModalityVocabulary } from './vocabulary.ts';

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

interface Entry {
  group: number;
  term: string;
  pattern: Pattern;
  kind: 'term' | 'nameTerm' | 'proseTerm' | 'weak' | 'trap' | 'usual' | 'unnamed' | 'tracer' | 'whole' | 'exercise';
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

  constructor({
    groups,
    inert,
    usual,
    unnamed,
    tracers,
    wholes,
    exercises,
  }: Omit<ModalityVocabulary, 'id' | 'note' | 'reviewedOn' | 'nextReviewOn'>) {
    this.#inert = new Set(inert.flatMap((word) => wordsOf(word).map(({ key }) => key)));
    this.#addAll(usual, NO_GROUP, 'usual');
    this.#addAll(unnamed, NO_GROUP, 'unnamed');
    this.#addAll(tracers, NO_GROUP, 'tracer');
    this.#addAll(wholes, NO_GROUP, 'whole');
    this.#addAll(exercises, NO_GROUP, 'exercise');
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

  /** Whether the words say only that something usual is given or done or, if it `mayBeDrug`, nothing in particular. */
  isUnnamed(words: readonly KnownWord[], mayBeDrug: boolean): boolean {
    return this.#has(words, 'usual') || (mayBeDrug && this.#has(words, 'unnamed'));
  }

  /** Whether the words name an isotope of imaging. */
  isTracer(words: readonly KnownWord[]): boolean {
    return this.#has(words, 'tracer');
  }

  /** Whether the words name something whose parts its description lists. */
  isWhole(words: readonly KnownWord[]): boolean {
    return this.#has(words, 'whole');
  }

  /** Whether the words name an exercise. */
  isExercise(words: readonly KnownWord[]): boolean {
    return this.#has(words, 'exercise');
  }

  #has(words: readonly KnownWord[], wanted: Entry['kind']): boolean {
    return words.some(({ entries }, start) =>
      entries.some(({ kind, pattern }) => kind === wanted && matchEnd(pattern, words, start) >= 0),
    );
  }

  #learn(part: string): KnownWord {
    const written = part.length < PART_OF_TEXT_CHARACTERS ? part : Buffer.from(part).toString();
    const word = wordOf(written);
    const begun = [...(this.#byKey.get(word.key) ?? []), ...(this.#byWriting.get(written) ?? []), ...this.#anywhere];
    const entries = begun.filter(({ pattern }) => canBegin(word, pattern));
    const known = { ...word, entries, stems: this.#stemsOf(word), inert: this.#inert.has(word.key) };
    if (this.#known.size >= KEPT_WORDS) this.#known.clear();
    this.#known.set(written, known);
    return known;
  }

  #addAll(terms: readonly string[], group: number, kind: Entry['kind']): void {
    for (const term of terms) this.#add({ group, term, pattern: parsePattern(term), kind });
  }

  #add(entry: Entry): void {
    const [first] = entry.pattern;
    if (first?.kind === 'same') push(this.#byKey, first.text, entry);
    else if (first?.kind === 'exact') {
      push(this.#byWriting, first.text, entry);
      push(this.#byWriting, `${first.text}s`, entry);
    } else this.#anywhere.push(entry);
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
