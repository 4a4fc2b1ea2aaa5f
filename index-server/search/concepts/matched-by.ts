import type { MatchGroundRecord } from '../../../contract/schemas/matching.ts';
import { type QueryClause, unitsMeet } from '../../../snapshot-format/query.ts';
import { type TextUnit, textUnits, unitKeys } from '../../../snapshot-format/tokens.ts';
import {
  type ConceptGround,
  conceptTexts,
  findMeshConcepts,
  findNamedConcepts,
  type MeshTerm,
} from '../../../terminology/record-concepts.ts';
import type { Terminology } from '../../../terminology/terminology.ts';
import { membersOf } from '../../modality/trial-texts.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { rowsMeeting } from '../matching.ts';
import { isHeldBy, type RowSet } from '../row-set.ts';
import type { Clause, ConceptReading, Reading } from './concept-query.ts';

type MatchGround = MatchGroundRecord;

/** The parts of one text of the request. */
export interface AskedClauses {
  /** The filter that has the text; without it, `q`. */
  parameter?: FieldParameter;
  clauses: readonly Clause[];
}

type FieldParameter = 'intervention' | 'condition';

/** Says of a trial which parts of the query it met, and on what ground. The image must be held meanwhile. */
export function matchGrounds(
  image: SnapshotImage,
  terminology: Terminology,
  asked: readonly AskedClauses[],
): (row: number) => MatchGround[] {
  const sets = new Map<Clause, RowSet>();
  const holds = (clause: Clause, row: number): boolean => {
    let rows = sets.get(clause);
    if (rows === undefined) {
      rows = rowsMeeting(image, clause.requirement);
      sets.set(clause, rows);
    }
    return isHeldBy(rows, row);
  };
  return (row) => {
    const record = new RecordGrounds(image, terminology, row);
    return asked.flatMap(({ parameter, clauses }) =>
      clauses.flatMap((clause): MatchGround[] => {
        if (!holds(clause, row)) return [];
        const ground = record.groundOf(clause.reading, parameter);
        return [parameter === undefined ? ground : { parameter, ...ground }];
      }),
    );
  };
}

/** Reads the record of one trial as far as its grounds ask for it. */
class RecordGrounds {
  readonly #terminology: Terminology;
  readonly #registrations: () => Buffer;
  #full: Buffer | null = null;
  #mesh: Map<number, ConceptGround> | null = null;
  #texts: string[] | null = null;
  #words: { units: TextUnit[][]; keys: Set<string> } | null = null;
  /** Grounds of the first texts; further texts are read only while a concept is not found. */
  readonly #named = new Map<number, ConceptGround>();
  #textsRead = 0;

  constructor(image: SnapshotImage, terminology: Terminology, row: number) {
    this.#terminology = terminology;
    this.#registrations = () => image.slice(row, 'full');
  }

