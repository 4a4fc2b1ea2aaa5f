import { type TextUnit, textUnits } from '../../../snapshot-format/tokens.ts';
import { conceptTexts, findMeshConcepts } from '../../../terminology/record-concepts.ts';
import type { Terminology } from '../../../terminology/terminology.ts';
import type { RegistrationText } from './term-parts.ts';

/** How many texts are remembered with their concepts: conditions and keywords occur many times. */
const REMEMBERED = 50_000;
/** Longer texts hardly ever occur twice. */
const REMEMBERED_LENGTH = 80;

/** The words of a text where they are read already. */
export type UnitsOf = (text: string) => readonly TextUnit[] | undefined;

/** Finds the concepts that trials are about. */
export class TrialConcepts {
  readonly #terminology: Terminology;
  readonly #remembered = new Map<string, readonly number[]>();

  constructor(terminology: Terminology) {
    this.#terminology = terminology;
  }

  /**
   * Ids of the concepts that the registrations' MeSH terms state or their texts name, each with all that are broader.
   * `unitsOf` gives the words of a text where they are read already.
   */
  of(registrations: readonly RegistrationText[], unitsOf: UnitsOf): string[] {
    const found = new Set<number>();
    const add = (concept: number) => found.add(concept);
    for (const one of registrations) {
      findMeshConcepts(this.#terminology, one.condition_mesh, one.condition_mesh_ancestors, add);
      findMeshConcepts(this.#terminology, one.intervention_mesh, one.intervention_mesh_ancestors, add);
      const texts = conceptTexts({
        titles: [one.title, one.official_title, one.acronym],
        conditions: one.conditions,
        keywords: one.keywords,
        interventionNames: one.interventions.flatMap(({ name, other_names }) => [name, ...other_names]),
      });
      for (const text of texts) {
        for (const concept of this.namedIn(text, unitsOf)) {
          found.add(concept);
          for (const broader of this.#terminology.broaderOf(concept)) found.add(broader);
        }
      }
    }
    return [...found].map((concept) => this.#terminology.concepts[concept]!.id);
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
