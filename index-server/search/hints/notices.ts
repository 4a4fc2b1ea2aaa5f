import { asksForAdvice, NO_CLINICAL_ADVICE } from '../../../contract/clinical-advice.ts';
import { ABROAD } from '../../../contract/fields/value-names.ts';
import { REGISTRY_IDS } from '../../../contract/ids.ts';
import { snapshotDay } from '../../../snapshot/format/versions/snapshot-day.ts';
import { askedCountry, isAmbiguousCountry, isPartOfCountry } from '../../../snapshot/format/words/countries.ts';
import { saysNothing } from '../../../snapshot/format/words/plain-words.ts';
import {
  excludedAlone,
  excludedIn,
  operatorsIn,
  textsIn,
  unpairedIn,
  withoutPhrases,
} from '../../../snapshot/format/words/query-syntax.ts';
import { textPieces } from '../../../snapshot/format/words/tokens.ts';
import { dataEnds } from '../../data-ends.ts';
import { CONCEPT_PARAMETERS } from '../concepts/answer.ts';
import { asksForSomething, type ConceptQuery } from '../concepts/concept-query.ts';
import { unstatedNotices } from '../counting/stated-fields.ts';
import type { HintedSearch } from './hint.ts';
import { isIdentifier } from './identifier.ts';

/** Sentences on how a request was read, where the caller may have meant another thing. They change no count. */
export function readingNotices(search: HintedSearch): string[] {
  const { query } = search;
  const isForAdvice = asksForAdvice([query.q, query.condition, query.intervention].join(' '));
  // The words of a number are no text that a registry could state.
  const stated = isIdentifier(query.q ?? '') ? { ...query, q: undefined } : query;
  return [
    ...(isForAdvice ? [NO_CLINICAL_ADVICE] : []),
    ...places(search),
    ...withoutEffect(search),
    ...days(search),
    ...unstatedNotices(search, stated, search.sources),
    ...operators(search),
  ];
}

/** A part of a country is read as the whole of it. Trials in a country of neither registry are mostly registered elsewhere too, or only there. */
function places({ query: { country, siteCountry, sitePlace }, sources }: HintedSearch): string[] {
  const homes = REGISTRY_IDS.map((id) => sources.of(id).country);
  const asked = Object.entries({ country, siteCountry }).filter((one): one is [string, string] => one[1] !== undefined);
  const readAs = asked.flatMap(([parameter, value]) => {
    const read = `${parameter}=${value} was read as ${askedCountry(value)}`;
    if (isPartOfCountry(value))
      return `${read}: countries are held as a whole, so the trials may be in any part of it.`;
    return isAmbiguousCountry(value) ? `${read}: send the full name where you mean another.` : [];
  });
  const abroad = [...new Set(asked.map(([, value]) => askedCountry(value) ?? value))]
    .filter((name) => !homes.includes(name))
    .map((name) => `${ABROAD} ${name} are not held: trials that are registered only there are missing.`);
  const city =
    sitePlace === undefined
      ? []
      : `sitePlace=${sitePlace} is read as the whole name of a city, as records write it: sites that are written in another language or with a district are not among them.`;
  return [readAs, city, abroad].flat();
}

const READS = [
  ['phaseMatch', 'phase'],
  ['sponsorMatch', 'sponsor'],
  ['conditionMatch', 'condition'],
  ['sexMatch', 'sex'],
] as const;

/**
 * Filters that no trial can meet together, or that ask one registry for what only the other has: their zero is no fact about trials. And
 * parameters that say how another one is read, which was not sent.
 */
