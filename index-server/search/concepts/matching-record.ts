import {
  type AlsoMatchingRecord,
  CURATED_TOPICS,
  type MatchingRecord,
} from '../../../contract/schemas/trials/matching.ts';
import { operatorsIn } from '../../../snapshot/format/words/query-syntax.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { readListItem } from '../hints/held-trial.ts';
import { asksForSomething, type ConceptTree } from './concept-query.ts';
import { differenceOf, type Readings } from './readings.ts';

/** What `_meta` says of how the texts of a request were read, and of what concepts find besides. */

/** Where the names come from that no terminology has. */
const OTHER_NAMES = {
  id: 'other-names',
  name: 'other names that the registry records state for interventions',
} as const;
const RECORDS_LICENCE = "the registries' own terms";
const WRITINGS = 'numbers as Roman numerals and Greek letters by their names, as match=concepts reads them';
const LEFT_OUT = 'words that match=concepts does not ask for';
const OPERATORS = 'operators of q under match=concepts';

type Because = AlsoMatchingRecord['because'][number];

/** Nothing where concepts would read q as an exclusion alone: all other trials are no answer to the words. */
export function alsoMatching(read: Readings): { alsoMatching?: AlsoMatchingRecord } {
  const { texts, year } = read;
  const q = texts.find(({ parameter }) => parameter === 'q');
  if (q !== undefined && !asksForSomething(q.query.tree)) return {};
  const { added, expanded } = differenceOf(read);
  const unread = (words: string[], source: string): Because[] =>
    words.length === 0 ? [] : [{ words: words.join(', '), concept: null, heading: null, source, year }];
  const left = texts.flatMap(({ query }) => query.leftOut);
  const operators = operatorsIn(q?.value ?? '').filter((one) => one !== '*');
  const because = [...becauseOf(read), ...unread(left, LEFT_OUT), ...unread(operators, OPERATORS)];
  return { alsoMatching: { distinct: added, total: expanded, because } };
}

/** What the words of the request were read as: no synonym enters a count unnamed. */
function becauseOf({ image, terminology, texts, topic, year }: Readings): Because[] {
  const because = texts.flatMap(({ parameter, query }) =>
    query.clauses.flatMap(({ reading }): Because[] => {
      const asked = { ...(parameter !== 'q' && { parameter }), words: reading.words };
      const other = (heading: string, source: string) => [{ ...asked, concept: null, heading, source, year }];
      if (reading.kind === 'names') return other(reading.names.map(({ name }) => name).join(', '), OTHER_NAMES.name);
      if (reading.kind === 'words' && reading.writings.length > 1) return other(reading.writings.join(', '), WRITINGS);
      if (reading.kind !== 'concept') return [];
      const { id, heading } = terminology.concepts[reading.concept]!;
      const source = terminology.sources.find((one) => one.id === reading.source)!;
      const ofTopic = parameter === 'q' ? topicWith(image, id) : undefined;
      return [
        {
          ...{ ...asked, concept: id, heading, source: source.name, year: source.year },
          ...(ofTopic !== undefined && { topic: ofTopic }),
          ...(reading.sponsor !== null && { sponsorWords: reading.sponsor.words }),
        },
      ];
    }),
  );
  if (!topic) return because;
  const heading = topic.concepts.map((one) => one.heading).join(', ');
  return [...because, { words: topic.id, concept: null, heading, source: CURATED_TOPICS, year }];
}

/** The topic of the fewest concepts that has this one. */
function topicWith({ topics }: SnapshotImage, concept: string): string | undefined {
  return topics
    .filter(({ reading }) => reading.concepts.some(({ id }) => id === concept))
    .sort((one, other) => one.reading.concepts.length - other.reading.concepts.length)[0]?.id;
}

export function matchingOf(read: Readings, explain: boolean): MatchingRecord {
  const { texts, topic } = read;
  const { strict, expanded, lost } = differenceOf(read);
  const operators = operatorsAsked(read);
  const trees = texts.map(({ parameter, query }) => [parameter, explained(query.tree, read)] as const);
  const fields = trees.filter(([parameter]) => parameter !== 'q');
  const q = trees.find(([parameter]) => parameter === 'q');
  return {
    ...{ strict, expanded, strictOnly: lost },
    ...(operators.length > 0 && { strictNote: strictNote(operators) }),
    because: becauseOf(read),
    ...(topic && { topic }),
    sources: sourcesOf(read),
    leftOut: texts.flatMap(({ query }) => query.leftOut),
    respelt: texts.flatMap(({ query }) => query.respelt),
    ...(explain && q !== undefined && { query: q[1] }),
    ...(explain && fields.length > 0 && { fields: Object.fromEntries(fields) }),
  };
}

/** Operators in any of the texts; parentheses by themselves change nothing. */
export function operatorsAsked({ texts }: Readings): string[] {
  const operators = [...new Set(texts.flatMap(({ value }) => operatorsIn(value)))].filter((one) => one !== '*');
  return operators.some((one) => one !== 'parentheses') ? operators : [];
}

/** Beside operators the strict count is of another question. */
function strictNote(operators: readonly string[]): string {
  return `match=words takes no operators (${operators.join(', ')}): strict counts the trials with all words of the text, OR, AND and NOT among them and also those that are left out here. It is no part of this answer and no measure of it.`;
}

/** The terminology's sources, as soon as any concept counts; and the records, where they stated a name. */
function sourcesOf({ terminology, texts, topic, year }: Readings): MatchingRecord['sources'] {
  const kinds = new Set(texts.flatMap(({ query }) => query.clauses.map(({ reading }) => reading.kind)));
  const ofTerms = terminology.sources.map(({ terms: _, ...source }) => source);
  return [
    ...(kinds.has('concept') || topic ? ofTerms : []),
    ...(kinds.has('names') ? [{ ...OTHER_NAMES, year, licence: RECORDS_LICENCE }] : []),
  ];
}

/** Most terms of a concept that `explain` shows. */
const EXPLAINED_TERMS = 30;

/** The tree of a query as `explain` shows it. */
function explained(tree: ConceptTree, read: Readings): Record<string, unknown> {
  const { terminology, image } = read;
  if ('all' in tree) return { all: tree.all.map((one) => explained(one, read)) };
  if ('any' in tree) return { any: tree.any.map((one) => explained(one, read)) };
  if ('not' in tree) return { not: explained(tree.not, read) };
  const { reading } = tree.clause;
  const { words } = reading;
  if (reading.kind === 'phrase') return { phrase: words };
  if (reading.kind === 'words') return { words, ...(reading.writings.length > 1 && { writings: reading.writings }) };
  if (reading.kind === 'names') {
    const named = ({ name, trials, example }: (typeof reading.names)[number]) => ({
      ...{ name, trials, example: readListItem(image, example).canonicalId },
    });
    return { words, otherNames: reading.names.map(named) };
  }
  const { id, heading } = terminology.concepts[reading.concept]!;
  const names = terminology.namesOf(reading.concept);
  return {
    ...{ words, concept: id, heading, term: reading.term, source: reading.source },
    names: names.slice(0, EXPLAINED_TERMS),
    moreNames: Math.max(0, names.length - EXPLAINED_TERMS),
  };
}
