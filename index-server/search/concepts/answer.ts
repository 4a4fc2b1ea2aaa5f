import {
  type AlsoMatchingRecord,
  CURATED_TOPICS,
  type MatchGroundRecord,
  type MatchingRecord,
} from '../../../contract/schemas/matching.ts';
import { POSTING } from '../../../snapshot-format/serving-columns.ts';
import type { TextUnit } from '../../../snapshot-format/tokens.ts';
import type { TermSource } from '../../../terminology/source-file.ts';
import type { Terminology } from '../../../terminology/terminology.ts';
import { membersOf } from '../../modality/trial-texts.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { type CompiledFilters, filtersKey, type Requirement } from '../filters.ts';
import { ImageCache } from '../image-cache.ts';
import { matchingRows } from '../matching.ts';
import { partsOf, partsOfText } from '../relevance.ts';
import { intersect, type RowSet } from '../row-set.ts';
import { type ConceptQuery, type ConceptTree, readConceptQuery } from './concept-query.ts';
import { terminologyOf } from './image-terminology.ts';
import { matchGrounds } from './matched-by.ts';
import { operatorsIn } from './parse.ts';
import { isQuestionWord } from './plain-words.ts';
import type { StatedName } from './stated-names.ts';

/** Where the names come from that no terminology has. */
const OTHER_NAMES = {
  id: 'other-names',
  name: 'other names that the registry records state for interventions',
} as const;
const RECORDS_LICENCE = "the registries' own terms";
const WRITINGS = 'numbers as Roman numerals and Greek letters by their names, as match=concepts reads them';
const LEFT_OUT = 'words that match=concepts does not ask for';
const OPERATORS = 'operators of q under match=concepts';
const NO_WILDCARD =
  'match=concepts has no wildcards: * was left out, and what stands beside it was asked for as a whole word.';
const LOWER_CASE_OR = 'or was left out, so that both sides must hold; in capitals, OR asks for either.';
/** Most terms of a concept that `explain` shows. */
const EXPLAINED_TERMS = 30;
const KEPT_QUERIES = 500;

/** The filters of a request with its free text read in both ways. */
export interface MatchedFilters {
  /** As the request asks for them. */
  compiled: CompiledFilters;
  /** The parts of `q` that earn points by relevance. */
  parts: Requirement[];
  /** Why a trial of the answer matched; null unless concepts are asked for. */
  groundsOf: ((row: number) => MatchGroundRecord[]) | null;
  /** Additions to `_meta`. */
  meta(explain: boolean): { matching?: MatchingRecord; alsoMatching?: AlsoMatchingRecord; notices?: string[] };
}

type MatchedTopic = NonNullable<MatchingRecord['topic']>;

interface Asked {
  q: string | undefined;
  topic: string | undefined;
  match: 'words' | 'concepts';
  /** That of the records. */
  year: string;
}

interface Both {
  image: SnapshotImage;
  terminology: Terminology;
  /** Null without `q`. */
  query: ConceptQuery | null;
  /** Null without `topic`. */
  topic: MatchedTopic | null;
  strict: CompiledFilters;
  expanded: CompiledFilters;
  /** Year of the records: that of the snapshot. */
  year: string;
}

const queries = new ImageCache<{ query: ConceptQuery | null }>(KEPT_QUERIES);
const differences = new ImageCache<{ added: number; lost: number; strict: number; expanded: number }>(KEPT_QUERIES);

/**
 * Reads `q` and `topic` under the asked mode. `strict` are the filters as compiled for match=words. Null where concepts are
 * asked for and the image was made without a terminology, or before its topics were read by concepts.
 */
