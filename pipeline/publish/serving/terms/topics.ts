import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { TopicReading } from '../../../../snapshot/format/serving.ts';
import { parseQuery, type QueryClause, unitsMeet } from '../../../../snapshot/format/words/query.ts';
import { type TextUnit, textUnits, unitKeys } from '../../../../snapshot/format/words/tokens.ts';
import { textData, writeColumns } from '../../../../snapshot/image/arrow-file.ts';
import type { Terminology } from '../../../../snapshot/terminology/terminology.ts';

/** Headings of concepts of the terminology, by id. */
const headings = z.record(z.string(), z.string().min(1));

const topicSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  title: z.string().min(1),
  /** Queries in the syntax of `q`; a trial belongs to the topic when its title and conditions meet any of them. */
  anyOf: z.array(z.string().min(1)).min(1),
  /** By concepts, a trial belongs to the topic when it states one of these or a narrower one ... */
  concepts: headings.optional(),
  /** ... that is none of these and not narrower than one of these. */
  without: headings.optional(),
  why: z.string().min(1),
  reviewed: z.iso.date(),
});
const topicsSchema = z.strictObject({
  id: z.string(),
  note: z.string(),
  topics: z.array(topicSchema),
});
export type Topic = z.infer<typeof topicSchema>;

/** The reviewed topics of the repository, in the order of the file. Throws when a query has no word. */
export async function loadTopics(
  file: URL = new URL('../../../../data/topics.json', import.meta.url),
): Promise<Topic[]> {
  const { topics } = topicsSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  const ids = new Set(topics.map(({ id }) => id));
  if (ids.size !== topics.length) throw new Error('data/topics.json names a topic id twice');
  for (const { id, anyOf } of topics) {
    const empty = anyOf.find((query) => parseQuery(query).length === 0);
    if (empty !== undefined)
      throw new Error(`data/topics.json: topic ${id} has the query ${JSON.stringify(empty)}, which holds no word`);
  }
  return topics;
}

/** A text with its words. */
export interface TopicText {
  units: TextUnit[];
  /** Keys of all units; a key may occur twice. */
  keys: readonly string[];
}

interface TopicQuery {
  topic: string;
  clauses: QueryClause[];
}

/**
 * Finds the topics of a trial. A query is evaluated only for a trial with one of the words that every match must have,
 * so that the cost does not grow with the number of topics.
 */
export class TopicMatcher {
  readonly #byTrigger = new Map<string, TopicQuery[]>();

  constructor(topics: Topic[]) {
    for (const { id, anyOf } of topics) {
      for (const query of anyOf) {
        for (const trigger of triggers(query)) {
          const held = this.#byTrigger.get(trigger) ?? [];
          held.push({ topic: id, clauses: parseQuery(query) });
          this.#byTrigger.set(trigger, held);
        }
      }
    }
  }

  /** Ids of the topics that these texts (titles and conditions) meet. */
  topicsOf(texts: readonly TopicText[]): string[] {
    const candidates: TopicQuery[] = [];
    for (const text of texts) for (const key of text.keys) candidates.push(...(this.#byTrigger.get(key) ?? []));
    if (candidates.length === 0) return [];
    const keys = new Set<string>();
    for (const text of texts) for (const key of text.keys) keys.add(key);
    const units = texts.map((text) => text.units);
    const found = new Set<string>();
    for (const { topic, clauses } of candidates) {
      if (!found.has(topic) && unitsMeet(clauses, units, keys)) found.add(topic);
    }
    return [...found];
  }
}

/** Keys of the query's first word: a text that meets the query has at least one of them. */
function triggers(query: string): string[] {
  const [clause] = parseQuery(query) as [QueryClause];
  return unitKeys(clause.kind === 'phrase' ? clause.units.slice(0, 1) : [clause]);
}

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

  /** True where a query of one word or phrase names a concept by which its topic is found. */
  #isNamed(topic: string, query: string): boolean {
    if (parseQuery(query).length !== 1) return false;
    const units = textUnits(query);
    const [found] = this.#terminology.recognise(units, query);
    return found?.from === 0 && found.to === units.length && this.#topicsBy(found.concept).includes(topic);
  }
}

/** Writes topics.arrow, so that the server shows the titles of the snapshot and what its topics were read by. */
export function writeTopics(path: string, topics: Topic[]): void {
  writeColumns(path, {
    id: textData(topics.map(({ id }) => id)),
    title: textData(topics.map(({ title }) => title)),
    reading: textData(topics.map((topic) => JSON.stringify(readingOf(topic)))),
  });
}

/** How a topic is read, as answers show it. */
export function readingOf({ anyOf, concepts = {}, without = {} }: Topic): TopicReading {
  return { words: anyOf, concepts: named(concepts), without: named(without) };
}

function named(concepts: Readonly<Record<string, string>>): { id: string; heading: string }[] {
  return Object.entries(concepts).map(([id, heading]) => ({ id, heading }));
}
