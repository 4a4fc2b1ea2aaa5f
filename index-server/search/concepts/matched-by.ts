import type { MatchGroundRecord } from '../../../contract/schemas/trials/matching.ts';
import { unitsMeet } from '../../../snapshot/format/words/query.ts';
import { type TextUnit, textUnits, unitKeys } from '../../../snapshot/format/words/tokens.ts';
import {
  type ConceptGround,
  type ConceptTexts,
  type MeshTerm,
  statedMeshConcepts,
} from '../../../snapshot/terminology/record-concepts.ts';
import type { FoundConcept, Terminology } from '../../../snapshot/terminology/terminology.ts';
import { membersOf } from '../../modality/trial-texts.ts';
import { meets } from '../matching.ts';
import type { ConceptParameter, Reading } from './concept-query.ts';
import type { Readings } from './readings.ts';

/** Says of a trial which parts of the texts it met, and on what ground. The image must be held meanwhile. */
export function matchGrounds({
  image,
  terminology,
  texts,
}: Pick<Readings, 'image' | 'terminology' | 'texts'>): (row: number) => MatchGroundRecord[] {
  const clauses = texts.flatMap(({ parameter, query }) =>
    query.clauses.map(({ reading, requirement }) => ({ parameter, reading, isMet: meets(image, requirement) })),
  );
  return (row) => {
    const record = new RecordTexts(terminology, () => image.slice(row, 'full'));
    const met = clauses.filter(({ isMet }) => isMet(row));
    return met.map(({ parameter, reading }) => groundOf(record, reading, parameter, terminology));
  };
}

/** A trial that is not about the concept has its name in that of the sponsor. */
const SPONSOR_GROUND = { via: 'sponsor', term: null } as const;

/** A filter's words count in its own field alone, and there only by a name. */
function groundOf(
  record: RecordTexts,
  reading: Reading,
  parameter: ConceptParameter,
  terminology: Terminology,
): MatchGroundRecord {
  const asked = { ...(parameter !== 'q' && { parameter }), words: reading.words };
  if (reading.kind === 'concept') {
    const { id, heading } = terminology.concepts[reading.concept]!;
    const ground =
      parameter === 'q'
        ? (record.meshGrounds.get(reading.concept) ?? record.namedGround(reading.concept, NAMING_FIELDS))
        : record.namedGround(reading.concept, [parameter]);
    const { via, term } = ground ?? SPONSOR_GROUND;
    return { ...asked, concept: id, heading, source: reading.source, via, term };
  }
  const name =
    reading.kind === 'names' ? record.nameAmong([reading.words, ...reading.names.map((one) => one.name)]) : null;
  const term = name === reading.words ? null : name;
  return { ...asked, concept: null, heading: null, source: null, via: term === null ? 'words' : 'other-name', term };
}

/** Fields whose texts name concepts: where a search scores them highest, first. */
const NAMING_FIELDS = ['title', 'condition', 'intervention', 'elsewhere'] as const satisfies (keyof ConceptTexts)[];
type NamingField = (typeof NAMING_FIELDS)[number];

/** The texts of one trial, each read when a ground asks for it. */
class RecordTexts {
  readonly #terminology: Terminology;
  readonly #read: () => Buffer;
  #full: Buffer | null = null;
  #mesh: Map<number, ConceptGround> | null = null;
  readonly #named = new Map<NamingField, FoundConcept[]>();

  constructor(terminology: Terminology, read: () => Buffer) {
    this.#terminology = terminology;
    this.#read = read;
  }

  /** What the MeSH terms state that the registries attached, with what is broader. */
  get meshGrounds(): ReadonlyMap<number, ConceptGround> {
    if (this.#mesh !== null) return this.#mesh;
    const stated = ['condition', 'intervention'].flatMap((field) => {
      const ancestors = this.#members<MeshTerm[]>(`${field}MeshAncestors`);
      return this.#members<MeshTerm[]>(`${field}Mesh`).flatMap((terms, place) =>
        statedMeshConcepts(this.#terminology, terms, ancestors[place] ?? []),
      );
    });
    const broader = stated.flatMap(({ concept, ground: { term } }) =>
      this.#terminology.broaderOf(concept).map((one) => [one, { via: 'registry-mesh-ancestor', term }] as const),
    );
    const all = [...stated.map(({ concept, ground }) => [concept, ground] as const), ...broader];
    // Of several grounds the first one stands.
    this.#mesh = new Map(all.reverse());
    return this.#mesh;
  }

  /** By the first name of the concept or a narrower one in these fields. */
  namedGround(concept: number, fields: readonly NamingField[]): ConceptGround | undefined {
    for (const field of fields) {
      const found = this.#namedIn(field).find(
        (one) => one.concept === concept || this.#terminology.broaderOf(one.concept).includes(concept),
      );
      if (found !== undefined) return { via: found.source, term: found.term };
    }
    return undefined;
  }

  /** The first of the names that the texts have; else the first in the sponsor's name. */
  nameAmong(names: readonly string[]): string | null {
    const descriptions = this.#members<{ description: string | null }[]>('interventions').flat();
    const studied = [
      ...NAMING_FIELDS.flatMap((field) => this.#textsOf(field)),
      ...descriptions.map((one) => one.description),
    ];
    const sponsors = this.#members<{ name: string | null } | null>('sponsor').map((one) => one?.name ?? null);
    for (const texts of [studied, sponsors]) {
      const units = texts.flatMap((text) => (text === null ? [] : [textUnits(text)]));
      const keys = new Set(units.flatMap(unitKeys));
      const has = (asked: TextUnit[]): boolean =>
        unitsMeet(asked.length === 1 ? asked : [{ kind: 'phrase', units: asked }], units, keys);
      const found = names.find((name) => has(textUnits(name)));
      if (found !== undefined) return found;
    }
    return null;
  }

  #namedIn(field: NamingField): FoundConcept[] {
    const known = this.#named.get(field);
    if (known !== undefined) return known;
    const named = this.#textsOf(field).flatMap((text) =>
      text === null ? [] : this.#terminology.statedIn(textUnits(text), text),
    );
    this.#named.set(field, named);
    return named;
  }

  #textsOf(field: NamingField): (string | null)[] {
    if (field === 'condition') return this.#members<string[]>('conditions').flat();
    if (field === 'title') return ['title', 'acronym'].flatMap((name) => this.#members<string | null>(name));
    if (field === 'elsewhere')
      return [...this.#members<string | null>('officialTitle'), ...this.#members<string[]>('keywords').flat()];
    const interventions = this.#members<{ name: string | null; otherNames: string[] }[]>('interventions').flat();
    return interventions.flatMap(({ name, otherNames }) => [name, ...otherNames]);
  }

  /** Values of a field in every registration of the trial. */
  #members<Value>(name: string): Value[] {
    this.#full ??= this.#read();
    return membersOf<Value>(this.#full, name);
  }
}
