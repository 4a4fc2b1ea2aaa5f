import { CALLED } from '../../../contract/nearest-names.ts';
import { trialFilterParameters } from '../../../contract/trial-filters.ts';
import { isGeneralWord, isQuestionWord, saysNothing } from '../../../snapshot/format/words/plain-words.ts';
import {
  excludedAlone,
  excludedIn,
  MINUS,
  operatorsIn,
  textsIn,
  unpairedIn,
  withoutPhrases,
} from '../../../snapshot/format/words/query-syntax.ts';
import { textPieces } from '../../../snapshot/format/words/tokens.ts';
import type { ConceptQuery, ConceptTree } from './concept-query.ts';

/** How the words and signs of a text were read, where the caller may have meant another thing. Notices change no count. */

/** Filters by words; only the first three are read by concepts. */
export interface AskedTexts {
  q?: string | undefined;
  intervention?: string | undefined;
  condition?: string | undefined;
  sponsor?: string | undefined;
  anySponsor?: string | undefined;
}

type TextParameter = keyof AskedTexts;

/** Parameters that concepts read too. */
const EXPANDED: readonly TextParameter[] = ['q', 'intervention', 'condition'];
const PARAMETERS: readonly TextParameter[] = [...EXPANDED, 'sponsor', 'anySponsor'];