export function matchedFilters(
  image: SnapshotImage,
  strict: CompiledFilters,
  { q, topic, match, year }: Asked,
): MatchedFilters | null {
  const plain = { compiled: strict, parts: partsOfText(strict.text), groundsOf: null };
  if (q === undefined && topic === undefined) return { ...plain, meta: () => ({}) };
  const terminology = terminologyOf(image);
  const notices = match === 'words' && q !== undefined ? noticesOf(q) : {};
  const matchedTopic = topic === undefined ? null : topicOf(image, topic);
  if (terminology === null || matchedTopic === undefined) {
    return match === 'concepts' ? null : { ...plain, meta: () => notices };
  }
  const query = q === undefined ? null : readQuery(q, image, terminology);
  if (query === null && matchedTopic === null) return { ...plain, meta: () => notices };
  const both: Both = {
    ...{ image, terminology, query, topic: matchedTopic, strict, year },
    expanded: expandedFilters(strict, query, matchedTopic),
  };
  if (match === 'words') return { ...plain, meta: () => ({ ...notices, ...alsoMatching(both, q ?? '') }) };
  return {
    compiled: both.expanded,
    parts: query === null ? [] : partsOf(query.requirement),
    groundsOf: query === null ? null : matchGrounds(image, terminology, query),
    meta: (explain) => ({ ...conceptNotices(q ?? '', query), matching: matchingOf(both, explain) }),
  };
}

/** Undefined where the image holds no reading of the topic. */
function topicOf(image: SnapshotImage, id: string): MatchedTopic | undefined {
  const reading = image.topics.find((one) => one.id === id)?.reading ?? undefined;
  return reading && { id, ...reading };
}

function expandedFilters(
  strict: CompiledFilters,
  query: ConceptQuery | null,
  topic: MatchedTopic | null,
): CompiledFilters {
  const byConcepts = (one: Requirement): Requirement =>
    topic !== null && one === POSTING.topic + topic.id ? POSTING.topicByConcepts + topic.id : one;
  const requirements = strict.requirements.map(byConcepts);
  if (query === null) return { ...strict, requirements };
  return { ...strict, text: [], requirements: [...requirements, query.requirement] };
}

function readQuery(q: string, image: SnapshotImage, terminology: Terminology): ConceptQuery | null {
  const known = queries.get(image, q);
  if (known !== undefined) return known.query;
  const query = readConceptQuery(q, image, terminology);
  queries.set(image, q, { query });
  return query;
}

function noticesOf(q: string): { notices?: string[] } {
  const operators = operatorsIn(q);
  if (operators.length === 0) return {};
  return {
    notices: [
      `With match=words, q takes no operators (${operators.join(', ')}): letters are read as a word, signs are left out, and all words must occur. match=concepts takes OR, AND, NOT, -word and parentheses; neither takes *.`,
    ],
  };
}

/** What the caller may have meant otherwise than it was read. */
function conceptNotices(q: string, query: ConceptQuery | null): { notices?: string[] } {
  const left = (query?.leftOut ?? []).filter(isQuestionWord);
  const notices = [
    ...(q.includes('*') ? [NO_WILDCARD] : []),
    ...(query?.leftOut.includes('or') ? [LOWER_CASE_OR] : []),
    ...(left.length > 0
      ? [`${left.join(', ')}: words of a question were not asked for; in quotation marks they are.`]
      : []),
  ];
  return notices.length > 0 ? { notices } : {};
}

/**
 * What concepts would add and because of what. Nothing where they would read q as an exclusion alone: all other trials are
 * no answer to the words.
 */
function alsoMatching(both: Both, q: string): { alsoMatching?: AlsoMatchingRecord } {
  const { terminology, query, topic, year } = both;
  if (query !== null && !asksForSomething(query.tree)) return {};
  const because = (query?.clauses ?? []).flatMap(({ reading }): AlsoMatchingRecord['because'] => {
    const plain = { words: reading.words, concept: null, year };
    if (reading.kind === 'names') {
      const heading = reading.names.map(({ name }) => name).join(', ');
      return [{ ...plain, heading, source: OTHER_NAMES.name }];
    }
    if (reading.kind === 'words' && reading.writings.length > 1) {
      return [{ ...plain, heading: reading.writings.join(', '), source: WRITINGS }];
    }
    if (reading.kind !== 'concept') return [];
    const { id, heading } = terminology.concepts[reading.concept]!;
    const source = terminology.sources.find((one) => one.id === reading.source);
    return [
      { words: reading.words, concept: id, heading, source: source?.name ?? reading.source, year: source?.year ?? '' },
    ];
  });
  const heading = (topic?.concepts ?? []).map((one) => one.heading).join(', ');
  const ofTopic = topic === null ? [] : [{ words: topic.id, concept: null, heading, source: CURATED_TOPICS, year }];
  const read = (words: string[], source: string): AlsoMatchingRecord['because'] =>
    words.length === 0 ? [] : [{ words: words.join(', '), concept: null, heading: null, source, year }];
  const operators = operatorsIn(q).filter((one) => one !== '*');
  return {
    alsoMatching: {
      distinct: differenceOf(both).added,
      because: [...because, ...ofTopic, ...read(query?.leftOut ?? [], LEFT_OUT), ...read(operators, OPERATORS)],
    },
  };
}

