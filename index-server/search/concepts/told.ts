import {
  type AlsoMatchingRecord,
  CURATED_TOPICS,
  type MatchingRecord,
} from '../../../contract/schemas/trials/matching.ts';
import { POSTING } from '../../../snapshot/format/serving-columns.ts';
import { operatorsIn } from '../../../snapshot/format/words/query-syntax.ts';
import { type TextUnit, textUnits } from '../../../snapshot/format/words/tokens.ts';
import type { TermSource } from '../../../snapshot/terminology/source-file.ts';
import type { Terminology } from '../../../snapshot/terminology/terminology.ts';
import { membersOf } from '../../modality/trial-texts.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { type CompiledFilters, filtersKey, type Requirement, unitRequirement } from '../filters.ts';
import { ImageCache } from '../image-cache.ts';
import { matchingRows } from '../matching.ts';
import { commonCount, without } from '../row-set.ts';
import { askedClauses, askedOperators, askedQueries, type Both, KEPT_QUERIES } from './asked.ts';
import type { ConceptTree } from './concept-query.ts';
import { asksForSomething } from './reading-notices.ts';
import type { StatedName } from './stated-names.ts';

/** What an answer tells of how its question was read, and of what the other way to match would find. */

/** Where the names come from that no terminology has. */
const OTHER_NAMES = {
  id: 'other-names',
  name: 'other names that the registry records state for interventions',
} as const;
const RECORDS_LICENCE = "the registries' own terms";
const WRITINGS = 'numbers as Roman numerals and Greek letters by their names, as match=concepts reads them';
const LEFT_OUT = 'words that match=concepts does not ask for';
const OPERATORS = 'operators of q under match=concepts';

const INSIDE =
  'only inside a longer name, behind a word such as non or without, or in the description of an intervention';
const APART = "apart or in the sponsor's name alone";

const differences = new ImageCache<{ added: number; lost: number; strict: number; expanded: number }>(KEPT_QUERIES);

/** How many trials words find, concepts find, and only one of them finds. */
function differenceOf({ image, strict, expanded }: Both) {
  const key = keyOf(strict, expanded);
  const known = key === null ? undefined : differences.get(image, key);
  if (known !== undefined) return known;
  const [words, concepts] = [matchingRows(image, strict), matchingRows(image, expanded)];
  const common = commonCount(words, concepts);
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

/**
 * Trials of an answer by words that concepts leave out: they have the words of a name only inside a longer one, or apart. What a
 * topic, an operator or a mended slip changes is not told apart.
 */
export function leftOutNotices(both: Both): string[] {
  if (both.topic !== null || askedQueries(both).some(({ respelt }) => respelt.length > 0)) return [];
  if (askedOperators(both).length > 0) return [];
  const named = askedClauses(both)
    .filter(({ parameter }) => parameter !== 'condition')
    .flatMap(({ parameter = 'q' as const, clauses }) => clauses.map(({ reading }) => ({ parameter, reading })))
    .filter(({ reading: { kind } }) => kind === 'concept' || kind === 'names');
  const { lost, strict } = differenceOf(both);
  if (named.length === 0 || lost === 0) return [];
  const together = named.map(({ reading: { words } }) => namedOutsideSponsor(textUnits(words)));
  const inside = countWith(both, together);
  const names = named.map(({ reading: { words } }) => `“${words}”`).join(' or ');
  const inBothWays = `in other ways: ${inside} ${INSIDE}; ${lost - inside} ${APART}`;
  const where = inside === lost ? INSIDE : inside === 0 ? APART : inBothWays;
  const calls = [...new Map(named.map(({ parameter }) => [parameter, both.asked[parameter]]))];
  const call = `${calls.map(([parameter, text]) => `${parameter}=${text}`).join('&')}&match=concepts`;
  const [have, them] = lost === 1 ? ['has', 'it'] : ['have', 'them'];
  const which = strict === 1 ? 'The one trial here' : `${lost} of these ${strict} trials`;
  return [`${which} ${have} the words of ${names} ${where}: ${call} leaves ${them} out.`];
}

/** The words side by side, not all of them in the sponsor's name. */
function namedOutsideSponsor(units: TextUnit[]): Requirement {
  const [only] = units;
  const inText = units.length === 1 && only !== undefined ? unitRequirement(only, POSTING.text) : { phrase: units };
  return { allOf: [inText, { not: { allOf: units.map((unit) => unitRequirement(unit, POSTING.sponsor)) } }] };
}

/** Of the trials that concepts leave out, those that also meet these. */
function countWith({ image, strict, expanded }: Both, requirements: readonly Requirement[]): number {
  const words = matchingRows(image, { ...strict, requirements: [...strict.requirements, ...requirements] });
  return without(words, matchingRows(image, expanded)).count;
}

/** Null where concepts would read q as an exclusion alone: all other trials are no answer to the words. */
export function byConcepts(both: Both): { added: number; total: number } | null {
  if (both.query !== null && !asksForSomething(both.query.tree)) return null;
  const { added, expanded } = differenceOf(both);
  return { added, total: expanded };
}

/** What concepts would add and because of what. */
export function alsoMatching(both: Both): { alsoMatching?: AlsoMatchingRecord } {
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

export function matchingOf(both: Both, explain: boolean): MatchingRecord {
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
    ...(topic && { topic }),
    sources: sourcesOf(both),
    leftOut: read.flatMap(({ leftOut }) => leftOut),
    respelt: read.flatMap(({ respelt }) => respelt),
    ...(explain && query ? { query: explained(query.tree, terminology, image) } : {}),
    ...(explain && fields.length > 0 ? { fields: explainedFields(both) } : {}),
  };
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

/** Most terms of a concept that `explain` shows. */
const EXPLAINED_TERMS = 30;

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
  };
}

function shownName({ name, trials, example }: StatedName, image: SnapshotImage) {
  const [canonicalId] = membersOf<string>(image.slice(example, 'head'), 'canonicalId');
  return { name, trials, example: canonicalId };
}