const CONCEPTS_TAKE = 'match=concepts takes OR, AND, NOT, -word, "a phrase" and parentheses';
/** Words by which people join others or leave them out; in capitals some are operators. */
const JOINING = ['and', 'or', 'not', 'without', 'except', 'excluding'];
const JOINING_WORD = new RegExp(`\\b(?:${JOINING.join('|')})\\b`, 'i');
/** Words and numbers with single blanks, hyphens or apostrophes between them, as most queries are: no sign can mean anything else. */
const PLAIN = /^[A-Za-z0-9]+(?:[ '-][A-Za-z0-9]+)*$/;

/** `query` is the text as concepts read it, if they do; `byConcepts` whether this reading was asked for. */
interface Reading {
  parameter: TextParameter;
  text: string;
  query: ConceptQuery | undefined;
  byConcepts: boolean;
}

/** Each way in which a text may have been meant otherwise, with what is said then. */
const READINGS: readonly ((reading: Reading) => string[])[] = [
  unreadSigns,
  questionWords,
  excludedAloneNotices,
  phraseNotices,
  exclusionAlone,
  listNotices,
  foreignNotices,
  emptyNotices,
  fieldNotices,
];
/** Those of a plain text: looking for every sign costs many times as much. */
const OF_PLAIN: typeof READINGS = [questionWords, emptyNotices];

/** Notices on every text of a request; `queries` are those texts that concepts read. */
export function readingNotices(
  texts: AskedTexts,
  match: 'words' | 'concepts',
  queries: ReadonlyMap<TextParameter, ConceptQuery> = new Map(),
): string[] {
  return PARAMETERS.flatMap((parameter) => {
    const text = texts[parameter];
    if (text === undefined) return [];
    const query = queries.get(parameter);
    const reading = { parameter, text, query, byConcepts: match === 'concepts' && query !== undefined };
    const isPlain = PLAIN.test(text) && !JOINING_WORD.test(text);
    return (isPlain ? OF_PLAIN : READINGS).flatMap((notices) => notices(reading));
  });
}

/** Signs and words that people mean as operators and that were read as words or left out. */
function unreadSigns({ parameter, text, query, byConcepts }: Reading): string[] {
  const joining = joiningWords(text);
  const excluding = (withoutPhrases(text).match(NO_EXCLUSION) ?? []).map((sign) => `“${sign}”`);
  const unpaired = unpairedIn(text).map((sign) => `a ${sign} without a partner`);
  if (byConcepts) {
    const kept = joining.filter((word) => word !== 'and' && (word !== 'or' || query?.leftOut.includes('or')));
    const stars = text.includes('*') ? ['*'] : [];
    const signs = [...stars, ...wildcardsIn(text), ...kept, ...excluding, ...unpaired];
    if (signs.length === 0) return [];
    return [
      `In ${parameter}, ${signs.join(', ')} had no effect: ${CONCEPTS_TAKE}, in capitals and pairs, and no wildcards.`,
    ];
  }
  const operators = operatorsIn(text).filter((one) => EXPANDED.includes(parameter) || one !== 'parentheses');
  const isQuoted = parameter !== 'q' && textsIn(text).phrases.length > 0;
  const quotes = isQuoted ? ['quotation marks'] : unpaired.filter((sign) => sign.includes('quotation'));
  if (parameter === 'condition') {
    const signs = [...operators.filter((one) => one !== 'parentheses'), ...quotes];
    if (signs.length === 0) return [];
    return [
      `With match=words, condition is a whole term of a registry, with every sign (${signs.join(', ')}) a part of it. ${CONCEPTS_TAKE}.`,
    ];
  }
  const signs = [...operators, ...wildcardsIn(text), ...joining, ...excluding, ...quotes];
  if (signs.length === 0) return [];
  const read = `no operators (${signs.join(', ')}): letters are read as a word, signs are left out, and all words must occur.`;
  if (!EXPANDED.includes(parameter)) return [`${parameter} takes ${read}`];
  return [`With match=words, ${parameter} takes ${read} ${CONCEPTS_TAKE}; neither takes wildcards.`];
}

/** In small letters, or with a capital at the beginning of a sentence. */
function joiningWords(text: string): string[] {
  const small = textsIn(text).words.flatMap((word) => (word === word.toUpperCase() ? [] : [word.toLowerCase()]));
  return JOINING.filter((word) => small.includes(word));
}

function questionWords({ query, byConcepts }: Reading): string[] {
  const left = (byConcepts && query?.leftOut.filter((word) => isQuestionWord(word) || isGeneralWord(word))) || [];
  if (left.length === 0) return [];
  return [`${left.join(', ')}: words of a question were not asked for; in quotation marks they are.`];
}

function excludedAloneNotices({ parameter, text, byConcepts }: Reading): string[] {
  if (!byConcepts) return [];
  return excludedAlone(text).map(
    ({ excluded, next }) =>
      `Only “${excluded}” is left out of ${parameter}, and “${next}” must hold: to leave out several words, write -(${excluded} ${next}).`,
  );
}

function exclusionAlone({ parameter, query, byConcepts }: Reading): string[] {
  if (!byConcepts || query === undefined || asksForSomething(query.tree)) return [];
  return [
    `${parameter} leaves out and asks for nothing: every trial without what it leaves out matches. Add what to find.`,
  ];
}

const LIST = /\s*[,;/|]+\s*/u;

/** A list of names, each read by itself: "breast cancer, lung cancer" asks for trials of both. */
function listNotices({ parameter, text, query }: Reading): string[] {
  const items = withoutPhrases(text).trim().split(LIST);
  if (items.length < 2 || query === undefined) return [];
  const readings = query.clauses.map(({ reading }) => reading).filter(({ kind }) => kind !== 'phrase');
  const words = readings.map((reading) => reading.words.toLowerCase());
  if (readings.every(({ kind }) => kind === 'words') || !items.every((item) => words.includes(item.toLowerCase()))) {
    return [];
  }
  return [
    `${items.map((item) => `“${item}”`).join(' and ')} in ${parameter} must hold together: OR between them, with match=concepts, asks for either.`,
  ];
}

function phraseNotices({ parameter, text, byConcepts }: Reading): string[] {
  if (!byConcepts) return [];
  const asked = [...new Set(textsIn(text).phrases)].filter((phrase) => textPieces(phrase).length > 0);
  if (asked.length === 0) return [];
  const shown = asked.map((phrase) => `“${phrase}”`).join(', ');
  const read = asked.length === 1 ? 'was read as this phrase' : 'were read as these phrases';
  return [
    `${shown} in ${parameter} ${read} alone, not by concepts: without quotation marks, other names and narrower kinds count too.`,
  ];
}

/** Whether what is found has to have something: an exclusion alone is met by nearly every trial. */
export function asksForSomething(tree: ConceptTree): boolean {
  if ('clause' in tree) return true;
  if ('not' in tree) return false;
  return 'all' in tree ? tree.all.some(asksForSomething) : tree.any.every(asksForSomething);
}

/** In a word, or behind the only one: elsewhere a question mark ends a sentence. */
const QUESTION_MARK = /[\p{L}\p{N}]\?[\p{L}\p{N}]|^\s*[\p{L}\p{N}-]+\?\s*$/u;
/** Behind letters: behind a number it means a share. */
const PERCENT = /\p{L}%/u;

/** Signs beside * that stand for letters elsewhere. */
function wildcardsIn(text: string): string[] {
  const words = withoutPhrases(text);
  return [...(QUESTION_MARK.test(words) ? ['?'] : []), ...(PERCENT.test(words) ? ['%'] : [])];
}

/** A sign for leaving out that is read as none: with a blank behind it, a comma before it, or of another search engine. */
const NO_EXCLUSION = new RegExp(
  `(?<=^|[\\s(])(?:${MINUS}\\s+|!\\s*)[\\p{L}\\p{N}][^\\s()]*|(?<=[,;])${MINUS}\\s*[\\p{L}\\p{N}][^\\s()]*`,
  'gu',
);
/** A letter of another script than those of the records. */
const FOREIGN = /(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Common}\p{Script=Inherited}])\p{L}/u;
/** A name of a field with a value behind it. */
const FIELD = /(?<![\p{L}\p{N}])([A-Za-z]+)(?::|=)("[^"]*"|[\p{L}\p{N}]\S*)/gu;
/** Tags of fields as other services write them. */
const TAG = /\bAREA\[\w+\]|\[(?:ti|tiab|tw|ab|mesh|mh|majr|pt|title|title\/abstract)\]/giu;