function withoutEffect({ query }: HintedSearch): string[] {
  const { resultsAvailable, resultsPostedAfter, resultsPostedBefore, registry, startedAfter, completedBefore } = query;
  const { resultsGap, resultsDue, resultsDueAfter, resultsDueBefore } = query;
  const posted = namesSent({ resultsPostedAfter, resultsPostedBefore });
  const due = namesSent({ resultsGap, resultsDue, resultsDueAfter, resultsDueBefore });
  const isElsewhere = registry?.includes('clinicaltrials_gov') === false;
  const isRead = [query.q, query.topic, query.condition, query.intervention].some((text) => text !== undefined);
  const isClocked = due.length > 0 || resultsGap === false || resultsDue === false || query.sort === 'daysOverdue';
  return [
    resultsAvailable === false && posted.length > 0
      ? `resultsAvailable=false asks for trials without posted results, and ${posted.join(' and ')} for the day on which they were posted: no trial has both. Send one of them.`
      : null,
    query.inBoth === false && query.conflictsOn !== undefined
      ? 'conflictsOn asks for trials that both registries hold, and inBoth=false leaves them out: send one of them.'
      : null,
    startedAfter !== undefined && completedBefore !== undefined && completedBefore < startedAfter
      ? 'completedBefore is a day before startedAfter: only trials whose record states a completion before the start match.'
      : null,
    isElsewhere && due.length > 0
      ? `${due.join(' and ')} ${due.length > 1 ? 'ask' : 'asks'} for registrations of ClinicalTrials.gov: with registry=${registry.join()}, only trials that both registries hold can match, and a zero says nothing of ISRCTN.`
      : null,
    resultsGap === true && (resultsAvailable === true || posted.length > 0)
      ? 'resultsGap=true asks for registrations of ClinicalTrials.gov without posted results: with results asked for too, only trials match whose results another registry has.'
      : null,
    query.match === 'concepts' && !isRead
      ? 'match=concepts had no effect: it says how q, topic, condition and intervention are read, and none was sent.'
      : null,
    ...READS.filter(([name, of]) => query[name] !== undefined && query[of] === undefined).map(
      ([name, of]) => `${name} had no effect: it says how ${of} is read, and none was sent.`,
    ),
    (query.gapClock ?? query.gapMonths) !== undefined && !isClocked
      ? 'gapClock and gapMonths had no effect: they say how resultsGap, resultsDue, resultsDueAfter and resultsDueBefore are read, and none was sent.'
      : null,
  ].filter((sentence) => sentence !== null);
}

function namesSent(values: Record<string, unknown>): string[] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined || value === false ? [] : [name]));
}

/** Ranges of days that can be planned. */
const PLANNED = [
  ['startedAfter', 'startedBefore'],
  ['completedAfter', 'completedBefore'],
  ['primaryCompletionAfter', 'primaryCompletionBefore'],
] as const;
/** Of trials with one of these, the days have come. */
const ENDED: readonly string[] = ['completed', 'terminated'];
/** Statuses that a record has for a time. */
const PASSING: readonly string[] = [
  ...['active', 'running', 'suspended', 'not_yet_recruiting', 'recruiting', 'enrolling_by_invitation'],
  ...['active_not_recruiting', 'available', 'temporarily_not_available'],
];

/**
 * A day that a record states may be planned: "started since" would count trials that have not begun. Where the data of a registry
 * ends early, what its records state of today is of that day.
 */
function days({ query, image, manifest, sources }: HintedSearch): string[] {
  const { asOf } = manifest;
  const today = snapshotDay(manifest);
  const planned = PLANNED.flatMap(([after, before]): string[] => {
    const [from, to] = [query[after], query[before]];
    if (from === undefined || (to !== undefined && to <= today)) return [];
    return from > today
      ? [`${after} is a day after ${asOf}, the day of the data: what all these trials state is planned.`]
      : [`${after} also finds days after ${asOf}, which are planned: ${before}=${asOf} leaves them out.`];
  });
  const asked = [
    ...(query.status?.some((status) => PASSING.includes(status)) ? ['status'] : []),
    ...(query.resultsAvailable === false ? ['resultsAvailable=false'] : []),
    ...(query.resultsGap === true ? ['resultsGap=true'] : []),
  ];
  const ends = asked.length === 0 ? [] : dataEnds({ image, manifest }, query.registry, sources);
  const early = ends.flatMap((end) => end.early ?? []);
  const stale = `${asked.join(' and ')} ${asked.length > 1 ? 'are' : 'is'} as the records stated it, and ${early.join(' and ')}: what has changed since is not counted.`;
  return [
    ...(query.status?.every((status) => ENDED.includes(status)) ? [] : planned),
    ...(early.length === 0 ? [] : [stale]),
  ];
}

