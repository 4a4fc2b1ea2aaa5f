import { type TextUnit, textUnits } from '../../../../snapshot/format/words/tokens.ts';
import { type ConceptTexts, statedMeshConcepts } from '../../../../snapshot/terminology/record-concepts.ts';
import type { Terminology } from '../../../../snapshot/terminology/terminology.ts';
import type { RegistrationText } from '../term-parts.ts';

/** How many texts are remembered with their concepts: conditions and keywords occur many times. */
const REMEMBERED = 50_000;
/** Longer texts hardly ever occur twice. */
const REMEMBERED_LENGTH = 80;

/** The words of a text where they are read already. */
export type UnitsOf = (text: string) => readonly TextUnit[] | undefined;

/** What a registration states of its concepts. */
export type ConceptStatements = Pick<
  RegistrationText,
  | ('title' | 'official_title' | 'acronym' | 'conditions' | 'keywords' | 'interventions')
  | ('condition_mesh' | 'condition_mesh_ancestors' | 'intervention_mesh' | 'intervention_mesh_ancestors')
>;

/** Ids of the concepts that a trial is about: all of them, and those that a field names. */
export interface TrialConceptIds extends Record<'all' | 'title' | 'condition' | 'intervention', string[]> {
  /** Numbers of those that its MeSH terms or texts state themselves, without what is broader. */
  stated: ReadonlySet<number>;
}

/** Finds the concepts that trials are about. */
export class TrialConcepts {
  readonly #terminology: Terminology;
  readonly #remembered = new Map<string, readonly number[]>();

  constructor(terminology: Terminology) {
    this.#terminology = terminology;
  }

  /**
   * Concepts that the registrations' MeSH terms state or their texts name, each with all that are broader. `unitsOf` gives
   * the words of a text where they are read already.
   */
  of(registrations: readonly ConceptStatements[], unitsOf: UnitsOf): TrialConceptIds {
    const texts = registrations.map(textsOf);
    const named = (field: keyof ConceptTexts): Set<number> => {
      const distinct = new Set(texts.flatMap((one) => one[field]));
      return new Set([...distinct].flatMap((text) => (text === null ? [] : this.#namedIn(text, unitsOf))));
    };
    const [title, condition, intervention] = [named('title'), named('condition'), named('intervention')];
    const mesh = registrations.flatMap((one) => [
      ...statedMeshConcepts(this.#terminology, one.condition_mesh, one.condition_mesh_ancestors),
      ...statedMeshConcepts(this.#terminology, one.intervention_mesh, one.intervention_mesh_ancestors),
    ]);
    const attached = mesh.map(({ concept }) => concept);
    const stated = new Set([...attached, ...title, ...condition, ...intervention, ...named('elsewhere')]);
    return {
      ...{ all: this.#idsWithBroader(stated), title: this.#idsWithBroader(title) },
      ...{ condition: this.#idsWithBroader(condition), intervention: this.#idsWithBroader(intervention), stated },
    };
  }

  #idsWithBroader(concepts: ReadonlySet<number>): string[] {
    const all = new Set<number>();
    for (const concept of concepts) {
      all.add(concept);
      for (const broader of this.#terminology.broaderOf(concept)) all.add(broader);
    }
    return Array.from(all, (concept) => this.#terminology.concepts[concept]!.id);
  }

  /** Numbers of the concepts that a text names, without those that are broader. */
  #namedIn(text: string, unitsOf: UnitsOf): readonly number[] {
    const known = this.#remembered.get(text);
    if (known !== undefined) return known;
    const units = unitsOf(text) ?? textUnits(text);
    const found = [...new Set(this.#terminology.statedIn(units, text).map(({ concept }) => concept))];
    if (text.length <= REMEMBERED_LENGTH) {
      if (this.#remembered.size >= REMEMBERED) this.#remembered.clear();
      this.#remembered.set(text, found);
    }
    return found;
  }
}

function textsOf(one: ConceptStatements): ConceptTexts {
  return {
    title: [one.title, one.acronym],
    condition: one.conditions,
    intervention: one.interventions.flatMap(({ name, other_names }) => [name, ...other_names]),
    elsewhere: [one.official_title, ...one.keywords],
  };
}
