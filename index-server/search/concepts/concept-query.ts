import { POSTING } from '../../../snapshot/format/serving-columns.ts';
import { nameKeyOf, pairsOf } from '../../../snapshot/format/words/other-names.ts';
import { isGeneralWord, saysNothing } from '../../../snapshot/format/words/plain-words.ts';
import { parseConceptQuery, type QueryNode } from '../../../snapshot/format/words/query-syntax.ts';
import { type TextUnit, textPieces, textUnits } from '../../../snapshot/format/words/tokens.ts';
import { tokenOf, writingsOf } from '../../../snapshot/terminology/fold.ts';
import type { TermSource } from '../../../snapshot/terminology/sources.ts';
import type { Terminology } from '../../../snapshot/terminology/terminology.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { distinctRequirements, type Requirement, unitRequirement } from '../filters.ts';
import { mend, misspelt, type Respelling } from './respell.ts';
import { type QueryWords, type SponsorWords, sponsorWords } from './sponsor-words.ts';
import { type StatedName, statedBeside } from './stated-names.ts';

/** Postings in which the words and the concepts of a query are looked up. */
interface SearchedField {
  concept: string;
  word: string;
}

/** What a query by concepts may ask: the whole text of a trial, or one of its fields. */
export const SEARCHED_FIELDS = {
  q: { concept: POSTING.concept, word: POSTING.text },
  intervention: { concept: POSTING.conceptInIntervention, word: POSTING.intervention },
  condition: { concept: POSTING.conceptInCondition, word: POSTING.conditionText },
} as const satisfies Record<string, SearchedField>;
export type ConceptParameter = keyof typeof SEARCHED_FIELDS;

/** How some words of a query were read. */
export type Reading =
  | ConceptReading
  | { kind: 'names'; words: string; names: readonly StatedName[] }
  /** `writings`: the word with a Roman numeral for a number, or a Greek letter for its name; one where there is no other. */
  | { kind: 'words'; words: string; writings: string[] }
  | { kind: 'phrase'; words: string };

export interface ConceptReading {
  kind: 'concept';
  words: string;
  concept: number;
  term: string;
  source: TermSource;
  /** Words of a sponsor's name that the words belong to, which finds its trials too; null where no sponsor has such a name. */
  sponsor: SponsorWords | null;
}

/** A reading with the rows that it asks for. */
export interface Clause {
  reading: Reading;
  requirement: Requirement;
}

export type ConceptTree = { all: ConceptTree[] } | { any: ConceptTree[] } | { not: ConceptTree } | { clause: Clause };

/** A query under match=concepts, read with the terminology and the stated names of one image. */
export interface ConceptQuery {
  tree: ConceptTree;
  requirement: Requirement;
  /** Those that a trial is found by; what the query excludes is not among them. */
  clauses: Clause[];
  /** Words that were left out because they say nothing by themselves, as "of" and "in". */
  leftOut: string[];
  /** Words that were read as others, because hardly any trial has them. */
  respelt: Respelling[];
}

/** Most words of a query that are tried for a slip: each costs some hundred look-ups. */
const SLIP_TRIES = 4;
/** Longest phrase that is looked up among the stated names. */
const NAME_MAX_WORDS = 6;

interface Reader {
  field: SearchedField;
  terminology: Terminology;
  image: SnapshotImage;
  leftOut: string[];
  respelt: Respelling[];
  /** How many more words are tried for a slip. */
  slipTries: number;
}

/** Reads a query; null where it holds no word. */
export function readConceptQuery(
  q: string,
  image: SnapshotImage,
  terminology: Terminology,
  parameter: ConceptParameter = 'q',
): ConceptQuery | null {
  const node = parseConceptQuery(q);
  if (node === null) return null;
  const field = SEARCHED_FIELDS[parameter];
  const reader: Reader = { field, terminology, image, leftOut: [], respelt: [], slipTries: SLIP_TRIES };
  const tree = treeOf(node, reader);
  const { leftOut, respelt } = reader;
  return { tree, requirement: treeRequirement(tree), clauses: clausesOf(tree), leftOut, respelt };
}

