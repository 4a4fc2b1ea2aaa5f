import { createHash } from 'node:crypto';
import { type TextUnit, textPieces, textUnits } from '../format/words/tokens.ts';
import { type Readings, readingsOf } from './fold.ts';
import { CASE_SENSITIVE, type Hints, NONE, PackedFault, type Parts, readParts } from './layout.ts';
import { withoutNegated } from './negation.ts';
import type { SourceStatement, TermSource } from './source-file.ts';

/** The concepts of diseases, drugs and procedures: their names, what is broader, and where a text names them. */

export interface Concept {
  /** MeSH descriptor such as D003920, or `R:` and a slug for a reviewed concept that MeSH lacks. */
  id: string;
  heading: string;
  kind: 'mesh' | 'reviewed';
}

/** The words [from, to) of a text name a concept. */
export interface FoundConcept {
  from: number;
  to: number;
  /** The concept's number. */
  concept: number;
  /** As the source writes it. */
  term: string;
  source: TermSource;
}

export interface Terminology {
  /** SHA-256 of the packed bytes. */
  readonly identity: string;
  readonly sources: readonly SourceStatement[];
  /** A concept's number is its place. */
  readonly concepts: readonly Concept[];
  /** By MeSH descriptor or own id. */
  numberOf(id: string): number | undefined;
  /** By the text of a MeSH heading, as registries attach it without an id. */
  numberOfHeading(heading: string): number | undefined;
  /** All ancestors, without the concept itself. */
  broaderOf(concept: number): readonly number[];
  /** Whether a reviewed cut takes the ancestor away from all that is below one of these. */
  isCut(ancestor: number, below: readonly number[]): boolean;
  /**
   * The concepts that a text names, longest phrase first from the left, without overlap. `units` are the units of `raw`,
   * which tells the case. A compound such as "HIV-negative" is read as a whole, so it does not name HIV.
   */
  recognise(units: readonly TextUnit[], raw: string): FoundConcept[];
  /** Those of a record's text that it is about: without names behind "non", "without" and the like. */
  statedIn(units: readonly TextUnit[], raw: string): FoundConcept[];
  namesOf(concept: number): { term: string; source: TermSource }[];
  /** Queries for what a word in exactly this case may mean; none for a word that means one thing. */
  meaningsOf(word: string): readonly string[];
  /** Concepts that people take for this one, by review. */
  relatedTo(concept: number): number[];
  /** Whether any name has the word, given as its key of search. */
  hasWord(key: string): boolean;
  /** All words of names as keys of search, a line each, in UTF-8. */
  readonly words: Uint8Array;
}

/** What was read from bytes that are still in use: an image asks for the same ones several times. */
const known = new WeakMap<Uint8Array, Terminology>();

/**
 * Reads what `packTerminology` wrote, in place; the bytes must not change from then on. Throws PackedFault for other
 * bytes.
 */
export function readTerminology(packed: Uint8Array): Terminology {
  const held = known.get(packed);
  if (held !== undefined) return held;
  const terminology = new PackedTerminology(packed);
  known.set(packed, terminology);
  return terminology;
}

/** More headings of another year than any MeSH has. */
const OTHER_HEADINGS_MAX = 20_000;

interface Found {
  to: number;
  name: number;
}

class PackedTerminology implements Terminology {
  readonly identity: string;
  readonly sources: readonly SourceStatement[];
  readonly concepts: readonly Concept[];
  readonly #parts: Parts;
  readonly #hints: Hints;
  readonly #tokens: ReadonlyMap<string, number>;
  readonly #byId: ReadonlyMap<string, number>;
  #byHeading: ReadonlyMap<string, number> | null = null;
  /** Headings that were read as names, with what they name: registries attach the same ones to many records. */
  readonly #otherHeadings = new Map<string, number | null>();

  constructor(packed: Uint8Array) {
    const { sources, hints, parts } = readParts(packed);
    this.identity = createHash('sha256').update(packed).digest('hex');
    this.sources = sources as SourceStatement[];
    this.#parts = parts;
    this.#hints = hints;
    this.concepts = linesOf(parts.concepts).map(conceptOf);
    this.#tokens = new Map(linesOf(parts.vocabulary).map((token, number) => [token, number]));
    this.#byId = new Map(this.concepts.map(({ id }, number) => [id, number]));
  }

  numberOf(id: string): number | undefined {
    return this.#byId.get(id);
  }

  numberOfHeading(heading: string): number | undefined {
    this.#byHeading ??= new Map(this.concepts.map((concept, number) => [concept.heading.toLowerCase(), number]));
    const exact = this.#byHeading.get(heading.trim().toLowerCase());
    if (exact !== undefined) return exact;
    const known = this.#otherHeadings.get(heading);
    if (known !== undefined) return known ?? undefined;
    const units = textUnits(heading);
    const [found] = this.recognise(units, heading);
    const named = found && found.from === 0 && found.to === units.length ? found.concept : null;
    if (this.#otherHeadings.size >= OTHER_HEADINGS_MAX) this.#otherHeadings.clear();
    this.#otherHeadings.set(heading, named);
    return named ?? undefined;
  }

  broaderOf(concept: number): readonly number[] {
    const { broader, broaderStart } = this.#parts;
    return [...broader.subarray(broaderStart[concept], broaderStart[concept + 1])];
  }

  isCut(ancestor: number, below: readonly number[]): boolean {
    const isUnder = (one: number, parent: number): boolean => one === parent || this.broaderOf(one).includes(parent);
    return this.#hints.cuts.some(
      ({ parent, without }) =>
        isUnder(parent, ancestor) && below.some((one) => without.some((heading) => isUnder(one, heading))),
    );
  }

