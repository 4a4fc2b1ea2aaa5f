import type { MatchingRecord } from '../../../contract/schemas/trials/matching.ts';
import { operatorsIn } from '../../../snapshot/format/words/query-syntax.ts';
import type { Terminology } from '../../../snapshot/terminology/terminology.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import type { CompiledFilters } from '../filters.ts';
import { ImageCache } from '../image-cache.ts';
import { isShortEnough } from '../query-words.ts';
import { type ConceptParameter, type ConceptQuery, readConceptQuery } from './concept-query.ts';
import { terminologyOf } from './image-terminology.ts';
import type { AskedClauses } from './matched-by.ts';
import type { AskedTexts } from './reading-notices.ts';

/** The texts of one request, each as concepts read it, beside the filters of both ways to match. */

/** Of each kind, for one image. */
export const KEPT_QUERIES = 500;
const queries = new ImageCache<{ query: ConceptQuery | null }>(KEPT_QUERIES);

export type MatchedTopic = NonNullable<MatchingRecord['topic']>;

/** A filter by text that concepts expand. */
export interface FieldQuery {
  parameter: 'intervention' | 'condition';
  value: string;
  query: ConceptQuery;
}

export interface Both {
  image: SnapshotImage;
  terminology: Terminology;
  /** Null without `q`. */
  query: ConceptQuery | null;
  fields: FieldQuery[];
  /** Null without `topic`. */
  topic: MatchedTopic | null;
  strict: CompiledFilters;
  expanded: CompiledFilters;
  /** Year of the records: that of the snapshot. */
  year: string;
  asked: AskedTexts;
}

/** A text as concepts read it; null where it holds no word, or too many, . */
export function conceptQueryOf(image: SnapshotImage, text: string, parameter: ConceptParameter): ConceptQuery | null {
  return readQuery(text, image, terminologyOf(image), parameter);
}

export function readQuery(
  text: string,
  image: SnapshotImage,
  terminology: Terminology,
  parameter: ConceptParameter = 'q',
): ConceptQuery | null {
  const key = `${parameter} ${text}`;
  const known = queries.get(image, key);
  if (known !== undefined) return known.query;
  const query = isShortEnough(text) ? readConceptQuery(text, image, terminology, parameter) : null;
  queries.set(image, key, { query });
  return query;
}

/** That of `q`, then that of each filter by text. */
export function askedQueries({ query, fields }: Pick<Both, 'query' | 'fields'>): ConceptQuery[] {
  return [...(query === null ? [] : [query]), ...fields.map((field) => field.query)];
}

/** The texts that concepts read. */
export function readTexts({ query, fields }: Both): ReadonlyMap<keyof AskedTexts, ConceptQuery> {
  const ofFields = fields.map((field) => [field.parameter, field.query] as const);
  return new Map<keyof AskedTexts, ConceptQuery>([...(query === null ? [] : [['q', query] as const]), ...ofFields]);
}

/** Operators in any of these texts; parentheses by themselves change nothing. */
export function askedOperators({ asked: { q, intervention, condition } }: Both): string[] {
  const all = [q, intervention, condition].flatMap((text) => (text === undefined ? [] : operatorsIn(text)));
  const operators = [...new Set(all)].filter((one) => one !== '*');
  return operators.some((one) => one !== 'parentheses') ? operators : [];
}

/** The parts of `q`, then those of each filter by text. */
export function askedClauses({ query, fields }: Pick<Both, 'query' | 'fields'>): AskedClauses[] {
  return [
    ...(query === null ? [] : [{ clauses: query.clauses }]),
    ...fields.map((field) => ({ parameter: field.parameter, clauses: field.query.clauses })),
  ];
}