const CONCEPTS_TAKE = 'match=concepts takes OR, AND, NOT, -word, "a phrase" and parentheses';
/** Words by which people join others or leave them out; in capitals some are operators. */
const JOINING = ['and', 'or', 'not', 'without', 'except', 'excluding'];
/** A question mark in a word or behind the only one, or a percent sign behind letters: signs that stand for letters elsewhere. */
const WILDCARD = /[\p{L}\p{N}](\?)[\p{L}\p{N}]|^\s*[\p{L}\p{N}-]+(\?)\s*$|\p{L}(%)/u;
const TEXTS = [...CONCEPT_PARAMETERS, 'sponsor', 'anySponsor'] as const;

/** Signs and words that people mean as operators and that were read as words or left out, and words that ask for nothing. */
function operators({ query, matched }: HintedSearch): string[] {
  return TEXTS.flatMap((parameter) => {
    const text = query[parameter];
    if (text === undefined) return [];
    if (parameter === 'condition' && query.conditionMatch === 'exact') return emptyTexts(parameter, text);
    const isByConcepts = query.match === 'concepts' && parameter !== 'sponsor' && parameter !== 'anySponsor';
    if (!isByConcepts) return [...signsByWords(parameter, text), ...emptyTexts(parameter, text)];
    const read = matched.readings()?.texts.find((one) => one.parameter === parameter)?.query;
    return [...(read === undefined ? [] : signsByConcepts(parameter, text, read)), ...emptyTexts(parameter, text)];
  });
}

function signsByConcepts(parameter: string, text: string, { leftOut, tree }: ConceptQuery): string[] {
  const joining = joiningIn(text).filter((word) => word !== 'and' && (word !== 'or' || leftOut.includes('or')));
  const unpaired = unpairedIn(text).map((sign) => `a ${sign} without a partner`);
  const signs = [...(text.includes('*') ? ['*'] : []), ...wildcardIn(text), ...joining, ...unpaired].join(', ');
  return [
    signs !== '' &&
      `In ${parameter}, ${signs} had no effect: ${CONCEPTS_TAKE}, in capitals and pairs, and no wildcards.`,
    ...excludedAlone(text).map(
      ({ excluded, next }) =>
        `Only “${excluded}” is left out of ${parameter}, and “${next}” must hold: to leave out several words, write -(${excluded} ${next}).`,
    ),
    !asksForSomething(tree) &&
      `${parameter} leaves out and asks for nothing: every trial without what it leaves out matches. Add what to find.`,
  ].filter((sentence) => sentence !== false);
}

function signsByWords(parameter: string, text: string): string[] {
  const isText = parameter === 'q' || parameter === 'intervention';
  const found = operatorsIn(text).filter((one) => isText || one !== 'parentheses');
  const isQuoted = parameter !== 'q' && textsIn(text).phrases.length > 0;
  const unpaired = unpairedIn(text).includes('quotation mark') ? ['a quotation mark without a partner'] : [];
  const quotes = isQuoted ? ['quotation marks'] : unpaired;
  const others = parameter === 'condition' ? [] : [...wildcardIn(text), ...joiningIn(text)];
  const signs = [...found, ...others, ...quotes].join(', ');
  if (signs === '') return [];
  if (parameter === 'condition') {
    return [
      `With match=words, condition is a whole term of a registry, with every sign (${signs}) a part of it. ${CONCEPTS_TAKE}.`,
    ];
  }
  const read = `${parameter} takes no operators (${signs}): letters are read as a word, signs are left out, and all words must occur.`;
  return [isText ? `With match=words, ${read} ${CONCEPTS_TAKE}; neither takes wildcards.` : read];
}

function joiningIn(text: string): string[] {
  const small = textsIn(text).words.flatMap((word) => (word === word.toUpperCase() ? [] : [word.toLowerCase()]));
  return JOINING.filter((word) => small.includes(word));
}

function wildcardIn(text: string): string[] {
  return (
    WILDCARD.exec(withoutPhrases(text))
      ?.slice(1)
      .filter((sign) => sign !== undefined) ?? []
  );
}

function emptyTexts(parameter: string, text: string): string[] {
  if (textsIn(text).phrases.length > 0 || excludedIn(text).length > 0) return [];
  const words = textPieces(text).map((pieces) => pieces.join('-'));
  if (words.length === 0 || !words.every(saysNothing)) return [];
  return [
    `${parameter} has only words that say nothing of a trial (${words.join(', ')}): its count answers no question. Name a disease, a treatment or a sponsor.`,
  ];
}
