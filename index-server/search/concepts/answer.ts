import { CONCEPT_QUERY_MAX_WORDS } from '../../../contract/limits/limits.ts';
import type {
  AlsoMatchingRecord,
  MatchGroundRecord,
  MatchingRecord,
} from '../../../contract/schemas/trials/matching.ts';
import { POSTING } from '../../../snapshot/format/serving-columns.ts';
import { textPieces } from '../../../snapshot/format/words/tokens.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { type CompiledFilters, fieldRequirements, type Requirement } from '../filters.ts';
import { partsOf } from '../relevance.ts';
import { type ConceptParameter, readConceptQuery, SEARCHED_FIELDS } from './concept-query.ts';
import { terminologyOf } from './image-terminology.ts';
import { matchGrounds } from './matched-by.ts';
import { alsoMatching, matchingOf } from './matching-record.ts';
import type { Readings, ReadText } from './readings.ts';

/** Texts that match=concepts reads. */
export const CONCEPT_PARAMETERS = Object.keys(SEARCHED_FIELDS) as ConceptParameter[];

type ConceptTexts = { readonly [Name in ConceptParameter]?: string | undefined };

/** The filters of a request with its free text read as it asks for. */
export interface MatchedFilters {
  compiled: CompiledFilters;
  /** The parts of `q` that earn points by relevance. */
  parts: Requirement[];
  /** Why a trial of the answer matched; null unless concepts are asked for. */
  groundsOf: ((row: number) => MatchGroundRecord[]) | null;
  /** Null where the request has nothing that concepts read. */
  readings: () => Readings | null;
  /** Additions to `_meta`. */
  meta(explain: boolean): { matching?: MatchingRecord; alsoMatching?: AlsoMatchingRecord };
}

interface Asked extends ConceptTexts {
  topic?: string | undefined;
  match: 'words' | 'concepts';
  /** That of the records. */
  year: string;
}

/** Reads the texts of a request under the asked mode. `strict` are the filters as compiled for match=words. */
export function matchedFilters(image: SnapshotImage, strict: CompiledFilters, asked: Asked): MatchedFilters {
  let read: { texts: Readings | null } | null = null;
  const readings = (): Readings | null => {
    read ??= { texts: readTexts(image, strict, asked) };
    return read.texts;
  };
  const both = asked.match === 'concepts' ? readings() : null;
  if (both === null) {
    const meta = () => {
      const texts = asked.match === 'words' ? readings() : null;
      return texts === null ? {} : alsoMatching(texts);
    };
    return { compiled: strict, parts: strict.text, groundsOf: null, readings, meta };
  }
  const q = both.texts.find(({ parameter }) => parameter === 'q');
  return {
    compiled: both.expanded,
    parts: q === undefined ? [] : partsOf(q.query.requirement),
    // Anew for each answer: it holds views of the image.
    get groundsOf() {
      return both.texts.length === 0 ? null : matchGrounds(both);
    },
    readings,
    meta: (explain) => ({ matching: matchingOf(both, explain) }),
  };
}

function readTexts(image: SnapshotImage, strict: CompiledFilters, asked: Asked): Readings | null {
  const named = image.topics.find(({ id }) => id === asked.topic);
  const topic = named === undefined ? null : { id: named.id, ...named.reading };
  const given = CONCEPT_PARAMETERS.filter((name) => asked[name] !== undefined);
  if (given.length === 0 && topic === null) return null;
  const terminology = terminologyOf(image);
  const texts = given.flatMap((parameter): ReadText[] => {
    const value = asked[parameter] as string;
    const query = isShortEnough(value) ? readConceptQuery(value, image, terminology, parameter) : null;
    return query === null ? [] : [{ parameter, value, query }];
  });
  if (texts.length === 0 && topic === null) return null;
  const expanded = expandedFilters(strict, texts, topic?.id);
  return { image, terminology, texts, topic, strict, expanded, year: asked.year };
}

function expandedFilters(strict: CompiledFilters, texts: readonly ReadText[], topic?: string): CompiledFilters {
  const ofFields = texts.filter(({ parameter }) => parameter !== 'q');
  const byWords = ofFields.flatMap(({ parameter, value }) => fieldRequirements(parameter as 'condition', value));
  const replaced = new Set(byWords.map((one) => JSON.stringify(one)));
  const kept = strict.requirements
    .filter((one) => !replaced.has(JSON.stringify(one)))
    .map((one) => (one === POSTING.topic + topic ? POSTING.topicByConcepts + topic : one));
  const q = texts.find(({ parameter }) => parameter === 'q');
  const requirements = [...kept, ...ofFields.map(fieldRequirement), ...(q === undefined ? [] : [q.query.requirement])];
  return { ...strict, ...(q !== undefined && { text: [] }), requirements };
}

/** A condition that is a registry's whole term stays one, whatever its words are read as. */
function fieldRequirement({ parameter, value, query: { requirement } }: ReadText): Requirement {
  return parameter === 'condition' ? { anyOf: [...fieldRequirements(parameter, value), requirement] } : requirement;
}

/** Says of a text whether it has few enough words to be read as concepts. */
export function isShortEnough(text: string): boolean {
  return textPieces(text).length <= CONCEPT_QUERY_MAX_WORDS;
}

/** The first text with too many words for match=concepts, refused before any of them is looked up. */
export function tooManyWords(
  texts: ConceptTexts & { match?: string | undefined },
): { parameter: string; expected: string } | null {
  if (texts.match !== 'concepts') return null;
  const parameter = CONCEPT_PARAMETERS.find((name) => texts[name] !== undefined && !isShortEnough(texts[name]));
  if (parameter === undefined) return null;
  const expected = `at most ${CONCEPT_QUERY_MAX_WORDS} words with match=concepts, where each may be a name; leave out those that say little, or send match=words`;
  return { parameter, expected };
}
