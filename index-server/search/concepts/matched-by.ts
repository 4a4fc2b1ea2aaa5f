import type { MatchGroundRecord } from '../../../contract/schemas/trials/matching.ts';
import { POSTING } from '../../../snapshot/format/serving-columns.ts';
import { type QueryClause, unitsMeet } from '../../../snapshot/format/words/query.ts';
import { type TextUnit, textUnits, unitKeys } from '../../../snapshot/format/words/tokens.ts';
import {
  type ConceptGround,
  type ConceptTexts,
  type MeshTerm,
  type StatedConcept,
  statedMeshConcepts,
} from '../../../snapshot/terminology/record-concepts.ts';
import type { FoundConcept, Terminology } from '../../../snapshot/terminology/terminology.ts';
import { membersOf } from '../../modality/trial-texts.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { type Requirement, unitRequirement } from '../filters.ts';
import { meets } from '../matching.ts';
import type { Clause, Reading } from './concept-query.ts';

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
  const tests = new Map<Clause, (row: number) => boolean>();
  const holds = (clause: Clause, row: number): boolean => {
    const test = tests.get(clause) ?? meets(image, clause.requirement);
    tests.set(clause, test);
    return test(row);
  };
  const indexed = new IndexedGrounds(image, terminology);
  return (row) => {
    const record = new RecordGrounds(image, terminology, row, indexed);
    return asked.flatMap(({ parameter, clauses }) =>
      clauses.flatMap((clause): MatchGround[] => {
        if (!holds(clause, row)) return [];
        const ground = record.groundOf(clause.reading, parameter);
        return [parameter === undefined ? ground : { parameter, ...ground }];
      }),
    );
  };
}

/** Fields whose texts name concepts: where a search scores them highest, first. */
const NAMING_FIELDS = ['title', 'condition', 'intervention', 'elsewhere'] as const satisfies (keyof ConceptTexts)[];
type NamingField = (typeof NAMING_FIELDS)[number];
/** Keys under which the image has the concepts that a field names; of what stands elsewhere it has none. */
const NAMED_IN: Partial<Record<NamingField, string>> = {
  title: POSTING.conceptInTitle,
  condition: POSTING.conceptInCondition,
  intervention: POSTING.conceptInIntervention,
};

/** What the image knows of the grounds without a look into a record: texts that cannot name a concept are not read. */
class IndexedGrounds {
  readonly #image: SnapshotImage;
  readonly #terminology: Terminology;
  readonly #tests = new Map<string, (row: number) => boolean>();

  constructor(image: SnapshotImage, terminology: Terminology) {
    this.#image = image;
    this.#terminology = terminology;
  }

  isAbout(row: number, concept: number): boolean {
    return this.#test(POSTING.concept + this.#idOf(concept))(row);
  }

  /** Whether a text of the field may name the concept or a narrower one. */
  mayBeIn(row: number, concept: number, field: NamingField): boolean {
    const key = NAMED_IN[field];
    return key === undefined || this.#test(key + this.#idOf(concept))(row);
  }

  /** Whether a text other than the sponsor's name has the words, as far as the image tells. */
  hasWords(row: number, units: TextUnit[]): boolean {
    const [only] = units;
    const inText = units.length === 1 && only !== undefined ? unitRequirement(only, POSTING.text) : { phrase: units };
    const inSponsor = { allOf: units.map((unit) => unitRequirement(unit, POSTING.sponsor)) };
    return this.#test(JSON.stringify(units), { allOf: [inText, { not: inSponsor }] })(row);
  }

  #idOf(concept: number): string {
    return this.#terminology.concepts[concept]!.id;
  }

  #test(key: string, requirement: Requirement = key): (row: number) => boolean {
    const test = this.#tests.get(key) ?? meets(this.#image, requirement);
    this.#tests.set(key, test);
    return test;
  }
}

/** A trial that is not about the concept has its name in that of the sponsor. */
const SPONSOR_GROUND = { via: 'sponsor', term: null } as const;

/** A text of the record, with what it names once that was asked for. */
interface ReadText {
  text: string;
  named: readonly FoundConcept[] | null;
}

/** Reads the record of one trial as far as its grounds ask for it. */
class RecordGrounds {
  readonly #terminology: Terminology;
  readonly #row: number;
  readonly #indexed: IndexedGrounds;
  readonly #registrations: () => Buffer;
  #full: Buffer | null = null;
  #mesh: Map<number, ConceptGround> | null = null;
  readonly #texts = new Map<NamingField, ReadText[]>();
  #words: { units: TextUnit[][]; keys: Set<string> } | null = null;