/** Whether what is found has to have something: an exclusion alone is met by nearly every trial. */
function asksForSomething(tree: ConceptTree): boolean {
  if ('clause' in tree) return true;
  if ('not' in tree) return false;
  return 'all' in tree ? tree.all.some(asksForSomething) : tree.any.every(asksForSomething);
}

function matchingOf(both: Both, explain: boolean): MatchingRecord {
  const { terminology, query, topic } = both;
  const { strict, expanded, lost } = differenceOf(both);
  return {
    strict,
    expanded,
    strictOnly: lost,
    ...(topic && { topic }),
    sources: sourcesOf(both),
    leftOut: query?.leftOut ?? [],
    respelt: query?.respelt ?? [],
    ...(explain && query ? { query: explained(query.tree, terminology, both.image) } : {}),
  };
}

/** The terminology's sources, as soon as any concept counts; and the records, where they stated a name. */
function sourcesOf({ terminology, query, topic, year }: Both): MatchingRecord['sources'] {
  const kinds = new Set((query?.clauses ?? []).map(({ reading }) => reading.kind));
  return [
    ...(kinds.has('concept') || topic !== null
      ? terminology.sources.map(({ id, name, year, licence }) => ({ id, name, year, licence }))
      : []),
    ...(kinds.has('names') ? [{ ...OTHER_NAMES, year, licence: RECORDS_LICENCE }] : []),
  ];
}

function differenceOf({ image, strict, expanded }: Both) {
  const key = keyOf(strict, expanded);
  const known = key === null ? undefined : differences.get(image, key);
  if (known !== undefined) return known;
  const [words, concepts] = [matchingRows(image, strict), matchingRows(image, expanded)];
  const common = shared(words, concepts);
  const made = {
    strict: words.count,
    expanded: concepts.count,
    added: concepts.count - common,
    lost: words.count - common,
  };
  if (key !== null) differences.set(image, key, made);
  return made;
}

function keyOf(strict: CompiledFilters, expanded: CompiledFilters): string | null {
  const [one, other] = [filtersKey(strict), filtersKey(expanded)];
  return one === null || other === null ? null : `${one} ${other}`;
}

function shared(one: RowSet, other: RowSet): number {
  return one.count === 0 || other.count === 0 ? 0 : intersect([one, other]).count;
}

/** The tree of a query as it is shown. */
function explained(tree: ConceptTree, terminology: Terminology, image: SnapshotImage): Record<string, unknown> {
  const inner = (one: ConceptTree) => explained(one, terminology, image);
  if ('all' in tree) return { all: tree.all.map(inner) };
  if ('any' in tree) return { any: tree.any.map(inner) };
  if ('not' in tree) return { not: inner(tree.not) };
  const { reading } = tree.clause;
  if (reading.kind === 'phrase') return { phrase: reading.words };
  if (reading.kind === 'words') {
    const { words, writings } = reading;
    return { words, ...(writings.length > 1 && { writings }) };
  }
  if (reading.kind === 'names') {
    return { words: reading.words, otherNames: reading.names.map((name) => shownName(name, image)) };
  }
  const { id, heading } = terminology.concepts[reading.concept]!;
  const names: { term: string; source: TermSource }[] = terminology.namesOf(reading.concept);
  return {
    words: reading.words,
    concept: id,
    heading,
    term: reading.term,
    source: reading.source,
    names: names.slice(0, EXPLAINED_TERMS),
    moreNames: Math.max(0, names.length - EXPLAINED_TERMS),
    namesInText: reading.inText.map(({ units }) => textOf(units)),
  };
}

function textOf(units: readonly TextUnit[]): string {
  return units.map((unit) => (unit.kind === 'word' ? unit.key : unit.parts.join('-'))).join(' ');
}

function shownName({ name, trials, example }: StatedName, image: SnapshotImage) {
  const [canonicalId] = membersOf<string>(image.slice(example, 'head'), 'canonicalId');
  return { name, trials, example: canonicalId };
}
