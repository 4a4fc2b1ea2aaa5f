import type { Registration } from '../../snapshot-format/registration.ts';
import type { SmallConcept } from '../builders/terminology.ts';

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

  #meetsWords(record: Registration, words: readonly string[]): boolean {
    const about = this.#conceptsOf(record);
    const parts = this.#segments(words).flatMap((part) =>
      part.concept === null ? this.#nameSegments(part.words) : [part],
    );
    return parts.every((part) => {
      if (hasPhrase(record, part.words)) return true;
      if (part.concept !== null) return about.has(part.concept.id);
      return this.#otherNames(part.words.join(' ')).some((name) => hasPhrase(record, name.split(' ')));
    });
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
    const named = [...textsOf(record), ...record.keywords, ...namesOf(record)].flatMap((text) =>
      this.#segments(text.split(' ')).flatMap(({ concept }) => concept?.id ?? []),
    );
    return new Set([...mesh, ...named].flatMap((id) => [id, ...this.#broader(id)]));
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
