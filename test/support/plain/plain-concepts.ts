import fc from 'fast-check';
import type { Registration } from '../../../snapshot/format/registration.ts';
import type { SmallConcept } from '../../builders/terminology.ts';

/**
 * Search by concepts over plain words: lower case, one form, no compounds. Slow and obvious on purpose; the reference of
 * index-server/search/concepts/.
 */

/** A query before it is written down. */
export type PlainQuery =
  | { all: PlainQuery[] }
  | { any: PlainQuery[] }
  | { not: PlainQuery }
  | { words: string[] }
  | { phrase: string[] };

/** Queries of these words; `parts` of a query stand beside one another at most, `maxDepth` within one another. */
export function plainQueries(words: readonly string[], { parts, maxDepth }: { parts: number; maxDepth: number }) {
  const some = (maxLength: number) => fc.array(fc.constantFrom(...words), { minLength: 1, maxLength });
  return fc.letrec<{ query: PlainQuery }>((tie) => ({
    query: fc.oneof(
      { maxDepth, withCrossShrink: true },
      some(3).map((words) => ({ words })),
      some(2).map((phrase) => ({ phrase })),
      fc.array(tie('query'), { minLength: 2, maxLength: parts }).map((all) => ({ all })),
      fc.array(tie('query'), { minLength: 2, maxLength: parts }).map((any) => ({ any })),
      tie('query').map((not) => ({ not })),
    ),
  })).query;
}

/** The query as a caller writes it. */
export function written(query: PlainQuery): string {
  if ('words' in query) return query.words.join(' ');
  if ('phrase' in query) return `"${query.phrase.join(' ')}"`;
  if ('not' in query) return `-(${written(query.not)})`;
  if ('all' in query) return query.all.map((one) => `(${written(one)})`).join(' ');
  return query.any.map((one) => `(${written(one)})`).join(' OR ');
}

const textsOf = (record: Registration): string[] =>
  [record.title, record.officialTitle, record.acronym, ...record.conditions].filter((text) => text !== null);
const namesOf = (record: Registration): string[] =>
  record.interventions.flatMap(({ name, otherNames }) => [...(name === null ? [] : [name]), ...otherNames]);

/** A part of a query that earns points; equal keys are the same part. */
interface Part {
  key: string;
  points: (record: Registration) => number;
}
interface PlainReading {
  words: string[];
  concept: SmallConcept | null;
  names: string[][];
  sponsor: string[] | null;
}
/** Null where it earns none. */
type Side = { key: string; points: Part['points'] | null };

/** Texts by the points that they are worth; the name of a concept counts in fewer of them. */
function fieldsOf(record: Registration): { points: number; texts: string[]; conceptTexts: string[] }[] {
  const given = (texts: (string | null)[]): string[] => texts.filter((text) => text !== null);
  const title = given([record.title, record.acronym]);
  const names = namesOf(record);
  const descriptions = given(record.interventions.map(({ description }) => description));
  return [
    { points: 4, texts: title, conceptTexts: title },
    { points: 3, texts: record.conditions, conceptTexts: record.conditions },
    { points: 2, texts: [...names, ...descriptions], conceptTexts: names },
    { points: 1, texts: given([record.officialTitle, record.sponsorName]), conceptTexts: [] },
  ];
}

function hasWord(texts: readonly string[], word: string): boolean {
  return texts.some((text) => text.split(' ').includes(word));
}

export class PlainConcepts {
  readonly #concepts: readonly SmallConcept[];
  readonly #records: readonly Registration[];

  constructor(concepts: readonly SmallConcept[], records: readonly Registration[]) {
    this.#concepts = concepts;
    this.#records = records;
  }

  meets(record: Registration, query: PlainQuery): boolean {
    if ('all' in query) return query.all.every((one) => this.meets(record, one));
    if ('any' in query) return query.any.some((one) => this.meets(record, one));
    if ('not' in query) return !this.meets(record, query.not);
    if ('phrase' in query) return hasPhrase(record, query.phrase);
    return this.#meetsWords(record, query.words);
  }

