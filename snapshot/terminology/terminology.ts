import { createHash } from 'node:crypto';
import { type TextUnit, textPieces, textUnits } from '../format/words/tokens.ts';
import type { Cut } from './broader.ts';
import { type Readings, readingsOf } from './fold.ts';
import { withoutNegated } from './negation.ts';
import type { Name } from './phrases.ts';
import type { SourceStatement, TermSource } from './sources.ts';

/** The concepts of diseases, drugs and procedures: their names, what is broader, and where a text names them. */

/** The file of an image, as JSON. Concepts are named by their places in `concepts`. */
export interface TerminologyFile {
  format: typeof TERMINOLOGY_FORMAT;
  sources: SourceStatement[];
  /** Words that are not read because they mean several things, each with queries that say what. */
  ambiguous: Record<string, readonly string[]>;
  /** Concepts that people take for one another. */
  related: number[][];
  cuts: Cut[];
  concepts: (Concept & {
    /** All ancestors, without the concept itself. */
    broader: number[];
    /** In the order of their sources, with the phrases that they win. */
    names: { term: string; source: TermSource; caseSensitive: boolean; phrases: string[] }[];
  })[];
}

export const TERMINOLOGY_FORMAT = 3;

export interface Concept {
  /** MeSH descriptor such as D003920, or `R:` and a slug for a reviewed concept that MeSH lacks. */
  id: string;
  heading: string;
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

/** What was read from bytes that are still in use: an image asks for the same ones several times. */
const known = new WeakMap<Uint8Array, Terminology>();

/** Reads what `makeTerminology` wrote. Throws for other bytes. */
export function readTerminology(bytes: Uint8Array): Terminology {
  const held = known.get(bytes) ?? new Terminology(bytes);
  known.set(bytes, held);
  return held;
}

interface Found {
  to: number;
  name: Name;
}

export class Terminology {
  /** SHA-256 of the file. */
  readonly identity: string;
  readonly sources: readonly SourceStatement[];
  /** A concept's number is its place. */
  readonly concepts: TerminologyFile['concepts'];
  readonly #file: TerminologyFile;
  /** The name of each phrase; null for the beginning of a phrase that is none itself. */
  readonly #phrases = new Map<string, Name | null>();
  readonly #words = new Set<string>();
  readonly #byId: ReadonlyMap<string, number>;
  /** Also headings that were read as names: registries attach the same ones to many records. */
  readonly #byHeading: Map<string, number | undefined>;

  constructor(bytes: Uint8Array) {
    this.#file = fileOf(bytes);
    this.identity = createHash('sha256').update(bytes).digest('hex');
    this.sources = this.#file.sources;
    this.concepts = this.#file.concepts;
    this.#byId = new Map(this.concepts.map(({ id }, number) => [id, number]));
    this.#byHeading = new Map(this.concepts.map(({ heading }, number) => [heading.toLowerCase(), number]));
    for (const [concept, { names }] of this.concepts.entries()) {
      for (const { phrases, ...name } of names)
        for (const phrase of phrases) this.#addPhrase(phrase, { ...name, concept });
    }
  }

  /** By MeSH descriptor or own id. */
  numberOf(id: string): number | undefined {
    return this.#byId.get(id);
  }

  /** By the text of a MeSH heading, as registries attach it without an id. */
  numberOfHeading(heading: string): number | undefined {
    const exact = this.#byHeading.get(heading.trim().toLowerCase());
    if (exact !== undefined) return exact;
    if (this.#byHeading.has(heading)) return this.#byHeading.get(heading);
    const units = textUnits(heading);
    const [found] = this.recognise(units, heading);
    const named = found?.from === 0 && found.to === units.length ? found.concept : undefined;
    this.#byHeading.set(heading, named);
    return named;
  }

  /** All ancestors, without the concept itself. */
  broaderOf(concept: number): readonly number[] {
    return this.concepts[concept]?.broader ?? [];
  }

  /** True where a reviewed cut takes the ancestor away from all that is below one of these. */
  isCut(ancestor: number, below: readonly number[]): boolean {
    const isUnder = (one: number, parent: number): boolean => one === parent || this.broaderOf(one).includes(parent);
    return this.#file.cuts.some(
      ({ parent, without }) =>
        isUnder(parent, ancestor) && below.some((one) => without.some((heading) => isUnder(one, heading))),
    );
  }

  namesOf(concept: number): { term: string; source: TermSource }[] {
    return (this.concepts[concept]?.names ?? []).map(({ term, source }) => ({ term, source }));
  }

