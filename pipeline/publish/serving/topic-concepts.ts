import { parseQuery } from '../../../snapshot-format/query.ts';
import { textUnits } from '../../../snapshot-format/tokens.ts';
import { type MeshTerm, statedMeshConcepts } from '../../../terminology/record-concepts.ts';
import type { Terminology } from '../../../terminology/terminology.ts';
import { type Topic, TopicMatcher, type TopicText } from './topics.ts';
import type { TrialConcepts, UnitsOf } from './trial-concepts.ts';

/** What a registration states of its topics. */
export interface TopicStatements {
  title: string | null;
  conditions: readonly string[];
  condition_mesh: readonly MeshTerm[];
  condition_mesh_ancestors: readonly MeshTerm[];
}

interface ConceptTopic {
  id: string;
  concepts: ReadonlySet<number>;
  without: ReadonlySet<number>;
}

/**
 * Finds the topics of a trial by concepts. Titles and conditions count; MeSH terms that the registry attached count where
 * no condition of the registration names a concept, because the registry attaches many that the record does not mean.
 */
export class TopicConcepts {
  readonly #terminology: Terminology;
  readonly #trialConcepts: TrialConcepts;
  readonly #topics: readonly ConceptTopic[];
  /** Queries that name no concept of their topic. */
  readonly #words: TopicMatcher;
  readonly #byConcept = new Map<number, readonly string[]>();

  constructor(topics: readonly Topic[], terminology: Terminology, trialConcepts: TrialConcepts) {
    this.#terminology = terminology;
    this.#trialConcepts = trialConcepts;
    const numbers = (ids: object = {}) => new Set(Object.keys(ids).flatMap((id) => terminology.numberOf(id) ?? []));
    this.#topics = topics.map(({ id, concepts, without }) => ({
      id,
      concepts: numbers(concepts),
      without: numbers(without),
    }));
    this.#words = new TopicMatcher(
      topics.map((topic) => ({ ...topic, anyOf: topic.anyOf.filter((query) => !this.#isNamed(topic.id, query)) })),
    );
  }

  /** Ids of the topics; `texts` are all titles and conditions of the trial. */
  topicsOf(registrations: readonly TopicStatements[], texts: readonly TopicText[], unitsOf: UnitsOf): string[] {
    const found = new Set(this.#words.topicsOf(texts));
    const add = (concepts: readonly number[]): void => {
      for (const concept of concepts) for (const topic of this.#topicsBy(concept)) found.add(topic);
    };
    for (const { title, conditions, condition_mesh, condition_mesh_ancestors } of registrations) {
      const named = conditions.flatMap((text) => this.#trialConcepts.namedIn(text, unitsOf));
      add(named);
      if (title !== null) add(this.#trialConcepts.namedIn(title, unitsOf));
      if (named.length === 0) add(statedMeshConcepts(this.#terminology, condition_mesh, condition_mesh_ancestors));
    }
    return [...found];
  }

  #topicsBy(concept: number): readonly string[] {
    const known = this.#byConcept.get(concept);
    if (known !== undefined) return known;
    const stated = [concept, ...this.#terminology.broaderOf(concept)];
    const topics = this.#topics
      .filter(
        ({ concepts, without }) => stated.some((one) => concepts.has(one)) && !stated.some((one) => without.has(one)),
      )
      .map(({ id }) => id);
    this.#byConcept.set(concept, topics);
    return topics;
  }

  /** Whether a query of one word or phrase names a concept by which its topic is found. */
  #isNamed(topic: string, query: string): boolean {
    if (parseQuery(query).length !== 1) return false;
    const units = textUnits(query);
    const [found] = this.#terminology.recognise(units, query);
    return (
      found !== undefined &&
      found.from === 0 &&
      found.to === units.length &&
      this.#topicsBy(found.concept).includes(topic)
    );
  }
}