  namesOf(concept: number): { term: string; source: TermSource }[] {
    const { conceptNames } = this.#parts;
    const from = conceptNames[concept] ?? 0;
    const count = (conceptNames[concept + 1] ?? from) - from;
    return Array.from({ length: count }, (_, index) => this.#nameAt(from + index));
  }

  meaningsOf(word: string): readonly string[] {
    return Object.hasOwn(this.#hints.ambiguous, word) ? (this.#hints.ambiguous[word] ?? []) : [];
  }

  relatedTo(concept: number): number[] {
    const groups = this.#hints.related.filter((group) => group.includes(concept));
    return [...new Set(groups.flat())].filter((one) => one !== concept);
  }

  get words(): Uint8Array {
    return this.#parts.vocabulary;
  }

  hasWord(key: string): boolean {
    return this.#tokens.has(key);
  }

  recognise(units: readonly TextUnit[], raw: string): FoundConcept[] {
    const readings = readingsOf(units);
    const caseOf = new TextCase(raw);
    const found: FoundConcept[] = [];
    let from = 0;
    while (from < units.length) {
      const start = from;
      const accepts = (name: number, to: number): boolean => this.#accepts(name, start, to, caseOf);
      const best = this.#longest(readings, from, 0, accepts);
      if (best === null) {
        from += 1;
        continue;
      }
      found.push({ from, to: best.to, concept: this.#parts.nameConcept[best.name]!, ...this.#nameAt(best.name) });
      from = best.to;
    }
    return found;
  }

  statedIn(units: readonly TextUnit[], raw: string): FoundConcept[] {
    return withoutNegated(units, this.recognise(units, raw));
  }

  /** The name that ends furthest, among those that go on from `node` at unit `at`. */
  #longest(
    readings: readonly Readings[],
    at: number,
    node: number,
    accepts: (name: number, to: number) => boolean,
  ): Found | null {
    const ways = readings[at];
    if (ways === undefined) return null;
    // A unit without readings is passed over inside a phrase and begins none.
    if (ways.length === 0) return node === 0 ? null : this.#longest(readings, at + 1, node, accepts);
    let best: Found | null = null;
    for (const tokens of ways) {
      const next = this.#walk(node, tokens);
      if (next === null) continue;
      const name = this.#parts.nodeName[next]!;
      const here = name !== NONE && accepts(name, at + 1) ? { to: at + 1, name } : null;
      const longer = this.#longest(readings, at + 1, next, accepts) ?? here;
      if (longer !== null && (best === null || longer.to > best.to)) best = longer;
    }
    return best;
  }

  #walk(from: number, tokens: readonly string[]): number | null {
    let node = from;
    for (const text of tokens) {
      const token = this.#tokens.get(text);
      const next = token === undefined ? null : this.#child(node, token);
      if (next === null) return null;
      node = next;
    }
    return node;
  }

  #child(node: number, token: number): number | null {
    const { childStart, nodeToken } = this.#parts;
    let low = childStart[node]!;
    let high = childStart[node + 1]!;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (nodeToken[middle]! < token) low = middle + 1;
      else high = middle;
    }
    return low < childStart[node + 1]! && nodeToken[low] === token ? low : null;
  }

  #accepts(name: number, from: number, to: number, caseOf: TextCase): boolean {
    if ((this.#parts.nameFlags[name]! & CASE_SENSITIVE) === 0) return true;
    return caseOf.isWritten(this.#nameAt(name).term, from, to);
  }

  #nameAt(name: number): { term: string; source: TermSource } {
    const { terms, termStart, nameFlags } = this.#parts;
    const term = decode(terms.subarray(termStart[name], termStart[name + 1]));
    return { term, source: this.sources[nameFlags[name]! & ~CASE_SENSITIVE]!.id };
  }
}

/** How a text is written, read only when a term asks for it. */
class TextCase {
  readonly #raw: string;
  #pieces: string[][] | null = null;

  constructor(raw: string) {
    this.#raw = raw;
  }

  /** Whether the units [from, to) are written as the term is, in a text that is not wholly in capitals. */
  isWritten(term: string, from: number, to: number): boolean {
    this.#pieces ??= textPieces(this.#raw);
    if (isShouted(this.#raw, this.#pieces)) return false;
    const written = this.#pieces.slice(from, to).flat();
    const expected = textPieces(term).flat();
    const last = expected.length - 1;
    return (
      written.length === expected.length &&
      written.every((piece, index) => piece === expected[index] || (index === last && piece === `${expected[index]}s`))
    );
  }
}

/** Letters of a word that is hardly an abbreviation. */
const WORD_LETTERS = /^\p{Lu}{6,}$/u;

/** No small letter, and a word that is no abbreviation: then capitals tell nothing. */
function isShouted(raw: string, pieces: readonly string[][]): boolean {
  return !/\p{Ll}/u.test(raw) && pieces.flat().some((piece) => WORD_LETTERS.test(piece));
}

function conceptOf(line: string): Concept {
  const [id, heading] = line.split('\t');
  if (id === undefined || heading === undefined) throw new PackedFault('a concept has no heading');
  return { id, heading, kind: id.startsWith('R:') ? 'reviewed' : 'mesh' };
}

function linesOf(bytes: Uint8Array): string[] {
  return decode(bytes).split('\n');
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
