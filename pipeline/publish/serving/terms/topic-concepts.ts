import { parseQuery } from '../../../../snapshot/format/words/query.ts';
import { textUnits } from '../../../../snapshot/format/words/tokens.ts';
import type { Terminology } from '../../../../snapshot/terminology/terminology.ts';
import { type Topic, TopicMatcher, type TopicText } from './topics.ts';

interface ConceptTopic {
  id: string;
  concepts: ReadonlySet<number>;
  without: ReadonlySet<number>;
}

/** Finds the topics of a trial by the concepts that it is about, as `q` by concepts finds it, and by words that name none. */
export class TopicConcepts {
  readonly #terminology: Terminology;
  readonly #topics: readonly ConceptTopic[];
  /** Queries that name no concept of their topic. */
  readonly #words: TopicMatcher;
  readonly #byConcept = new Map<number, readonly string[]>();

  constructor(topics: readonly Topic[], terminology: Terminology) {
    this.#terminology = terminology;
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

  /** Ids of the topics; `stated` as TrialConcepts finds them, `texts` are all titles and conditions of the trial. */
  topicsOf(stated: ReadonlySet<number>, texts: readonly TopicText[]): string[] {
    const found = new Set(this.#words.topicsOf(texts));
    for (const concept of stated) for (const topic of this.#topicsBy(concept)) found.add(topic);
    return [...found];
  }

  #topicsBy(concept: number): readonly string[] {
    const known = this.#byConcept.get(concept);
    if (known !== undefined) return known;
    const all = [concept, ...this.#terminology.broaderOf(concept)];
    const topics = this.#topics
      .filter(({ concepts, without }) => all.some((one) => concepts.has(one)) && !all.some((one) => without.has(one)))
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
