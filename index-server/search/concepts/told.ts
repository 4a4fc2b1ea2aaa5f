import { type AlsoMatchingRecord, CURATED_TOPICS, type MatchingRecord } from '../../../contract/schemas/matching.ts';
import { POSTING } from '../../../snapshot-format/serving-columns.ts';
import { textUnits } from '../../../snapshot-format/tokens.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import type { Requirement } from '../filters.ts';
import { matchingRows } from '../matching.ts';
import { askedClauses, askedOperators, askedQueries, type Both, type MatchedTopic } from './asked.ts';
import { conceptNames } from './concept-names.ts';
import { differenceOf } from './difference.ts';
import { explained } from './explained.ts';
import { operatorsIn } from './parse.ts';
import { asksForSomething } from './reading-notices.ts';

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

/**
 * Trials of an answer by words that have the words of a name, but apart. Concepts find all others: each word by itself, and
 * each name of several words that stands together. What a topic, an operator or a mended slip changes is not told apart.
 */
export function apartNotices(both: Both): string[] {
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
