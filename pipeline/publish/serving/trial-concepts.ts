import { type TextUnit, textUnits } from '../../../snapshot-format/tokens.ts';
import { type ConceptTexts, findMeshConcepts } from '../../../terminology/record-concepts.ts';
import type { Terminology } from '../../../terminology/terminology.ts';
import type { RegistrationText } from './term-parts.ts';

/** How many texts are remembered with their concepts: conditions and keywords occur many times. */
const REMEMBERED = 50_000;
/** Longer texts hardly ever occur twice. */
const REMEMBERED_LENGTH = 80;

/** The words of a text where they are read already. */
export type UnitsOf = (text: string) => readonly TextUnit[] | undefined;

/** Ids of the concepts that a trial is about: all of them, and those that a field names. */
export type ConceptsByField = Record<'all' | 'title' | 'condition' | 'intervention', string[]>;

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
  of(registrations: readonly RegistrationText[], unitsOf: UnitsOf): ConceptsByField {
    const stated = new Set<number>();
    const add = (concept: number) => stated.add(concept);
    for (const one of registrations) {
      findMeshConcepts(this.#terminology, one.condition_mesh, () => one.condition_mesh_ancestors, add);
      findMeshConcepts(this.#terminology, one.intervention_mesh, () => one.intervention_mesh_ancestors, add);
    }
    const texts = registrations.map(textsOf);
    const named = (field: keyof ConceptTexts): Set<number> =>
      this.#namedInAny(
        texts.flatMap((one) => one[field]),
        unitsOf,
      );
    const [title, condition, intervention] = [named('title'), named('condition'), named('intervention')];
    const all = new Set([...stated, ...title, ...condition, ...intervention, ...named('elsewhere')]);
    const ids = (found: ReadonlySet<number>): string[] =>
      Array.from(found, (concept) => this.#terminology.concepts[concept]!.id);
    return { all: ids(all), title: ids(title), condition: ids(condition), intervention: ids(intervention) };
  }

  /** Numbers of the concepts that any of the texts names, and of all that are broader. */
  #namedInAny(texts: readonly (string | null)[], unitsOf: UnitsOf): Set<number> {
    const found = new Set<number>();
    for (const text of new Set(texts)) {
      for (const concept of text === null ? [] : this.namedIn(text, unitsOf)) {
        found.add(concept);
        for (const broader of this.#terminology.broaderOf(concept)) found.add(broader);
      }
    }
    return found;
  }

  /** Numbers of the concepts that a text names, without those that are broader. */
  namedIn(text: string, unitsOf: UnitsOf): readonly number[] {
    const known = this.#remembered.get(text);
    if (known !== undefined) return known;
    const units = unitsOf(text) ?? textUnits(text);
    const found = [...new Set(this.#terminology.recognise(units, text).map(({ concept }) => concept))];
    if (text.length <= REMEMBERED_LENGTH) {
      if (this.#remembered.size >= REMEMBERED) this.#remembered.clear();
      this.#remembered.set(text, found);
    }
    return found;
  }
}

function textsOf(one: RegistrationText): ConceptTexts {
  return {
    title: [one.title, one.acronym],
    condition: one.conditions,
    intervention: one.interventions.flatMap(({ name, other_names }) => [name, ...other_names]),
    elsewhere: [one.official_title, ...one.keywords],
  };
}
