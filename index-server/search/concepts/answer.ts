import {
  type AlsoMatchingRecord,
  CURATED_TOPICS,
  type MatchGroundRecord,
  type MatchingRecord,
} from '../../../contract/schemas/matching.ts';
import { POSTING } from '../../../snapshot-format/serving-columns.ts';
import { type TextUnit, textUnits } from '../../../snapshot-format/tokens.ts';
import type { TermSource } from '../../../terminology/source-file.ts';
import type { Terminology } from '../../../terminology/terminology.ts';
import { membersOf } from '../../modality/trial-texts.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { type CompiledFilters, fieldRequirements, filtersKey, type Requirement } from '../filters.ts';
import { ImageCache } from '../image-cache.ts';
import { matchingRows } from '../matching.ts';
import { partsOf, partsOfText } from '../relevance.ts';
import { intersect, type RowSet } from '../row-set.ts';
import { conceptNames } from './concept-names.ts';
import { type ConceptParameter, type ConceptQuery, type ConceptTree, readConceptQuery } from './concept-query.ts';
import { terminologyOf } from './image-terminology.ts';
import { type AskedClauses, matchGrounds } from './matched-by.ts';
import { operatorsIn } from './parse.ts';
import { type AskedTexts, asksForSomething, noticesByConcepts, noticesByWords } from './reading-notices.ts';
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
  /** Trials that match=concepts finds besides and in all; null where that is not said. */
  byConcepts(): { added: number; total: number } | null;
  /** Additions to `_meta`. */
  meta(explain: boolean): { matching?: MatchingRecord; alsoMatching?: AlsoMatchingRecord; notices?: string[] };
}

type MatchedTopic = NonNullable<MatchingRecord['topic']>;

interface Asked extends AskedTexts {
  topic: string | undefined;
  match: 'words' | 'concepts';
  /** That of the records. */
  year: string;
}

/** A filter by text that concepts expand. */
interface FieldQuery {
  parameter: 'intervention' | 'condition';
  value: string;
  query: ConceptQuery;
}