function treeOf(node: QueryNode, reader: Reader): ConceptTree {
  switch (node.kind) {
    case 'not':
      return { not: treeOf(node.of, reader) };
    case 'phrase':
      return {
        clause: { reading: { kind: 'phrase', words: node.text }, requirement: literalOf(textUnits(node.text), reader) },
      };
    case 'words': {
      const clauses = readWords(node.text, reader).map((clause) => ({ clause }));
      return clauses.length === 1 ? (clauses[0] as ConceptTree) : { all: clauses };
    }
    default: {
      const parts = node.of.map((part) => treeOf(part, reader));
      return node.kind === 'all' ? { all: parts } : { any: parts };
    }
  }
}

function treeRequirement(tree: ConceptTree): Requirement {
  if ('clause' in tree) return tree.clause.requirement;
  if ('not' in tree) return { not: treeRequirement(tree.not) };
  const of = distinctRequirements(('all' in tree ? tree.all : tree.any).map(treeRequirement));
  return 'all' in tree ? { allOf: of } : { anyOf: of };
}

function clausesOf(tree: ConceptTree): Clause[] {
  if ('clause' in tree) return [tree.clause];
  if ('not' in tree) return [];
  return ('all' in tree ? tree.all : tree.any).flatMap(clausesOf);
}

/** Tells whether what is found has to have something: an exclusion alone is met by nearly every trial. */
export function asksForSomething(tree: ConceptTree): boolean {
  if ('clause' in tree) return true;
  if ('not' in tree) return false;
  return 'all' in tree ? tree.all.some(asksForSomething) : tree.any.every(asksForSomething);
}

/** Words side by side; a word that stands for itself alone is mended where it is a slip of a concept's name. */
function readWords(text: string, reader: Reader): Clause[] {
  let words = wordsIn(text);
  let clauses = clausesIn(words, reader);
  const slips = words.flatMap((word, place) => {
    if (reader.slipTries === 0 || !isUnread(word, clauses)) return [];
    reader.slipTries -= 1;
    return misspelt(words, place, reader) ?? [];
  });
  for (const [at] of slips.entries()) {
    const found = mend(words, slips.slice(at), reader);
    if (found === null) continue;
    reader.respelt.push(found.mended);
    words = found.words;
  }
  if (reader.respelt.length > 0) {
    words = wordsIn(words.join(' '));
    clauses = clausesIn(words, reader);
  }
  return withoutEmptyWords(clauses, reader);
}

function wordsIn(text: string): string[] {
  return textPieces(text).map((pieces) => pieces.join('-'));
}

function isUnread(word: string, clauses: readonly Clause[]): boolean {
  return clauses.some(({ reading }) => reading.kind === 'words' && reading.words === word) && !saysNothing(word);
}

/** Concepts first, longest phrase first; then stated names; the rest stands for itself. */
function clausesIn(words: readonly string[], reader: Reader): Clause[] {
  const text = words.join(' ');
  const units = textUnits(text);
  const wordsOf = (from: number, to: number): string => words.slice(from, to).join(' ');
  const clauses: Clause[] = [];
  let at = 0;
  const readRest = (to: number): void => {
    while (at < to) {
      const found = readNames(units, at, to, wordsOf, reader);
      clauses.push(found?.clause ?? wordClause(wordsOf(at, at + 1), units, at, reader));
      at = found?.to ?? at + 1;
    }
  };
  const recognised = reader.terminology.recognise(units, text);
  const isOfConcept = (place: number): boolean => recognised.some(({ from, to }) => from <= place && place < to);
  for (const { from, to, concept, term, source } of recognised) {
    readRest(from);
    const asked = { written: words, units, isOfConcept, from, to };
    const { requirement, sponsor } = conceptRequirement(concept, asked, reader);
    clauses.push({
      reading: { kind: 'concept', words: wordsOf(from, to), concept, term, source, sponsor },
      requirement,
    });
    at = to;
  }
  readRest(units.length);
  return clauses;
}

/** A concept by the records that are about it, or by the name of a sponsor that its words belong to. */
function conceptRequirement(
  concept: number,
  asked: QueryWords & { from: number; to: number },
  { field, image, terminology }: Reader,
): Pick<ConceptReading, 'sponsor'> & { requirement: Requirement } {
  const about = field.concept + (terminology.concepts[concept]?.id ?? '');
  const sponsor = field.word === POSTING.text ? sponsorWords(image, asked, asked) : null;
  return { sponsor, requirement: sponsor === null ? about : { anyOf: [about, sponsor.requirement] } };
}

