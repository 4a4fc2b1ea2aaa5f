import { ABROAD } from '../../../contract/fields/value-names.ts';
import { REGISTRY_IDS, type RegistryId } from '../../../contract/ids.ts';
import { POSTING } from '../../../snapshot/format/serving-columns.ts';
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
import { textPieces, textUnits } from '../../../snapshot/format/words/tokens.ts';
import { dataEnds } from '../../data-ends.ts';
import { CONCEPT_PARAMETERS } from '../concepts/answer.ts';
import { asksForSomething } from '../concepts/concept-query.ts';
import { operatorsAsked } from '../concepts/matching-record.ts';
import { differenceOf } from '../concepts/readings.ts';
import { type Requirement, unitRequirement } from '../filters.ts';
import { matchingRows } from '../matching.ts';
import { without } from '../row-set.ts';
import type { Hint, HintedSearch } from './hint.ts';

/** Causes of hints on how a request was read, where the caller may have meant another thing. They change no count. */

/** By words, what the caller wants excluded must occur: the opposite of what was meant. */
export function excluded({ query: { q = '', intervention = '', match = 'words' } }: HintedSearch): Hint[] {
  const words = match === 'words' ? [q, intervention].flatMap(excludedIn) : [];
  if (words.length === 0) return [];
  const named = words.map((one) => (one.startsWith('(') ? 'the words in parentheses' : one)).join(', ');
  const sentence = `This answer has only trials with ${named}, the opposite of leaving it out: match=words excludes nothing. To leave it out, send match=concepts.`;
  return [{ sentence, changed: { match: 'concepts' } }];
}

/** A part of a country is read as the whole of it. Trials in a country of neither registry are mostly registered elsewhere too, or only there. */
export function places({ query: { country, siteCountry, sitePlace }, sources }: HintedSearch): Hint[] {
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
  return [readAs, city, abroad].flat().map((sentence) => ({ sentence }));
}

const GAP_REGISTRY: RegistryId = 'clinicaltrials_gov';

/** Filters that no trial can meet together, or that ask one registry for what only the other has: their zero is no fact about trials. */
export function contradictions({ query }: HintedSearch): Hint[] {
  const { resultsAvailable, resultsPostedAfter, resultsPostedBefore, inBoth, conflictsOn, registry } = query;
  const { startedAfter, completedBefore, resultsGap, resultsDue, resultsDueAfter, resultsDueBefore } = query;
  const sentences: string[] = [];
  const posted = namesSent({ resultsPostedAfter, resultsPostedBefore });
  if (resultsAvailable === false && posted.length > 0) {
    sentences.push(
      `resultsAvailable=false asks for trials without posted results, and ${posted.join(' and ')} for the day on which they were posted: no trial has both. Send one of them.`,
    );
  }
  if (inBoth === false && conflictsOn !== undefined) {
    sentences.push(
      'conflictsOn asks for trials that both registries hold, and inBoth=false leaves them out: send one of them.',
    );
  }
  if (startedAfter !== undefined && completedBefore !== undefined && completedBefore < startedAfter) {
    sentences.push(
      'completedBefore is a day before startedAfter: only trials whose record states a completion before the start match.',
    );
  }
  const elsewhere = registry?.includes(GAP_REGISTRY) === false ? [`registry=${registry.join(',')}`] : [];
  const withResults = [...(resultsAvailable === true ? ['resultsAvailable=true'] : []), ...posted];
  const others = [...elsewhere, ...(resultsGap === true ? withResults : [])];
  const due = namesSent({ resultsDue, resultsDueAfter, resultsDueBefore });
  if (others.length > 0 && (resultsGap === true || due.length > 0)) {
    const asks =
      resultsGap === true
        ? 'resultsGap=true asks for registrations of ClinicalTrials.gov without posted results'
        : `${due.join(' and ')} ${due.length > 1 ? 'ask' : 'asks'} for registrations of ClinicalTrials.gov`;
    sentences.push(
      `${asks}: with ${others.join(' and ')}, only trials that both registries hold can match, and a zero says nothing of ISRCTN.`,
    );
  }
  return sentences.map((sentence) => ({ sentence }));
}

function namesSent(values: Record<string, unknown>): string[] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined || value === false ? [] : [name]));
}

const READS = [
  ['phaseMatch', 'phase'],
  ['sponsorMatch', 'sponsor'],
  ['conditionMatch', 'condition'],
  ['sexMatch', 'sex'],
] as const;

