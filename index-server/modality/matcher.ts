import { matchEnd, type Pattern, parsePattern, type Word } from './pattern.ts';
import type { ModalityGroup } from './vocabulary.ts';

/** A term or stem found in the words `start` to `end` (exclusive) of one text. */
export interface Hit {
  /** Place of the group in the vocabulary. */
  group: number;
  /** As the vocabulary has it. */
  term: string;
  start: number;
  end: number;
}

interface Entry {
  group: number;
  term: string;
  pattern: Pattern;
  trap: boolean;
}
interface Stem {
  group: number;
  ending: string;
  minimumLetters: number;
  stop: ReadonlySet<string>;
}

/** Finds the terms of all groups in one pass over the words. */
export class TermMatcher {
  readonly #prose: readonly boolean[];
  /** Entries by what their first word must be; those that begin with a beginning of a word are tried at each. */
  readonly #byKey = new Map<string, Entry[]>();
  readonly #byWriting = new Map<string, Entry[]>();
  readonly #anywhere: Entry[] = [];
  readonly #stems = new Map<string, Stem[]>();
  readonly #stemLengths: number[];

  constructor(groups: readonly ModalityGroup[]) {
    this.#prose = groups.map(({ prose }) => prose);
    groups.forEach(({ terms, traps, stems }, group) => {
      for (const term of terms) this.#add({ group, term, pattern: parsePattern(term), trap: false });
      for (const term of traps) this.#add({ group, term, pattern: parsePattern(term), trap: true });
      for (const { ending, minimumLetters, stop } of stems) {
        push(this.#stems, ending, { group, ending, minimumLetters, stop: new Set(stop) });
      }
    });
    this.#stemLengths = [...new Set([...this.#stems.keys()].map(({ length }) => length))];
  }

  /** Hits outside the traps of their group; `name` says whether the text is a name, where stems and all terms are read. */
  hits(words: readonly Word[], name: boolean): Hit[] {
    const found: Hit[] = [];
    const trapped: Hit[] = [];
    words.forEach((word, start) => {
      for (const entry of this.#beginning(word)) {
        if (!name && !this.#prose[entry.group]) continue;
        const end = matchEnd(entry.pattern, words, start);
        if (end < 0) continue;
        (entry.trap ? trapped : found).push({ group: entry.group, term: entry.term, start, end });
      }
      if (name) found.push(...this.#stemsOf(word, start));
    });
    if (trapped.length === 0) return found;
    return found.filter((hit) => !trapped.some((trap) => trap.group === hit.group && overlap(trap, hit)));
  }

  #add(entry: Entry): void {
    const [first] = entry.pattern;
    if (first?.kind === 'same') push(this.#byKey, first.text, entry);
    else if (first?.kind === 'exact') {
      push(this.#byWriting, first.text, entry);
      push(this.#byWriting, `${first.text}s`, entry);
    } else this.#anywhere.push(entry);
  }

  #beginning({ key, written }: Word): Entry[] {
    return [...(this.#byKey.get(key) ?? []), ...(this.#byWriting.get(written) ?? []), ...this.#anywhere];
  }

  #stemsOf({ folded }: Word, start: number): Hit[] {
    return this.#stemLengths.flatMap((length) =>
      (this.#stems.get(folded.slice(-length)) ?? [])
        .filter(({ minimumLetters, stop }) => folded.length >= minimumLetters && !stop.has(folded))
        .map(({ group, ending }) => ({ group, term: `-${ending}`, start, end: start + 1 })),
    );
  }
}

function overlap(a: Hit, b: Hit): boolean {
  return a.start < b.end && b.start < a.end;
}

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
