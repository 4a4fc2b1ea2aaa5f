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

/** What the words and signs of a text were read as, where the caller may have meant another thing. Notices change no count. */

/** Filters by words; only the first three are read by concepts. */
export interface AskedTexts {
  q?: string | undefined;
  intervention?: string | undefined;
  condition?: string | undefined;
  sponsor?: string | undefined;
  anySponsor?: string | undefined;
}

type TextParameter = keyof AskedTexts;

const NO_WILDCARD = (signs: string): string =>
  `match=concepts has no wildcards: ${signs} was left out, and what stands beside it was asked for as a whole word.`;
const LOWER_CASE_OR = 'or was left out, so that both sides must hold; in capitals, OR asks for either.';
/** Words by which people leave something out. */
const EXCLUDING = ['not', 'without', 'except', 'excluding'];

/** Texts as concepts read them; none where the image has no concepts. */
type Read = ReadonlyMap<TextParameter, ConceptQuery>;

/** Words and numbers with single blanks, hyphens or apostrophes between them, as most queries are: no sign can mean anything else. */
const PLAIN = /^[A-Za-z0-9]+(?:[ '-][A-Za-z0-9]+)*$/;
/** Words that join or exclude. */
const JOINING = /\b(?:and|or|not|without|except|excluding)\b/i;

/** Whether the words of a text are all that there is to say of it: to look for every sign costs many times as much. */
function isPlain(text: string): boolean {
  return PLAIN.test(text) && !JOINING.test(text);
}

/** What a search by words says of its texts. */
export function noticesByWords(texts: AskedTexts, queries: Read = new Map()): string[] {
  return given(texts).flatMap(([parameter, text]) => {
    if (isPlain(text)) return emptyNotices(parameter, text);
    return [
      ...(parameter === 'condition' ? termNotices(text) : wordsNotices(parameter, text)),
      ...listNotices(parameter, text, queries.get(parameter)),
      ...anyNotices(parameter, text),
    ];
  });
}

/** What a search by concepts says of them; `queries` are those texts that it read. */
export function noticesByConcepts(texts: AskedTexts, queries: Read): string[] {
  return given(texts).flatMap(([parameter, text]) => {
    const query = queries.get(parameter);
    if (isPlain(text)) return [...questionNotices(query), ...emptyNotices(parameter, text)];
    return [
      ...(query === undefined ? wordsNotices(parameter, text) : conceptNotices(parameter, text, query)),
      ...listNotices(parameter, text, query),
      ...anyNotices(parameter, text),
    ];
  });
}

function given(texts: AskedTexts): [TextParameter, string][] {
  const { q, intervention, condition, sponsor, anySponsor } = texts;
  return Object.entries({ q, intervention, condition, sponsor, anySponsor }).filter(
    (one): one is [TextParameter, string] => one[1] !== undefined,
  );
}

/** Parameters that concepts read too. */
const EXPANDED: readonly TextParameter[] = ['q', 'intervention', 'condition'];

function wordsNotices(parameter: TextParameter, text: string): string[] {
  const expanded = EXPANDED.includes(parameter);
  const operators = [...operatorsIn(text).filter((one) => expanded || one !== 'parentheses'), ...wildcardsIn(text)];
  const [who, rather] = expanded
    ? [
        `With match=words, ${parameter} takes`,
        ' match=concepts takes OR, AND, NOT, -word and parentheses; neither takes wildcards.',
      ]
    : [`${parameter} takes`, ''];
  return [
    ...(operators.length === 0
      ? []
      : [
          `${who} no operators (${operators.join(', ')}): letters are read as a word, signs are left out, and all words must occur.${rather}`,
        ]),
    ...joiningNotices(parameter, text),
    ...quoteNotices(parameter, text),
  ];
}

/** Words in small letters that people join others by. */
function joiningNotices(parameter: TextParameter, text: string): string[] {
  const words = lowerWords(text);
  const expanded = EXPANDED.includes(parameter);
  const excluding = EXCLUDING.filter((word) => words.has(word));
  return [
    ...(words.has('and')
      ? [`and in ${parameter} must occur as a word: leave it out, since all words must occur.`]
      : []),
    ...(words.has('or')
      ? [
          `or in ${parameter} must occur as a word, and so must both sides: ${expanded ? 'match=concepts takes OR in capitals for either' : 'ask for each by itself'}.`,
        ]
      : []),
    ...(excluding.length > 0
      ? [
          `${excluding.join(', ')} in ${parameter} must occur as a word and excludes nothing${expanded ? ': match=concepts leaves out -word' : ''}.`,
        ]
      : []),
  ];
}

/** Small, or with a capital at the beginning of a sentence: in capitals they are operators. */
function lowerWords(text: string): ReadonlySet<string> {
  return new Set(textsIn(text).words.flatMap((word) => (word === word.toUpperCase() ? [] : [word.toLowerCase()])));
}

/** Quotation marks that ask for no phrase. */
function quoteNotices(parameter: TextParameter, text: string): string[] {
  const isUnpaired = unpairedIn(text).includes('quotation mark');
  if (parameter === 'q') return isUnpaired ? [unpairedNotice('quotation mark', parameter)] : [];
  if (!isUnpaired && textsIn(text).phrases.length === 0) return [];
  const rather = parameter === 'intervention' ? ' match=concepts takes a phrase in them.' : '';
  return [`Quotation marks have no meaning in ${parameter} by words: its words may stand apart.${rather}`];
}

function unpairedNotice(sign: 'quotation mark' | 'parenthesis', parameter: string): string {
  return sign === 'quotation mark'
    ? `A quotation mark in ${parameter} has no partner and was left out, so its words may stand apart: close it to ask for a phrase.`
    : `A parenthesis in ${parameter} has no partner and was left out: close the group that it begins or ends.`;
}

/** By words a condition is one term of a registry, signs included. */
function termNotices(text: string): string[] {
  const { phrases } = textsIn(text);
  const signs = [
    ...operatorsIn(text).filter((one) => one !== 'parentheses'),
    ...(phrases.length > 0 || unpairedIn(text).includes('quotation mark') ? ['quotation marks'] : []),
  ];
  if (signs.length === 0) return [];
  return [
    `With match=words, condition is a whole term of a registry, with every sign (${signs.join(', ')}) a part of it. match=concepts takes OR, AND, NOT, -word, "a phrase" and parentheses.`,
  ];
}

function conceptNotices(parameter: TextParameter, text: string, query: ConceptQuery): string[] {
  const signs = [...(text.includes('*') ? ['*'] : []), ...wildcardsIn(text)];
  const words = lowerWords(text);
  const excluding = EXCLUDING.filter((word) => words.has(word));
  return [
    ...(signs.length > 0 ? [NO_WILDCARD(signs.join(', '))] : []),
    ...(query.leftOut.includes('or') ? [LOWER_CASE_OR] : []),
    ...questionNotices(query),
    ...(excluding.length > 0
      ? [`${excluding.join(', ')} in ${parameter} excludes nothing: -word and NOT word do.`]
      : []),
    ...excludedAlone(text).map(
      ({ excluded, next }) =>
        `Only “${excluded}” is left out of ${parameter}, and “${next}” must hold: to leave out several words, write -(${excluded} ${next}).`,
    ),
    ...unpairedIn(text).map((sign) => unpairedNotice(sign, parameter)),
    ...phraseNotices(parameter, text),
    ...(asksForSomething(query.tree)
      ? []
      : [
          `${parameter} leaves out and asks for nothing: every trial without what it leaves out matches. Add what to find.`,
        ]),
  ];
}

function questionNotices(query: ConceptQuery | undefined): string[] {
  const left = query?.leftOut.filter((word) => isQuestionWord(word) || isGeneralWord(word)) ?? [];
  if (left.length === 0) return [];
  return [`${left.join(', ')}: words of a question were not asked for; in quotation marks they are.`];
}

const LIST = /\s*[,;/|]+\s*/u;

/** A list of names, each read by itself: "breast cancer, lung cancer" asks for trials of both. */
function listNotices(parameter: TextParameter, text: string, query: ConceptQuery | undefined): string[] {
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

function phraseNotices(parameter: TextParameter, text: string): string[] {
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

/** What is said of a text however it is matched. */
function anyNotices(parameter: TextParameter, text: string): string[] {
  const words = textPieces(text).map((pieces) => pieces.join('-'));
  const foreign = words.filter((word) => FOREIGN.test(word));
  const unread = withoutPhrases(text).match(NO_EXCLUSION) ?? [];
  return [
    ...unread.map((sign) => `“${sign}” in ${parameter} excludes nothing. ${exclusionOf(parameter)}`),
    ...(foreign.length > 0
      ? [`${foreign.join(', ')} in ${parameter}: nearly all records are in English, so ask in English.`]
      : []),
    ...(textsIn(text).phrases.length === 0 && excludedIn(text).length === 0 ? emptyNotices(parameter, text) : []),
    ...(parameter === 'q' ? fieldNotices(text) : []),
  ];
}

function emptyNotices(parameter: TextParameter, text: string): string[] {
  const words = textPieces(text).map((pieces) => pieces.join('-'));
  if (words.length === 0 || !words.every(saysNothing)) return [];
  return [
    `${parameter} has only words that say nothing of a trial (${words.join(', ')}): its count answers no question. Name a disease, a treatment or a sponsor.`,
  ];
}

function exclusionOf(parameter: TextParameter): string {
  return EXPANDED.includes(parameter)
    ? 'To leave a word out, write - right before it, with match=concepts.'
    : 'This parameter leaves nothing out.';
}

/** The syntax of other services: `status:recruiting`, `asthma[ti]`. */
function fieldNotices(text: string): string[] {
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