/** Parameters that say how another one is read, and that one was not sent. */
export function noEffect({ query }: HintedSearch): Hint[] {
  const { match, q, topic, condition, intervention, gapClock, gapMonths, sort } = query;
  const { resultsGap, resultsDue, resultsDueAfter, resultsDueBefore } = query;
  const isClocked =
    sort === 'daysOverdue' ||
    [resultsGap, resultsDue, resultsDueAfter, resultsDueBefore].some((asked) => asked !== undefined);
  const isRead = [q, topic, condition, intervention].some((text) => text !== undefined);
  const sentences = READS.flatMap(([name, of]) =>
    query[name] !== undefined && query[of] === undefined
      ? `${name} had no effect: it says how ${of} is read, and none was sent.`
      : [],
  );
  if (match === 'concepts' && !isRead) {
    sentences.unshift(
      'match=concepts had no effect: it says how q, topic, condition and intervention are read, and none was sent.',
    );
  }
  if ((gapClock ?? gapMonths) !== undefined && !isClocked) {
    sentences.push(
      'gapClock and gapMonths had no effect: they say how resultsGap, resultsDue, resultsDueAfter and resultsDueBefore are read, and none was sent.',
    );
  }
  return sentences.map((sentence) => ({ sentence }));
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
export function days({ query, image, manifest, sources }: HintedSearch): Hint[] {
  const { asOf } = manifest;
  const today = snapshotDay(manifest);
  const planned = PLANNED.flatMap(([after, before]): Hint[] => {
    const [from, to] = [query[after], query[before]];
    if (from === undefined || (to !== undefined && to <= today)) return [];
    if (from > today)
      return [
        { sentence: `${after} is a day after ${asOf}, the day of the data: what all these trials state is planned.` },
      ];
    return [
      { sentence: `${after} also finds days after ${asOf}, which are planned: ${before}=${asOf} leaves them out.` },
    ];
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
    ...(early.length === 0 ? [] : [{ sentence: stale }]),
  ];
}

const CONCEPTS_TAKE = 'match=concepts takes OR, AND, NOT, -word, "a phrase" and parentheses';
/** Words by which people join others or leave them out; in capitals some are operators. */
const JOINING = ['and', 'or', 'not', 'without', 'except', 'excluding'];
const JOINING_WORD = new RegExp(`\\b(?:${JOINING.join('|')})\\b`, 'i');
/** Words and numbers with single blanks, hyphens or apostrophes between them, as most queries are: no sign can mean anything else. */
const PLAIN = /^[A-Za-z0-9]+(?:[ '-][A-Za-z0-9]+)*$/;
/** A question mark in a word or behind the only one, or a percent sign behind letters: signs that stand for letters elsewhere. */
const WILDCARD = /[\p{L}\p{N}](\?)[\p{L}\p{N}]|^\s*[\p{L}\p{N}-]+(\?)\s*$|\p{L}(%)/u;
const TEXTS = [...CONCEPT_PARAMETERS, 'sponsor', 'anySponsor'] as const;

/** Signs and words that people mean as operators and that were read as words or left out, and words that ask for nothing. */
export function operators(search: HintedSearch): Hint[] {
  return TEXTS.flatMap((parameter) => {
    const text = search.query[parameter];
    if (text === undefined) return [];
    const isExact = parameter === 'condition' && search.query.conditionMatch === 'exact';
    const isPlain = PLAIN.test(text) && !JOINING_WORD.test(text);
    return [...(isExact || isPlain ? [] : unreadSigns(search, parameter, text)), ...emptyTexts(parameter, text)];
  }).map((sentence) => ({ sentence }));
}

function unreadSigns(search: HintedSearch, parameter: (typeof TEXTS)[number], text: string): string[] {
  const isExpanded = parameter !== 'sponsor' && parameter !== 'anySponsor';
  const small = textsIn(text).words.flatMap((word) => (word === word.toUpperCase() ? [] : [word.toLowerCase()]));
  const joining = JOINING.filter((word) => small.includes(word));
  const wildcard = WILDCARD.exec(withoutPhrases(text))
    ?.slice(1)
    .find((sign) => sign !== undefined);
  const wildcards = wildcard === undefined ? [] : [wildcard];
  const unpaired = unpairedIn(text).map((sign) => `a ${sign} without a partner`);
  if (isExpanded && search.query.match === 'concepts') {
    const query = search.matched.readings()?.texts.find((one) => one.parameter === parameter)?.query;
    if (query === undefined) return [];
    const kept = joining.filter((word) => word !== 'and' && (word !== 'or' || query.leftOut.includes('or')));
    const signs = [...(text.includes('*') ? ['*'] : []), ...wildcards, ...kept, ...unpaired];
    return [
      ...(signs.length === 0
        ? []
        : [
            `In ${parameter}, ${signs.join(', ')} had no effect: ${CONCEPTS_TAKE}, in capitals and pairs, and no wildcards.`,
          ]),
      ...excludedAlone(text).map(
        ({ excluded: left, next }) =>
          `Only “${left}” is left out of ${parameter}, and “${next}” must hold: to leave out several words, write -(${left} ${next}).`,
      ),
      ...(asksForSomething(query.tree)
        ? []
        : [
            `${parameter} leaves out and asks for nothing: every trial without what it leaves out matches. Add what to find.`,
          ]),
    ];
  }
  const isQuoted = parameter !== 'q' && textsIn(text).phrases.length > 0;
  const quotes = isQuoted ? ['quotation marks'] : unpaired.filter((sign) => sign.includes('quotation'));
  const found = operatorsIn(text);
  if (parameter === 'condition') {
    const signs = [...found.filter((one) => one !== 'parentheses'), ...quotes];
    if (signs.length === 0) return [];
    return [
      `With match=words, condition is a whole term of a registry, with every sign (${signs.join(', ')}) a part of it. ${CONCEPTS_TAKE}.`,
    ];
  }
  const signs = [...found.filter((one) => isExpanded || one !== 'parentheses'), ...wildcards, ...joining, ...quotes];
  if (signs.length === 0) return [];
  const read = `no operators (${signs.join(', ')}): letters are read as a word, signs are left out, and all words must occur.`;
  if (!isExpanded) return [`${parameter} takes ${read}`];
  return [`With match=words, ${parameter} takes ${read} ${CONCEPTS_TAKE}; neither takes wildcards.`];
}

function emptyTexts(parameter: string, text: string): string[] {
  if (textsIn(text).phrases.length > 0 || excludedIn(text).length > 0) return [];
  const words = textPieces(text).map((pieces) => pieces.join('-'));
  if (words.length === 0 || !words.every(saysNothing)) return [];
  return [
    `${parameter} has only words that say nothing of a trial (${words.join(', ')}): its count answers no question. Name a disease, a treatment or a sponsor.`,
  ];
}

const INSIDE =
  'only inside a longer name, behind a word such as non or without, or in the description of an intervention';
const APART = "apart or in the sponsor's name alone";

/**
 * Trials of an answer by words that concepts leave out: they have the words of a name only inside a longer one, or apart. What a
 * topic, an operator or a mended slip changes is not named.
 */
export function longerNames({ query, image, matched }: HintedSearch): Hint[] {
  const read = query.match === 'concepts' ? null : matched.readings();
  if (read === null || read.topic !== null || operatorsAsked(read).length > 0) return [];
  if (read.texts.some((text) => text.query.respelt.length > 0)) return [];
  const names = read.texts
    .filter(({ parameter }) => parameter !== 'condition')
    .flatMap((text) => text.query.clauses.map(({ reading }) => reading))
    .filter(({ kind }) => kind === 'concept' || kind === 'names')
    .map(({ words }) => words);
  const { lost, strict } = differenceOf(read);
  if (names.length === 0 || lost === 0) return [];
  const requirements = [...read.strict.requirements, ...names.map(besideSponsor)];
  const rows = matchingRows(image, { ...read.strict, requirements });
  const inside = without(rows, matchingRows(image, read.expanded)).count;
  const inBothWays = `in other ways: ${inside} ${INSIDE}; ${lost - inside} ${APART}`;
  const where = inside === lost ? INSIDE : inside === 0 ? APART : inBothWays;
  const [have, them] = lost === 1 ? ['has', 'it'] : ['have', 'them'];
  const which = strict === 1 ? 'The one trial here' : `${lost} of these ${strict} trials`;
  const named = names.map((words) => `“${words}”`).join(' or ');
  const sentence = `${which} ${have} the words of ${named} ${where}: match=concepts leaves ${them} out.`;
  return [{ sentence, changed: { match: 'concepts' } }];
}

/** The words side by side, not all of them in the sponsor's name. */
function besideSponsor(words: string): Requirement {
  const units = textUnits(words);
  const [only] = units;
  const inText = units.length === 1 && only !== undefined ? unitRequirement(only, POSTING.text) : { phrase: units };
  return { allOf: [inText, { not: { allOf: units.map((unit) => unitRequirement(unit, POSTING.sponsor)) } }] };
}
