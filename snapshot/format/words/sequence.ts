import type { TextUnit } from './tokens.ts';

/**
 * Text of a trial as term numbers, for phrases. A word is its number; a compound is
 * `COMPOUND, part count, joined number, part numbers...`; `FIELD_BREAK` separates fields.
 */

export const FIELD_BREAK = 0xffffffff;
export const COMPOUND = 0xfffffffe;
/** Values before the first part of a compound: marker, count, joined number. */
export const COMPOUND_HEAD = 3;

/** A phrase unit with its terms looked up: a word, or a compound as one word, and the parts of a compound. Null where no text has them. */
export interface EncodedUnit {
  joined: number | null;
  parts: number[] | null;
}

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
    const joined = lookup(unit.kind === 'word' ? unit.key : unit.joined) ?? null;
    const found = unit.kind === 'word' ? [undefined] : unit.parts.map(lookup);
    const parts = found.every((term) => term !== undefined) ? found : null;
    if (joined === null && parts === null) return null;
    encoded.push({ joined, parts });
  }
  return encoded;
}

/** True when one field has the keys of the phrase in a row. Each compound may be read as its joined key or as its parts in order. */
export function textHasPhrase(fields: readonly TextUnit[][], phrase: readonly TextUnit[]): boolean {
  const numbers = new Map<string, number>();
  const values = encodeSequence(fields, (key) => {
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
  const encoded = encodePhrase(phrase, (key) => numbers.get(key));
  return encoded !== null && phraseTest(encoded)(Uint32Array.from(values), 0, values.length);
}

/** True where the values from `start` to before `end` have the term by itself and not only as a part of compounds. */
export function holdsAlone(values: Uint32Array, start: number, end: number, term: number): boolean {
  for (let at = start; at < end; at++) {
    if (values[at] === term) return true;
    if (values[at] === COMPOUND) at += COMPOUND_HEAD + (values[at + 1] as number) - 1;
  }
  return false;
}

/** True where the values from `start` to before `end` hold the phrase within one field. */
export type PhraseTest = (values: Uint32Array, start: number, end: number) => boolean;

/**
 * The test is made once and called for each trial that holds the terms, so it searches only from places whose term begins
 * the phrase: depth first through the readings of text and phrase, where each step reads one key on both sides.
 */
export function phraseTest(phrase: readonly EncodedUnit[]): PhraseTest {
  let text: Uint32Array = new Uint32Array();
  let textEnd = 0;
  const mostParts = Math.max(...phrase.map(({ parts }) => parts?.length ?? 1));
  /** Pairs of places known to fail, so that compounds with two readings on both sides do not multiply the work. */
  const failed = new Set<number>();

  /** Goes on at text value `at`, where `left` parts of a text compound begin, with part `part` of a unit of the phrase. */
  const readsOn = (at: number, left: number, unit: number, part: number): boolean => {
    const wanted = phrase[unit];
    if (wanted === undefined) return true;
    const place = (at * phrase.length + unit) * mostParts + part;
    if (failed.has(place)) return false;
    if (part === 0 && wanted.joined !== null && steps(wanted.joined, at, left, unit + 1, 0)) return true;
    const term = wanted.parts?.[part];
    const isLast = part + 1 === wanted.parts?.length;
    if (term !== undefined && steps(term, at, left, isLast ? unit + 1 : unit, isLast ? 0 : part + 1)) return true;
    failed.add(place);
    return false;
  };
  /** Reads `term` in the text in every way it can be read at `at`. A field break is no term, so no reading goes past it. */
  const steps = (term: number, at: number, left: number, unit: number, part: number): boolean => {
    if (at >= textEnd) return false;
    if (left > 0 || text[at] !== COMPOUND) {
      return text[at] === term && readsOn(at + 1, Math.max(0, left - 1), unit, part);
    }
    const count = text[at + 1] as number;
    const first = at + COMPOUND_HEAD;
    if (text[at + 2] === term && readsOn(first + count, 0, unit, part)) return true;
    return text[first] === term && readsOn(first + 1, count - 1, unit, part);
  };

  const first = phrase[0]?.joined ?? -1;
  const other = phrase[0]?.parts?.[0] ?? -1;
  return (values, start, end) => {
    [text, textEnd] = [values, end];
    failed.clear();
    for (let at = start; at < end; at++) {
      const value = values[at];
      if (value === COMPOUND) {
        const count = values[at + 1] as number;
        // The joined key and the first part are read from the marker, later parts from their own place.
        if (readsOn(at, 0, 0, 0)) return true;
        for (let part = 1; part < count; part++) {
          if (readsOn(at + COMPOUND_HEAD + part, count - part, 0, 0)) return true;
        }
        at += COMPOUND_HEAD + count - 1;
      } else if ((value === first || value === other) && readsOn(at, 0, 0, 0)) return true;
    }
    return false;
  };
}