interface Both {
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

const queries = new ImageCache<{ query: ConceptQuery | null }>(KEPT_QUERIES);
const differences = new ImageCache<{ added: number; lost: number; strict: number; expanded: number }>(KEPT_QUERIES);

/**
 * Reads `q`, `topic`, `intervention` and `condition` under the asked mode. `strict` are the filters as compiled for
 * match=words. Null where concepts are asked for and the image was made without a terminology, before its topics were read
 * by concepts, or before it knew in which field a concept stands.
 */
export function matchedFilters(
  image: SnapshotImage,
  strict: CompiledFilters,
  { topic, match, year, ...asked }: Asked,
): MatchedFilters | null {
  const { q, intervention, condition } = asked;
  const plain = { compiled: strict, parts: partsOfText(strict.text), groundsOf: null, byConcepts: () => null };
  const texts = Object.entries({ intervention, condition }).filter(([, value]) => value !== undefined);
  const byWords = () => noticesIn(noticesByWords(asked));
  if (q === undefined && topic === undefined && texts.length === 0) return { ...plain, meta: byWords };
  const terminology = terminologyOf(image);
  const matchedTopic = topic === undefined ? null : topicOf(image, topic);
  if (terminology === null || matchedTopic === undefined || (texts.length > 0 && !image.hasTextFields)) {
    return match === 'concepts' ? null : { ...plain, meta: byWords };
  }
  const query = q === undefined ? null : readQuery(q, image, terminology);
  const fields = (texts as [FieldQuery['parameter'], string][]).flatMap(([parameter, value]): FieldQuery[] => {
    const read = readQuery(value, image, terminology, parameter);
    return read === null ? [] : [{ parameter, value, query: read }];
  });
  if (query === null && matchedTopic === null && fields.length === 0) return { ...plain, meta: byWords };
  const both: Both = {
    ...{ image, terminology, query, fields, topic: matchedTopic, strict, year, asked },
    expanded: expandedFilters(strict, query, fields, matchedTopic),
  };
  if (match === 'words') {
    const notices = () => noticesIn([...noticesByWords(asked, readTexts(both)), ...apartNotices(both)]);
    return { ...plain, byConcepts: () => byConcepts(both), meta: () => ({ ...notices(), ...alsoMatching(both) }) };
  }
  return {
    compiled: both.expanded,
    byConcepts: () => null,
    parts: query === null ? [] : partsOf(query.requirement),
    groundsOf: query === null && fields.length === 0 ? null : matchGrounds(image, terminology, askedClauses(both)),
    meta: (explain) => ({
      ...noticesIn(noticesByConcepts(asked, readTexts(both))),
      matching: matchingOf(both, explain),
    }),
  };
}

function noticesIn(notices: string[]): { notices?: string[] } {
  return notices.length > 0 ? { notices } : {};
}

/** Undefined where the image holds no reading of the topic. */
function topicOf(image: SnapshotImage, id: string): MatchedTopic | undefined {
  const reading = image.topics.find((one) => one.id === id)?.reading ?? undefined;
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

/** A text as concepts read it; null where it holds no word, or the image has no terminology. */
export function conceptQueryOf(image: SnapshotImage, text: string, parameter: ConceptParameter): ConceptQuery | null {
  const terminology = terminologyOf(image);
  const isRead = terminology !== null && (parameter === 'q' || image.hasTextFields);
  return isRead ? readQuery(text, image, terminology, parameter) : null;
}

function readQuery(
  text: string,
  image: SnapshotImage,
  terminology: Terminology,
  parameter: ConceptParameter = 'q',
): ConceptQuery | null {
  const key = `${parameter} ${text}`;
  const known = queries.get(image, key);
  if (known !== undefined) return known.query;
  const query = readConceptQuery(text, image, terminology, parameter);
  queries.set(image, key, { query });
  return query;
}

/** That of `q`, then that of each filter by text. */
function askedQueries({ query, fields }: Pick<Both, 'query' | 'fields'>): ConceptQuery[] {
  return [...(query === null ? [] : [query]), ...fields.map((field) => field.query)];
}

/** The texts that concepts read. */
function readTexts({ query, fields }: Both): ReadonlyMap<keyof AskedTexts, ConceptQuery> {
  const ofFields = fields.map((field) => [field.parameter, field.query] as const);
  return new Map<keyof AskedTexts, ConceptQuery>([...(query === null ? [] : [['q', query] as const]), ...ofFields]);
}

/** Operators in any of these texts; parentheses by themselves change nothing. */
function askedOperators({ asked: { q, intervention, condition } }: Both): string[] {
  const all = [q, intervention, condition].flatMap((text) => (text === undefined ? [] : operatorsIn(text)));
  const operators = [...new Set(all)].filter((one) => one !== '*');
  return operators.some((one) => one !== 'parentheses') ? operators : [];
}

/** The parts of `q`, then those of each filter by text. */
function askedClauses({ query, fields }: Pick<Both, 'query' | 'fields'>): AskedClauses[] {
  return [
    ...(query === null ? [] : [{ clauses: query.clauses }]),
    ...fields.map((field) => ({ parameter: field.parameter, clauses: field.query.clauses })),
  ];
}

/**
 * Trials of an answer by words that have the words of a name, but apart. Concepts find all others: each word by itself, and
 * each name of several words that stands together. What a topic, an operator or a mended slip changes is not told apart.
 */
function apartNotices(both: Both): string[] {
  if (both.topic !== null || askedQueries(both).some(({ respelt }) => respelt.length > 0)) return [];
  const readings = askedClauses(both)
    .filter(({ parameter }) => parameter !== 'condition')
    .flatMap(({ clauses }) => clauses.map(({ reading }) => reading));
  const names = readings
    .filter(({ kind, words }) => (kind === 'concept' || kind === 'names') && textUnits(words).length > 1)
    .map(({ words }) => `“${words}”`);
  if (names.length === 0 || askedOperators(both).length > 0) return [];
  const { lost, strict } = differenceOf(both);
  if (lost === 0) return [];
  const which = strict === 1 ? 'The one trial here' : `${lost} of these ${strict} trials`;
  const [have, them] = lost === 1 ? ['has', 'it'] : ['have', 'them'];
  const inSponsor = readings.some((one) => one.kind === 'concept' && one.inSponsor > 0);
  const alone = inSponsor ? " or the name of a concept in the sponsor's name alone" : '';
  return [
    `${which} ${have} the words of ${names.join(' or ')} apart${alone}, and no other name of it: match=concepts leaves ${them} out.`,
  ];
}

/** Null where concepts would read q as an exclusion alone: all other trials are no answer to the words. */
function byConcepts(both: Both): ReturnType<MatchedFilters['byConcepts']> {
  if (both.query !== null && !asksForSomething(both.query.tree)) return null;
  const { added, expanded } = differenceOf(both);
  return { added, total: expanded };
}

/** What concepts would add and because of what. */
function alsoMatching(both: Both): { alsoMatching?: AlsoMatchingRecord } {
  const { year } = both;
  const found = byConcepts(both);
  if (found === null) return {};
  const read = (words: string[], source: string): AlsoMatchingRecord['because'] =>
    words.length === 0 ? [] : [{ words: words.join(', '), concept: null, heading: null, source, year }];
  const left = askedQueries(both).flatMap(({ leftOut }) => leftOut);
  const operators = operatorsIn(both.asked.q ?? '').filter((one) => one !== '*');
  const because = [...becauseOf(both), ...read(left, LEFT_OUT), ...read(operators, OPERATORS)];
  return { alsoMatching: { distinct: found.added, total: found.total, because } };
}

/** What the words of the request were read as: no synonym enters a count unnamed. */
function becauseOf(both: Both): AlsoMatchingRecord['because'] {
  const { image, terminology, topic, year } = both;
  const because = askedClauses(both).flatMap(({ parameter, clauses }) =>
    clauses.flatMap(({ reading }): AlsoMatchingRecord['because'] => {
      const asked = { ...(parameter && { parameter }), words: reading.words };
      if (reading.kind === 'names') {
        const heading = reading.names.map(({ name }) => name).join(', ');
        return [{ ...asked, concept: null, heading, source: OTHER_NAMES.name, year }];
      }
      if (reading.kind === 'words' && reading.writings.length > 1)
        return [{ ...asked, concept: null, heading: reading.writings.join(', '), source: WRITINGS, year }];
      if (reading.kind !== 'concept') return [];
      const { id, heading } = terminology.concepts[reading.concept]!;
      const source = terminology.sources.find((one) => one.id === reading.source);
      return [
        {
          ...{ ...asked, concept: id, heading, source: source?.name ?? reading.source, year: source?.year ?? '' },
          ...(parameter === undefined && topicWith(image, id)),
          ...(reading.inSponsor > 0 && { inSponsorOnly: reading.inSponsor }),
          ...(reading.sponsor !== null && { sponsorWords: reading.sponsor.words }),
        },
      ];
    }),
  );
  const heading = (topic?.concepts ?? []).map((one) => one.heading).join(', ');
  const ofTopic = topic === null ? [] : [{ words: topic.id, concept: null, heading, source: CURATED_TOPICS, year }];
  return [...because, ...ofTopic];
}

/** The topic of the fewest concepts that has this one. */
function topicWith({ topics }: SnapshotImage, concept: string): { topic?: string } {
  const having = topics.filter(({ reading }) => reading?.concepts.some(({ id }) => id === concept));
  const sizeOf = (one: (typeof topics)[number]): number => one.reading?.concepts.length ?? 0;
  const [first] = having.sort((one, other) => sizeOf(one) - sizeOf(other));
  return first === undefined ? {} : { topic: first.id };
}

function matchingOf(both: Both, explain: boolean): MatchingRecord {
  const { terminology, query, fields, topic, image } = both;
  const read = askedQueries(both);
  const { strict, expanded, lost } = differenceOf(both);
  const operators = askedOperators(both);
  return {
    strict,
    expanded,
    strictOnly: lost,
    ...(operators.length > 0 && { strictNote: strictNote(operators) }),
    because: becauseOf(both),
    ...(topic && { topic: { ...topic, elsewhere: elsewhereOf(both, topic) } }),
    sources: sourcesOf(both),
    leftOut: read.flatMap(({ leftOut }) => leftOut),
    respelt: read.flatMap(({ respelt }) => respelt),
    ...(explain && query ? { query: explained(query.tree, terminology, image) } : {}),
    ...(explain && fields.length > 0 ? { fields: explainedFields(both) } : {}),
  };
}

/** Trials that have a concept of the topic as q would find it, and are not in the topic. */
function elsewhereOf({ image, terminology, expanded }: Both, topic: MatchedTopic): number {
  const named = topic.concepts.flatMap(({ id }): Requirement[] => {
    const concept = terminology.numberOf(id);
    const names = concept === undefined ? [] : conceptNames(image, terminology, concept).inText;
    return [POSTING.concept + id, ...names.map(({ requirement }) => requirement)];
  });
  const excluded = topic.without.map(({ id }) => POSTING.concept + id);
  const inTopic = POSTING.topicByConcepts + topic.id;
  const instead: Requirement = { allOf: [{ anyOf: named }, { not: { anyOf: [inTopic, ...excluded] } }] };
  const requirements = expanded.requirements.map((one) => (one === inTopic ? instead : one));
  return matchingRows(image, { ...expanded, requirements }).count;
}

/** Beside operators the strict count is of another question. */
function strictNote(operators: readonly string[]): string {
  return `match=words takes no operators (${operators.join(', ')}): strict counts the trials with all words of the text, OR, AND and NOT among them and also those that are left out here. It is no part of this answer and no measure of it.`;
}

function explainedFields({ fields, terminology, image }: Both): MatchingRecord['fields'] {
  return Object.fromEntries(
    fields.map(({ parameter, query }) => [parameter, explained(query.tree, terminology, image)]),
  );
}

/** The terminology's sources, as soon as any concept counts; and the records, where they stated a name. */
function sourcesOf(both: Both): MatchingRecord['sources'] {
  const { terminology, topic, year } = both;
  const kinds = new Set(askedClauses(both).flatMap(({ clauses }) => clauses.map(({ reading }) => reading.kind)));
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