  /** Queries for what a word in exactly this case may mean; none for a word that means one thing. */
  meaningsOf(word: string): readonly string[] {
    return Object.hasOwn(this.#file.ambiguous, word) ? (this.#file.ambiguous[word] ?? []) : [];
  }

  /** Concepts that people take for this one, by review. */
  relatedTo(concept: number): number[] {
    const groups = this.#file.related.filter((group) => group.includes(concept));
    return [...new Set(groups.flat())].filter((one) => one !== concept);
  }

  /** True where any name has the word, given as its key of search. */
  hasWord(key: string): boolean {
    return this.#words.has(key);
  }

  /**
   * The concepts that a text names, longest phrase first from the left, without overlap. `units` are the units of `raw`,
   * which tells the case. A compound such as "HIV-negative" is read as a whole, so it does not name HIV.
   */
  recognise(units: readonly TextUnit[], raw: string): FoundConcept[] {
    const readings = readingsOf(units);
    const isWritten = caseTest(raw);
    const found: FoundConcept[] = [];
    for (let from = 0; from < units.length; ) {
      const start = from;
      const accepts = ({ caseSensitive, term }: Name, to: number): boolean =>
        !caseSensitive || isWritten(term, start, to);
      const best = this.#longest(readings, from, '', accepts);
      if (best !== null) {
        const { concept, term, source } = best.name;
        found.push({ from, to: best.to, concept, term, source });
      }
      from = best?.to ?? from + 1;
    }
    return found;
  }

  /** Those of a record's text that it is about: without names behind "non", "without" and the like. */
  statedIn(units: readonly TextUnit[], raw: string): FoundConcept[] {
    return withoutNegated(units, this.recognise(units, raw));
  }

  #addPhrase(phrase: string, name: Name): void {
    for (let end = phrase.indexOf(' '); end !== -1; end = phrase.indexOf(' ', end + 1)) {
      const beginning = phrase.slice(0, end);
      if (!this.#phrases.has(beginning)) this.#phrases.set(beginning, null);
    }
    this.#phrases.set(phrase, name);
    for (const word of phrase.split(' ')) this.#words.add(word);
  }

  /** The name that ends furthest, among those that go on from `begun` at unit `at`. */
  #longest(
    readings: readonly Readings[],
    at: number,
    begun: string,
    accepts: (name: Name, to: number) => boolean,
  ): Found | null {
    const ways = readings[at];
    if (ways === undefined) return null;
    // A unit without readings is passed over inside a phrase and begins none.
    if (ways.length === 0) return begun === '' ? null : this.#longest(readings, at + 1, begun, accepts);
    let best: Found | null = null;
    for (const tokens of ways) {
      const read = tokens.join(' ');
      const phrase = begun === '' ? read : `${begun} ${read}`;
      const name = this.#phrases.get(phrase);
      if (name === undefined) continue;
      const here = name !== null && accepts(name, at + 1) ? { to: at + 1, name } : null;
      const longer = this.#longest(readings, at + 1, phrase, accepts) ?? here;
      if (longer !== null && (best === null || longer.to > best.to)) best = longer;
    }
    return best;
  }
}

/** Tests if the words [from, to) of a text are written as a term is, in a text that is not wholly in capitals. */
function caseTest(raw: string): (term: string, from: number, to: number) => boolean {
  let pieces: string[][] | null = null;
  return (term, from, to) => {
    pieces ??= textPieces(raw);
    if (isShouted(raw, pieces)) return false;
    const written = pieces.slice(from, to).flat();
    const expected = textPieces(term).flat();
    const last = expected.length - 1;
    return (
      written.length === expected.length &&
      written.every((piece, index) => piece === expected[index] || (index === last && piece === `${expected[index]}s`))
    );
  };
}

/** Letters of a word that is hardly an abbreviation. */
const WORD_LETTERS = /^\p{Lu}{6,}$/u;

/** No small letter, and a word that is no abbreviation: then capitals tell nothing. */
function isShouted(raw: string, pieces: readonly string[][]): boolean {
  return !/\p{Ll}/u.test(raw) && pieces.flat().some((piece) => WORD_LETTERS.test(piece));
}

function fileOf(bytes: Uint8Array): TerminologyFile {
  let file: { format?: unknown };
  try {
    file = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch (error) {
    throw new Error(`the terminology cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  if (file.format !== TERMINOLOGY_FORMAT)
    throw new Error(`the terminology has format ${file.format}; expected ${TERMINOLOGY_FORMAT}`);
  return file as TerminologyFile;
}