  /** A filter's words count in its own field alone, and there only by a name. */
  groundOf(reading: Reading, parameter?: FieldParameter): MatchGround {
    const plain = { words: reading.words, concept: null, heading: null, source: null };
    if (reading.kind === 'words' || reading.kind === 'phrase') return { ...plain, via: 'words', term: null };
    if (reading.kind === 'names') {
      const name = this.#nameOf(reading);
      return { ...plain, via: name === null ? 'words' : 'other-name', term: name };
    }
    const { id, heading } = this.#terminology.concepts[reading.concept]!;
    const ground =
      parameter === undefined
        ? (this.#meshGrounds().get(reading.concept) ?? this.#namedGround(reading.concept))
        : this.#fieldGround(reading.concept, parameter);
    const { via, term } = ground ?? this.#wordsGround(reading);
    return { words: reading.words, concept: id, heading, source: reading.source, via, term };
  }

  /** The other name that the record has; null where it has the words that were asked for. */
  #nameOf(reading: Extract<Reading, { kind: 'names' }>): string | null {
    if (this.#has(textUnits(reading.words))) return null;
    const named = reading.names.find(({ name }) => this.#has(textUnits(name)));
    if (named !== undefined) return named.name;
    if (this.#sponsorHas(textUnits(reading.words))) return null;
    return reading.names.find(({ name }) => this.#sponsorHas(textUnits(name)))?.name ?? null;
  }

  /** The name of the concept that the record has as words, without one where it has the words that were asked for. */
  #wordsGround({ words, inText, sponsor }: ConceptReading): Pick<MatchGround, 'via' | 'term'> {
    if (this.#has(textUnits(words))) return { via: 'words', term: null };
    const term = inText.find(({ units }) => this.#has(units))?.term ?? null;
    return { via: term === null && sponsor !== null ? 'sponsor' : 'words', term };
  }

  #has(units: TextUnit[]): boolean {
    this.#words ??= wordsOf(this.#studiedTexts());
    return unitsMeet(phraseOf(units), this.#words.units, this.#words.keys);
  }

  #sponsorHas(units: TextUnit[]): boolean {
    const sponsors = this.#members<{ name: string | null } | null>('sponsor').flatMap((one) => one?.name ?? []);
    const words = wordsOf(sponsors);
    return unitsMeet(phraseOf(units), words.units, words.keys);
  }

  #meshGrounds(): Map<number, ConceptGround> {
    if (this.#mesh !== null) return this.#mesh;
    const grounds = new Map<number, ConceptGround>();
    const lists = (name: string): MeshTerm[][] => this.#members<MeshTerm[]>(name);
    for (const field of ['condition', 'intervention']) {
      for (const [place, terms] of lists(`${field}Mesh`).entries()) {
        const ancestors = (): MeshTerm[] => lists(`${field}MeshAncestors`)[place] ?? [];
        findMeshConcepts(this.#terminology, terms, ancestors, firstInto(grounds));
      }
    }
    this.#mesh = grounds;
    return grounds;
  }

  #namedGround(concept: number): ConceptGround | undefined {
    const texts = this.#conceptTexts();
    while (!this.#named.has(concept) && this.#textsRead < texts.length) {
      const text = texts[this.#textsRead++] as string;
      findNamedConcepts(this.#terminology, text, textUnits(text), firstInto(this.#named));
    }
    return this.#named.get(concept);
  }

  #fieldGround(concept: number, parameter: FieldParameter): ConceptGround | undefined {
    const grounds = new Map<number, ConceptGround>();
    for (const text of parameter === 'condition' ? this.#conditions() : this.#interventionNames()) {
      if (text !== null) findNamedConcepts(this.#terminology, text, textUnits(text), firstInto(grounds));
    }
    return grounds.get(concept);
  }

  #conditions(): string[] {
    return this.#members<string[]>('conditions').flat();
  }

  #interventionNames(): (string | null)[] {
    const interventions = this.#members<{ name: string | null; otherNames: string[] }[]>('interventions').flat();
    return interventions.flatMap(({ name, otherNames }) => [name, ...otherNames]);
  }

  #conceptTexts(): string[] {
    if (this.#texts !== null) return this.#texts;
    this.#texts = conceptTexts({
      title: ['title', 'acronym'].flatMap((name) => this.#members<string | null>(name)),
      elsewhere: [...this.#members<string | null>('officialTitle'), ...this.#members<string[]>('keywords').flat()],
      condition: this.#conditions(),
      intervention: this.#interventionNames(),
    });
    return this.#texts;
  }

  /** Values of a field in every registration of the trial. */
  #members<Value>(name: string): Value[] {
    this.#full ??= this.#registrations();
    return membersOf<Value>(this.#full, name);
  }

  /** All texts but the sponsor's name. */
  #studiedTexts(): string[] {
    const descriptions = this.#members<{ description: string | null }[]>('interventions').flat();
    return [...this.#conceptTexts(), ...descriptions.flatMap(({ description }) => description ?? [])];
  }
}

/** The first ground of a concept stands. */
function firstInto(grounds: Map<number, ConceptGround>) {
  return (concept: number, ground: ConceptGround): void => {
    if (!grounds.has(concept)) grounds.set(concept, ground);
  };
}

function wordsOf(texts: readonly string[]) {
  const units = texts.map(textUnits);
  return { units, keys: new Set(units.flatMap(unitKeys)) };
}

function phraseOf(units: TextUnit[]): QueryClause[] {
  return units.length === 1 ? units : [{ kind: 'phrase', units }];
}
