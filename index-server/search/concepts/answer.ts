import type {
  AlsoMatchingRecord,
  MatchGroundRecord,
  MatchingRecord,
} from '../../../contract/schemas/trials/matching.ts';
import { POSTING } from '../../../snapshot/format/serving-columns.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { type CompiledFilters, fieldRequirements, type Requirement } from '../filters.ts';
import { partsOf } from '../relevance.ts';
import { askedClauses, type Both, type FieldQuery, type MatchedTopic, readQuery, readTexts } from './asked.ts';
import type { ConceptQuery } from './concept-query.ts';
import { terminologyOf } from './image-terminology.ts';
import { matchGrounds } from './matched-by.ts';
import { type AskedTexts, readingNotices } from './reading-notices.ts';
import { alsoMatching, byConcepts, leftOutNotices, matchingOf } from './told.ts';

/** The filters of a request with its free text read in both ways. */
export interface MatchedFilters {
  /** As the request asks for them. */
  compiled: CompiledFilters;
  /** The parts of `q` that earn points by relevance. */
  parts: Requirement[];
  /** Why a trial of the answer matched; null unless concepts are asked for. */
  groundsOf: ((row: number) => MatchGroundRecord[]) | null;
  /** Trials that match=concepts finds besides and in all; null where that is not said. */
  byConcepts(): { added: number; total: number } | null;
  /** Additions to `_meta`. */
  meta(explain: boolean): { matching?: MatchingRecord; alsoMatching?: AlsoMatchingRecord; notices?: string[] };
}

interface Asked extends AskedTexts {
  topic: string | undefined;
  match: 'words' | 'concepts';
  /** That of the records. */
  year: string;
}

/**
 * Reads `q`, `topic`, `intervention` and `condition` under the asked mode. `strict` are the filters as compiled for
 * match=words. Null where concepts are asked for and the image lacks the topic.
 */
export function matchedFilters(
  image: SnapshotImage,
  strict: CompiledFilters,
  { topic, match, year, ...asked }: Asked,
): MatchedFilters | null {
  const { q, intervention, condition } = asked;
  const plain = { compiled: strict, parts: strict.text, groundsOf: null, byConcepts: () => null };
  const texts = Object.entries({ intervention, condition }).filter(([, value]) => value !== undefined);
  const byWords = () => noticesIn(readingNotices(asked, 'words'));
  if (q === undefined && topic === undefined && texts.length === 0) return { ...plain, meta: byWords };
  const terminology = terminologyOf(image);
  const matchedTopic = topic === undefined ? null : topicOf(image, topic);
  if (matchedTopic === undefined) {
    return match === 'concepts' ? null : { ...plain, meta: byWords };
  }
  const readBoth = (): Both | null => {
    const query = q === undefined ? null : readQuery(q, image, terminology);
    const fields = (texts as [FieldQuery['parameter'], string][]).flatMap(([parameter, value]): FieldQuery[] => {
      const read = readQuery(value, image, terminology, parameter);
      return read === null ? [] : [{ parameter, value, query: read }];
    });
    if (query === null && matchedTopic === null && fields.length === 0) return null;
    return {
      ...{ image, terminology, query, fields, topic: matchedTopic, strict, year, asked },
      expanded: expandedFilters(strict, query, fields, matchedTopic),
    };
  };
  if (match === 'words') {
    // Read by whoever asks what concepts would find besides.
    const read = once(readBoth);
    const meta = once(() => {
      const both = read();
      if (both === null) return byWords();
      const notices = [...readingNotices(asked, 'words', readTexts(both)), ...leftOutNotices(both)];
      return { ...noticesIn(notices), ...alsoMatching(both) };
    });
    return {
      ...plain,
      byConcepts: () => {
        const both = read();
        return both && byConcepts(both);
      },
      meta,
    };
  }
  const both = readBoth();
  if (both === null) return { ...plain, meta: byWords };
  const { query, fields } = both;
  return {
    compiled: both.expanded,
    byConcepts: () => null,
    parts: query === null ? [] : partsOf(query.requirement),
    // Anew for each answer: it holds views of the image.
    get groundsOf() {
      return query === null && fields.length === 0 ? null : matchGrounds(image, terminology, askedClauses(both));
    },
    meta: once((explain) => ({
      ...noticesIn(readingNotices(asked, 'concepts', readTexts(both))),
      matching: matchingOf(both, explain),
    })),
  };
}

/** Made once for each argument, since all operations that are asked with the same filters ask for it. */
function once<Given extends readonly [argument?: unknown], Made>(
  make: (...given: Given) => Made,
): (...given: Given) => Made {
  const made = new Map<unknown, Made>();
  return (...given) => {
    const [argument] = given;
    if (!made.has(argument)) made.set(argument, make(...given));
    return made.get(argument) as Made;
  };
}

function noticesIn(notices: string[]): { notices?: string[] } {
  return notices.length > 0 ? { notices } : {};
}

/** Undefined where the image lacks the topic. */
function topicOf(image: SnapshotImage, id: string): MatchedTopic | undefined {
  const reading = image.topics.find((one) => one.id === id)?.reading;
  return reading && { id, ...reading };
}

function expandedFilters(
  strict: CompiledFilters,
  query: ConceptQuery | null,
  fields: readonly FieldQuery[],
  topic: MatchedTopic | null,
): CompiledFilters {
  const byConcepts = (one: Requirement): Requirement =>
    topic !== null && one === POSTING.topic + topic.id ? POSTING.topicByConcepts + topic.id : one;
  const byWords = fields.flatMap(({ parameter, value }) => fieldRequirements(parameter, value));
  const replaced = new Set(byWords.map((one) => JSON.stringify(one)));
  const kept = strict.requirements.filter((one) => !replaced.has(JSON.stringify(one)));
  const requirements = [...kept.map(byConcepts), ...fields.map(fieldRequirement)];
  if (query === null) return { ...strict, requirements };
  return { ...strict, text: [], requirements: [...requirements, query.requirement] };
}

/** A condition that is a registry's whole term stays one, whatever its words are read as. */
function fieldRequirement({ parameter, value, query: { requirement } }: FieldQuery): Requirement {
  if (parameter === 'intervention') return requirement;
  return { anyOf: [...fieldRequirements(parameter, value), requirement] };
}