  /** Points by relevance: the sum over the different parts that must hold. */
  score(record: Registration, query: PlainQuery): number {
    const parts = new Map(this.#partsOf(query).map((part) => [part.key, part.points(record)]));
    return [...parts.values()].reduce((sum, points) => sum + points, 0);
  }

  #partsOf(query: PlainQuery): Part[] {
    if ('not' in query) return [];
    if ('all' in query) return query.all.flatMap((one) => this.#partsOf(one));
    if ('phrase' in query) return [this.#partOf(null, [query.phrase])];
    if ('words' in query) {
      return this.#readingsOf(query.words).map(({ words, concept, names, sponsor }) =>
        this.#partOf(concept, concept === null ? [words, ...names] : names, sponsor),
      );
    }
    const sides = query.any.flatMap((one) => this.#sideOf(one));
    const earning = sides.filter((side) => side.points !== null);
    if (earning.length === 0) return [];
    const key = `any(${[...new Set(sides.map((side) => side.key))]})`;
    return [{ key, points: (record) => Math.max(...earning.map((side) => side.points!(record))) }];
  }

  /** One side of an OR: its weakest part. */
  #sideOf(query: PlainQuery): Side {
    if ('not' in query) return { key: JSON.stringify(query), points: null };
    const parts = this.#partsOf(query);
    const key = 'all' in query ? JSON.stringify(query) : parts.map((one) => one.key).join();
    if (parts.length === 0) return { key, points: null };
    return { key, points: (record) => Math.min(...parts.map((one) => one.points(record))) };
  }

  /** A name of several words stands where its weakest word does; the best name counts. */
  #partOf(
    concept: SmallConcept | null,
    names: readonly (readonly string[])[],
    sponsor: readonly string[] | null = null,
  ): Part {
    const named = (texts: readonly string[]): boolean => concept !== null && this.#namedIn(texts).has(concept.id);
    return {
      key: JSON.stringify([concept?.id, names, sponsor]),
      points: (record) => {
        const fields = fieldsOf(record);
        const ofWord = (word: string): number => fields.find(({ texts }) => hasWord(texts, word))?.points ?? 0;
        const byWords = names.map((words) => Math.min(...words.map(ofWord)));
        const byConcept = fields.find(({ points, conceptTexts }) => points > 1 && named(conceptTexts))?.points;
        const about = concept !== null && this.#conceptsOf(record).has(concept.id) ? 1 : 0;
        const bySponsor = sponsor !== null && sponsorHas(record, sponsor) ? 1 : 0;
        return Math.max(...byWords, byConcept ?? about, bySponsor);
      },
    };
  }

  #readingsOf(words: readonly string[]): PlainReading[] {
    const segments = this.#segments(words);
    const ofConcept = segments.flatMap((part) => part.words.map(() => part.concept !== null));
    const parts = segments.flatMap((part) => (part.concept === null ? this.#nameSegments(part.words) : [part]));
    let from = 0;
    return parts.map((part) => {
      const names = part.concept === null ? this.#otherNames(part.words.join(' ')) : [];
      const to = from + part.words.length;
      const sponsor = part.concept === null ? null : this.#sponsorWords(words, ofConcept, from, to);
      from = to;
      return { ...part, names: names.map((name) => name.split(' ')), sponsor };
    });
  }

  /** The words of a concept with those beside them, as many as some sponsor's name has all together. */
  #sponsorWords(words: readonly string[], ofConcept: readonly boolean[], from: number, to: number): string[] | null {
    const isNamed = (some: readonly string[]): boolean => this.#records.some((record) => sponsorHas(record, some));
    let [first, end] = [from, to];
    if (!isNamed(words.slice(first, end))) return null;
    while (first > 0 && isNamed(words.slice(first - 1, end))) first -= 1;
    while (end < words.length && isNamed(words.slice(first, end + 1))) end += 1;
    return ofConcept.slice(first, end).every((one) => one) ? null : words.slice(first, end);
  }