function foreignNotices({ parameter, text }: Reading): string[] {
  const foreign = textPieces(text)
    .map((pieces) => pieces.join('-'))
    .filter((word) => FOREIGN.test(word));
  if (foreign.length === 0) return [];
  return [`${foreign.join(', ')} in ${parameter}: nearly all records are in English, so ask in English.`];
}

function emptyNotices({ parameter, text }: Reading): string[] {
  if (textsIn(text).phrases.length > 0 || excludedIn(text).length > 0) return [];
  const words = textPieces(text).map((pieces) => pieces.join('-'));
  if (words.length === 0 || !words.every(saysNothing)) return [];
  return [
    `${parameter} has only words that say nothing of a trial (${words.join(', ')}): its count answers no question. Name a disease, a treatment or a sponsor.`,
  ];
}

/** The syntax of other services: `status:recruiting`, `asthma[ti]`. */
function fieldNotices({ parameter: read, text }: Reading): string[] {
  if (read !== 'q') return [];
  const named = [...text.matchAll(FIELD)].flatMap(([written, name = '', value = '']) => {
    const parameter = Object.hasOwn(CALLED, name.toLowerCase()) ? CALLED[name.toLowerCase()]! : name;
    if (!Object.hasOwn(trialFilterParameters, parameter)) return [];
    return [{ written, rather: parameter === 'q' ? `Send q=${value}.` : `Send ${parameter}=${value} beside q.` }];
  });
  const tags = (text.match(TAG) ?? []).map((written) => ({ written, rather: 'Leave it out.' }));
  return [...named, ...tags].map(
    ({ written, rather }) => `“${written}” in q was read as words, since q takes no names of fields. ${rather}`,
  );
}
