import type { TextUnit } from './tokens.ts';

/**
 * Text of a trial as term numbers, for phrases. A word is its number; a compound is
 * `COMPOUND, part count, joined number, part numbers...`; `FIELD_BREAK` separates fields.
 */

export const FIELD_BREAK = 0xffffffff;
export const COMPOUND = 0xfffffffe;
/** Values before the first part of a compound: marker, count, joined number. */
const COMPOUND_HEAD = 3;

/** A phrase unit with its terms looked up; `joined` or `parts` is null when no text has it, but never both. */
export type EncodedUnit =
  | { kind: 'word'; term: number }
  | { kind: 'compound'; joined: number | null; parts: number[] | null };

/**
 * Uint32 values of the fields of one trial.
 * @param numberOf number of a posting key, below `COMPOUND`
 * @throws RangeError when a number is not below `COMPOUND`
 */
export function encodeSequence(fields: readonly TextUnit[][], numberOf: (key: string) => number): number[] {
  const values: number[] = [];
  const push = (key: string): void => {
    const term = numberOf(key);
    if (!Number.isInteger(term) || term < 0 || term >= COMPOUND) {
      throw new RangeError(`Term number ${term} of "${key}" is not an integer below ${COMPOUND}.`);
    }
    values.push(term);
  };
  fields.forEach((field, index) => {
    if (index > 0) values.push(FIELD_BREAK);
    for (const unit of field) {
      if (unit.kind === 'word') {
        push(unit.key);
        continue;
      }
      values.push(COMPOUND, unit.parts.length);
      push(unit.joined);
      for (const part of unit.parts) push(part);
    }
  });
  return values;
}

/**
 * Terms of a phrase.
 * @param lookup number of a posting key, undefined when no text has it
 * @returns null when no text can hold the phrase: a word is unknown, or a compound's joined key and one of its parts
 */
export function encodePhrase(
  units: readonly TextUnit[],
  lookup: (key: string) => number | undefined,
): EncodedUnit[] | null {
  const encoded: EncodedUnit[] = [];
  for (const unit of units) {
    if (unit.kind === 'word') {
      const term = lookup(unit.key);
      if (term === undefined) return null;
      encoded.push({ kind: 'word', term });
      continue;
    }
    const joined = lookup(unit.joined) ?? null;
    const found = unit.parts.map(lookup);
    const parts = found.every((term) => term !== undefined) ? found : null;
    if (joined === null && parts === null) return null;
    encoded.push({ kind: 'compound', joined, parts });
  }
  return encoded;
}

/**
 * True when the values from `start` to before `end` hold the phrase within one field, as `textHasPhrase` defines it.
 * Called for each trial that holds the terms, so it searches only from places whose term begins the phrase.
 */
export function sequenceHasPhrase(
  values: Uint32Array,
  start: number,
  end: number,
  phrase: readonly EncodedUnit[],
): boolean {
  const [first, other] = beginnings(phrase[0]);
  let search: PhraseSearch | null = null;
  const matchesFrom = (at: number, partsLeft: number): boolean => {
    search ??= new PhraseSearch(values, end, phrase);
    return search.matches(at, partsLeft, 0, 0);
  };
  let at = start;
  while (at < end) {
    const value = values[at]!;
    if (value === COMPOUND) {
      const count = values[at + 1]!;
      const parts = at + COMPOUND_HEAD;
      // The joined key and the first part are read from the marker, later parts from their own place.
      if (matchesFrom(at, 0)) return true;
      for (let part = 1; part < count; part += 1) {
        if (matchesFrom(parts + part, count - part)) return true;
      }
      at = parts + count;
    } else {
      if ((value === first || value === other) && matchesFrom(at, 0)) return true;
      at += 1;
    }
  }
  return false;
}

/** The one or two terms that the phrase can begin with; -1 stands for none. */
function beginnings(unit: EncodedUnit | undefined): [first: number, other: number] {
  if (unit === undefined) return [-1, -1];
  return unit.kind === 'word' ? [unit.term, -1] : [unit.joined ?? -1, unit.parts?.[0] ?? -1];
}

/** Depth-first search through the readings of text and phrase; each step reads one key on both sides. */
class PhraseSearch {
  readonly #values: Uint32Array;
  readonly #end: number;
  readonly #phrase: readonly EncodedUnit[];
  /**
   * Pairs of places known to fail, so that compounds with two readings on both sides do not multiply the work. Null for a
   * phrase of words alone: it meets two readings only where a compound's joined key is also its first part's key.
   */
  readonly #failed: Set<number> | null;
  /** Most parts of a unit of the phrase. */
  #mostParts = 1;

  constructor(values: Uint32Array, end: number, phrase: readonly EncodedUnit[]) {
    this.#values = values;
    this.#end = end;
    this.#phrase = phrase;
    for (const unit of phrase) {
      const parts = unit.kind === 'compound' ? (unit.parts?.length ?? 1) : 1;
      if (parts > this.#mostParts) this.#mostParts = parts;
    }
    this.#failed = this.#mostParts > 1 ? new Set() : null;
  }

  /**
   * @param at index of the next text value
   * @param partsLeft parts of the text compound that begin at `at`; 0 between units
   * @param unit phrase unit that is wanted
   * @param part part of that unit; 0 at its beginning
   */
  matches(at: number, partsLeft: number, unit: number, part: number): boolean {
    const wanted = this.#phrase[unit];
    if (wanted === undefined) return true;
    if (at >= this.#end) return false;
    // Each beginning is tried only once, so it is not remembered.
    if (this.#failed === null || (unit === 0 && part === 0)) return this.#stepBoth(wanted, at, partsLeft, unit, part);
    const place = (at * this.#phrase.length + unit) * this.#mostParts + part;
    if (this.#failed.has(place)) return false;
    const found = this.#stepBoth(wanted, at, partsLeft, unit, part);
    if (!found) this.#failed.add(place);
    return found;
  }

  #stepBoth(wanted: EncodedUnit, at: number, partsLeft: number, unit: number, part: number): boolean {
    if (wanted.kind === 'word') return this.#stepText(wanted.term, at, partsLeft, unit + 1, 0);
    if (part === 0 && wanted.joined !== null && this.#stepText(wanted.joined, at, partsLeft, unit + 1, 0)) return true;
    const term = wanted.parts?.[part];
    if (wanted.parts === null || term === undefined) return false;
    return part + 1 < wanted.parts.length
      ? this.#stepText(term, at, partsLeft, unit, part + 1)
      : this.#stepText(term, at, partsLeft, unit + 1, 0);
  }

  /** Reads `term` in the text in every way it can be read at `at`, then goes on with the phrase at `unit`, `part`. */
  #stepText(term: number, at: number, partsLeft: number, unit: number, part: number): boolean {
    const value = this.#values[at];
    if (partsLeft > 0) return value === term && this.matches(at + 1, partsLeft - 1, unit, part);
    // A field break is no term, so no reading goes past it.
    if (value !== COMPOUND) return value === term && this.matches(at + 1, 0, unit, part);
    const count = this.#values[at + 1] ?? 0;
    const first = at + COMPOUND_HEAD;
    const isJoined = this.#values[at + 2] === term;
    if (isJoined && this.matches(first + count, 0, unit, part)) return true;
    return this.#values[first] === term && this.matches(first + 1, count - 1, unit, part);
  }
}