  #meetsWords(record: Registration, words: readonly string[]): boolean {
    const about = this.#conceptsOf(record);
    return this.#readingsOf(words).every(({ words: own, concept, names, sponsor }) =>
      concept === null
        ? [own, ...names].some((name) => hasPhrase(record, name))
        : about.has(concept.id) || (sponsor !== null && sponsorHas(record, sponsor)),
    );
  }

  /** Longest concept phrase first, from the left; the words between stay together. */
  #segments(words: readonly string[]): { words: string[]; concept: SmallConcept | null }[] {
    const found: { words: string[]; concept: SmallConcept | null }[] = [];
    let rest: string[] = [];
    for (let at = 0; at < words.length; ) {
      const hit = longest(words, at, (phrase) => this.#concepts.find((one) => termsOf(one).includes(phrase)));
      if (hit === null) {
        rest.push(words[at] as string);
        at += 1;
        continue;
      }
      if (rest.length > 0) found.push({ words: rest, concept: null });
      rest = [];
      found.push({ words: words.slice(at, hit.to), concept: hit.found });
      at = hit.to;
    }
    return rest.length > 0 ? [...found, { words: rest, concept: null }] : found;
  }

  #nameSegments(words: readonly string[]): { words: string[]; concept: null }[] {
    const found: { words: string[]; concept: null }[] = [];
    for (let at = 0; at < words.length; ) {
      const hit = longest(words, at, (phrase) => (this.#otherNames(phrase).length > 0 ? true : undefined));
      const to = hit?.to ?? at + 1;
      found.push({ words: words.slice(at, to), concept: null });
      at = to;
    }
    return found;
  }

  #otherNames(name: string): string[] {
    return this.#records.flatMap(({ interventions }) =>
      interventions.flatMap(({ name: main, otherNames }) => {
        const names = [...(main === null ? [] : [main]), ...otherNames];
        return names.includes(name) ? names.filter((other) => other !== name) : [];
      }),
    );
  }

  #conceptsOf(record: Registration): Set<string> {
    const mesh = [...record.conditionMesh, ...record.interventionMesh].flatMap(({ id }) => id ?? []);
    const named = this.#namedIn([...textsOf(record), ...record.keywords, ...namesOf(record)]);
    return new Set([...mesh.flatMap((id) => [id, ...this.#broader(id)]), ...named]);
  }

  #namedIn(texts: readonly string[]): Set<string> {
    const named = texts.flatMap((text) => this.#segments(text.split(' ')).flatMap(({ concept }) => concept?.id ?? []));
    return new Set(named.flatMap((id) => [id, ...this.#broader(id)]));
  }

  #broader(id: string): string[] {
    const above = this.#concepts.find((one) => one.id === id)?.broader ?? [];
    return above.flatMap((one) => [one, ...this.#broader(one)]);
  }
}

function termsOf({ heading, terms = [] }: SmallConcept): string[] {
  return [heading, ...terms].map((term) => term.toLowerCase());
}

function longest<Found>(
  words: readonly string[],
  from: number,
  find: (phrase: string) => Found | undefined,
): { found: Found; to: number } | null {
  for (let to = words.length; to > from; to--) {
    const found = find(words.slice(from, to).join(' '));
    if (found !== undefined) return { found, to };
  }
  return null;
}

function hasPhrase(record: Registration, phrase: readonly string[]): boolean {
  const descriptions = record.interventions.flatMap(({ description }) => description ?? []);
  const fields = [...textsOf(record), ...namesOf(record), ...descriptions, record.sponsorName ?? ''];
  return fields.some((field) => ` ${field} `.includes(` ${phrase.join(' ')} `));
}

function sponsorHas(record: Registration, words: readonly string[]): boolean {
  return words.every((word) => hasWord([record.sponsorName ?? ''], word));
}