/** Without words that say nothing, unless there are no others; beside a concept also without those of any request. */
function withoutEmptyWords(clauses: Clause[], { leftOut }: Reader): Clause[] {
  const hasConcept = clauses.some(({ reading }) => reading.kind === 'concept');
  const isEmpty = (word: string): boolean => saysNothing(word) || (hasConcept && isGeneralWord(word));
  const says = ({ reading }: Clause): boolean => reading.kind !== 'words' || !isEmpty(reading.words);
  const kept = clauses.filter(says);
  if (kept.length === 0) return clauses;
  leftOut.push(...clauses.flatMap((clause) => (says(clause) ? [] : [clause.reading.words])));
  return kept;
}

/** The longest phrase from `from` on beside which registrations state other names. */
function readNames(
  units: readonly TextUnit[],
  from: number,
  end: number,
  wordsOf: (from: number, to: number) => string,
  reader: Reader,
): { clause: Clause; to: number } | null {
  for (let to = Math.min(end, from + NAME_MAX_WORDS); to > from; to--) {
    const asked = units.slice(from, to);
    const names = statedBeside(reader.image, pairsOf(nameKeyOf(asked)), asked);
    if (names.length === 0) continue;
    const own = literalOf(asked, reader);
    const others = names.map(({ name }) => literalOf(textUnits(name), reader));
    return {
      clause: { reading: { kind: 'names', words: wordsOf(from, to), names }, requirement: { anyOf: [own, ...others] } },
      to,
    };
  }
  return null;
}

/** One word. A number after such words as class also counts as a Roman numeral, and the other way. */
function wordClause(words: string, units: readonly TextUnit[], place: number, { field, image }: Reader): Clause {
  const unit = units[place] as TextUnit;
  const before = units[place - 1];
  const previous = before === undefined ? '' : before.kind === 'word' ? before.key : (before.parts.at(-1) ?? '');
  const written = writingsOfUnit(unit, previous);
  const requirements = written.map((one) => notNegated(one, unitRequirement(one, field.word), field, image));
  const requirement = requirements.length === 1 ? (requirements[0] as Requirement) : { anyOf: requirements };
  const writings = written.map((one) => (one.kind === 'word' ? one.key : one.parts.join('-')));
  return { reading: { kind: 'words', words, writings }, requirement };
}

/** "Ischemic" is not asked for by "non-ischemic": a trial with that must have the word by itself too. */
function notNegated(unit: TextUnit, requirement: Requirement, field: SearchedField, image: SnapshotImage): Requirement {
  if (unit.kind !== 'word' || field.word !== POSTING.text) return requirement;
  const negated = `${POSTING.text}non${unit.key}`;
  if (image.posting(negated) === null) return requirement;
  return { allOf: [requirement, { not: { allOf: [negated, { not: { plainWord: unit.key } }] } }] };
}

/** A unit in all its writings; of a compound, every part in the same script. The order does not depend on how it is asked. */
function writingsOfUnit(unit: TextUnit, previous: string): TextUnit[] {
  const keys = unit.kind === 'word' ? [unit.key] : unit.parts;
  let before = previous;
  const ways = keys.map((key) => {
    const token = tokenOf(key, before);
    const all = [...new Set([token, ...writingsOf(token, before), key])];
    // In "class II-III" the word before counts for both numbers.
    if (!/^\d/.test(token)) before = token;
    return all;
  });
  const most = Math.max(...ways.map(({ length }) => length));
  if (most === 1) return [unit];
  return Array.from({ length: most }, (_, way): TextUnit => {
    const parts = ways.map((forms) => forms[Math.min(way, forms.length - 1)] as string);
    if (unit.kind === 'word') return { kind: 'word', key: parts[0] as string };
    return { kind: 'compound', joined: parts.join(''), parts };
  });
}

/**
 * One word, or a phrase. Phrases are known of the whole text alone: one of a single field must stand somewhere, and each of
 * its words in the field.
 */
function literalOf(units: TextUnit[], { field }: Reader): Requirement {
  const words = units.map((unit) => unitRequirement(unit, field.word));
  const [only] = words;
  if (words.length === 1 && only !== undefined) return only;
  const phrase: Requirement = { phrase: units };
  return field.word === POSTING.text ? phrase : { allOf: [...words, phrase] };
}