  constructor(image: SnapshotImage, terminology: Terminology, row: number, indexed: IndexedGrounds) {
    this.#terminology = terminology;
    this.#row = row;
    this.#indexed = indexed;
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
    const { via, term } = this.#conceptGround(reading.concept, parameter) ?? SPONSOR_GROUND;
    return { words: reading.words, concept: id, heading, source: reading.source, via, term };
  }

  #conceptGround(concept: number, parameter?: FieldParameter): ConceptGround | undefined {
    if (parameter !== undefined) return this.#namedGround(concept, [parameter]);
    if (!this.#indexed.isAbout(this.#row, concept)) return undefined;
    return this.#meshGrounds().get(concept) ?? this.#namedGround(concept, NAMING_FIELDS);
  }

  /** The other name that the record has; null where it has the words that were asked for. */
  #nameOf(reading: Extract<Reading, { kind: 'names' }>): string | null {
    if (this.#has(textUnits(reading.words))) return null;
    const named = reading.names.find(({ name }) => this.#has(textUnits(name)));
    if (named !== undefined) return named.name;
    if (this.#sponsorHas(textUnits(reading.words))) return null;
    return reading.names.find(({ name }) => this.#sponsorHas(textUnits(name)))?.name ?? null;
  }

  #has(units: TextUnit[]): boolean {
    if (this.#indexed.hasWords(this.#row, units)) return true;
    // The image does not have the words of keywords, nor tells whether those of the sponsor stand elsewhere too.
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
    const stated: StatedConcept[] = [];
    const lists = (name: string): MeshTerm[][] => this.#members<MeshTerm[]>(name);
    for (const field of ['condition', 'intervention']) {
      for (const [place, terms] of lists(`${field}Mesh`).entries()) {
        stated.push(...statedMeshConcepts(this.#terminology, terms, lists(`${field}MeshAncestors`)[place] ?? []));
      }
    }
    for (const { concept, ground } of stated) if (!grounds.has(concept)) grounds.set(concept, ground);
    for (const { concept, ground } of stated) {
      for (const broader of this.#terminology.broaderOf(concept)) {
        if (!grounds.has(broader)) grounds.set(broader, { via: 'registry-mesh-ancestor', term: ground.term });
      }
    }
    this.#mesh = grounds;
    return grounds;
  }

  /** By the first text that names the concept or a narrower one, among those of these fields. */
  #namedGround(concept: number, fields: readonly NamingField[]): ConceptGround | undefined {
    for (const field of fields) {
      if (!this.#indexed.mayBeIn(this.#row, concept, field)) continue;
      for (const text of this.#textsOf(field)) {
        text.named ??= this.#terminology.statedIn(textUnits(text.text), text.text);
        const found = text.named.find((one) => this.#isOrIsUnder(one.concept, concept));
        if (found !== undefined) return { via: found.source, term: found.term };
      }
    }
    return undefined;
  }

  #isOrIsUnder(one: number, concept: number): boolean {
    return one === concept || this.#terminology.broaderOf(one).includes(concept);
  }

  #textsOf(field: NamingField): ReadText[] {
    const known = this.#texts.get(field);
    if (known !== undefined) return known;
    const read = this.#statedIn(field).flatMap((text) => (text === null ? [] : [{ text, named: null }]));
    this.#texts.set(field, read);
    return read;
  }

  #statedIn(field: NamingField): (string | null)[] {
    switch (field) {
      case 'title':
        return ['title', 'acronym'].flatMap((name) => this.#members<string | null>(name));
      case 'condition':
        return this.#members<string[]>('conditions').flat();
      case 'intervention': {
        const interventions = this.#members<{ name: string | null; otherNames: string[] }[]>('interventions').flat();
        return interventions.flatMap(({ name, otherNames }) => [name, ...otherNames]);
      }
      default:
        return [...this.#members<string | null>('officialTitle'), ...this.#members<string[]>('keywords').flat()];
    }
  }

  /** Values of a field in every registration of the trial. */
  #members<Value>(name: string): Value[] {
    this.#full ??= this.#registrations();
    return membersOf<Value>(this.#full, name);
  }

  /** All texts but the sponsor's name. */
  #studiedTexts(): string[] {
    const descriptions = this.#members<{ description: string | null }[]>('interventions').flat();
    return [
      ...NAMING_FIELDS.flatMap((field) => this.#textsOf(field).map(({ text }) => text)),
      ...descriptions.flatMap(({ description }) => description ?? []),
    ];
  }
}

function wordsOf(texts: readonly string[]) {
  const units = texts.map(textUnits);
  return { units, keys: new Set(units.flatMap(unitKeys)) };
}

function phraseOf(units: TextUnit[]): QueryClause[] {
  return units.length === 1 ? units : [{ kind: 'phrase', units }];
}
