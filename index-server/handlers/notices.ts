import { asksForAdvice, NO_CLINICAL_ADVICE } from '../../contract/clinical-advice.ts';
import { sponsorClassAsked } from '../../contract/fields/registry-words.ts';
import { ABROAD } from '../../contract/fields/value-names.ts';
import { REGISTRY_IDS, type RegistryId } from '../../contract/ids.ts';
import { MEANT_SPONSOR_CLASSES, SPONSOR_CLASSES } from '../../contract/vocabularies.ts';
import type { RequestContext } from '../../server-kit/mount.ts';
import type { RegistrySources } from '../../snapshot/format/registry-sources.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { snapshotDay } from '../../snapshot/format/versions/snapshot-day.ts';
import { askedCountry, isAmbiguousCountry, isPartOfCountry } from '../../snapshot/format/words/countries.ts';
import { phaseIn } from '../../snapshot/format/words/named-filters.ts';
import { excludedIn } from '../../snapshot/format/words/query-syntax.ts';
import { dataEnds } from '../data-ends.ts';
import type { Paging } from '../meta.ts';
import type { TrialFilters } from '../search/filters.ts';
import { resolveId } from '../search/hints/held-trial.ts';
import { otherAddress } from '../search/hints/other-address.ts';
import { isIdentifier } from '../search/hints/unheld-id.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';

/** What the caller may not have meant by a filter, said first and plainly. */

type AskedFilters = TrialFilters & { match?: string | undefined; sort?: string | undefined };

interface Asked {
  query: AskedFilters;
  context: RequestContext;
  version: { image: SnapshotImage; manifest: Manifest };
  sources: RegistrySources;
}

/** Each cause of a notice on the filters, whatever they find, with its sentences in the order in which they are given. */
const CAUSES: Readonly<Record<string, (asked: Asked) => string[]>> = {
  'a question of treatment': ({ query: { q, condition, intervention } }) =>
    asksForAdvice([q, condition, intervention].join(' ')) ? [NO_CLINICAL_ADVICE] : [],
  'a word to leave out': ({ query, context }) => exclusionNotices(query, context),
  'a part of a country, or a short name': ({ query }) => placeNotices(query),
  'a country of neither registry': ({ query, sources }) => abroadNotices(query, sources),
  'a class as the name of a sponsor': ({ query }) => sponsorNotices(query),
  'filters that no trial meets together': ({ query }) => emptyNotices(query),
  'a filter of one registry': ({ query }) => gapNotices(query),
  'a parameter without effect': ({ query }) => idleNotices(query),
  'days that are planned': ({ query, version }) => plannedNotices(query, version.manifest),
  'states of an early day': ({ query, version, sources }) => staleNotices(query, version, sources),
  'a phase in words': ({ query: { q, phase } }) => (q === undefined || phase !== undefined ? [] : phaseNotices(q)),
  'a number among words': ({ query: { q = '' }, version }) => (isIdentifier(q) ? [] : numberNotices(version.image, q)),
};

export function askedNotices(asked: Asked): string[] {
  return Object.values(CAUSES).flatMap((noticesOf) => noticesOf(asked));
}

/** An opening bracket stands for the group that it begins. */
const GROUP = 'the words in parentheses';

/**
 * By words, what the caller wants excluded must occur: the opposite of what was meant. The address is that of the same request by
 * concepts, which excludes it.
 */
function exclusionNotices(
  { q = '', intervention = '', match = 'words' }: AskedFilters,
  context: RequestContext,
): string[] {
  const excluded = match === 'words' ? [q, intervention].flatMap(excludedIn) : [];
  if (excluded.length === 0) return [];
  const named = excluded.map((one) => (one.startsWith('(') ? GROUP : one)).join(', ');
  const address = otherAddress(context, { match: 'concepts' });
  return [
    `This answer has only trials with ${named}, the opposite of leaving it out: match=words excludes nothing. To leave it out: ${address}`,
  ];
}

/** A part of a country is read as the whole of it, since neither registry says more; a city is read by one of its names. */
function placeNotices({ country, siteCountry, sitePlace }: TrialFilters): string[] {
  const countries = Object.entries({ country, siteCountry }).flatMap(([parameter, asked]) => {
    if (asked === undefined) return [];
    if (isPartOfCountry(asked)) {
      return `${parameter}=${asked} was read as ${askedCountry(asked)}: countries are held as a whole, so the trials may be in any part of it.`;
    }
    return isAmbiguousCountry(asked)
      ? `${parameter}=${asked} was read as ${askedCountry(asked)}: send the full name where you mean another.`
      : [];
  });
  return sitePlace === undefined
    ? countries
    : [
        ...countries,
        `sitePlace=${sitePlace} is read as the whole name of a city, as records write it: sites that are written in another language or with a district are not among them.`,
      ];
}

/** Trials in a country of neither registry are mostly registered elsewhere too, or only there. */
function abroadNotices({ country, siteCountry }: TrialFilters, sources: RegistrySources): string[] {
  const homes = REGISTRY_IDS.map((id) => sources.of(id).country);
  const asked = [country, siteCountry].flatMap((name) => (name === undefined ? [] : [askedCountry(name) ?? name]));
  return [...new Set(asked)]
    .filter((name) => !homes.includes(name))
    .map((name) => `${ABROAD} ${name} are not held: trials that are registered only there are missing.`);
}

/** A name that is also a class of sponsors: few sponsors have it as a word of their name. */
function sponsorNotices({ sponsor, anySponsor }: TrialFilters): string[] {
  return Object.entries({ sponsor, anySponsor }).flatMap(([parameter, asked]) => {
    if (asked === undefined) return [];
    const word = asked.trim().toLowerCase();
    const read = sponsorClassAsked(asked.trim());
    const meant = Object.hasOwn(MEANT_SPONSOR_CLASSES, word) ? (MEANT_SPONSOR_CLASSES[word] ?? []) : [];
    const classes = SPONSOR_CLASSES.some((one) => one === read) ? [read] : meant;
    if (classes.length === 0) return [];
    return `${parameter}=${asked} asks for sponsors with this word in their name; sponsorClass=${classes.join(',')} asks for the class.`;
  });
}

/** Filters that no trial can meet together: their zero is no fact about trials. */
function emptyNotices(query: TrialFilters): string[] {
  const { resultsAvailable, resultsPostedAfter, resultsPostedBefore, inBoth, conflictsOn } = query;
  const { startedAfter, completedBefore } = query;
  const posted = [
    ...(resultsPostedAfter === undefined ? [] : ['resultsPostedAfter']),
    ...(resultsPostedBefore === undefined ? [] : ['resultsPostedBefore']),
  ];
  return [
    ...(resultsAvailable === false && posted.length > 0
      ? [
          `resultsAvailable=false asks for trials without posted results, and ${posted.join(' and ')} for the day on which they were posted: no trial has both. Send one of them.`,
        ]
      : []),
    ...(inBoth === false && conflictsOn !== undefined
      ? ['conflictsOn asks for trials that both registries hold, and inBoth=false leaves them out: send one of them.']
      : []),
    ...(startedAfter !== undefined && completedBefore !== undefined && completedBefore < startedAfter
      ? [
          'completedBefore is a day before startedAfter: only trials whose record states a completion before the start match.',
        ]
      : []),
  ];
}

/** The results gap, and when results fall due, are of one registry. */
function gapNotices(query: TrialFilters): string[] {
  const { resultsGap, resultsDue, resultsDueAfter, resultsDueBefore } = query;
  const { registry, resultsAvailable, resultsPostedAfter, resultsPostedBefore } = query;
  const elsewhere =
    registry !== undefined && !registry.includes(GAP_REGISTRY) ? [`registry=${registry.join(',')}`] : [];
  const posted = [
    ...(resultsAvailable === true ? ['resultsAvailable=true'] : []),
    ...(resultsPostedAfter === undefined ? [] : ['resultsPostedAfter']),
    ...(resultsPostedBefore === undefined ? [] : ['resultsPostedBefore']),
  ];
  const others = [...elsewhere, ...(resultsGap === true ? posted : [])];
  const due = Object.entries({ resultsDue, resultsDueAfter, resultsDueBefore }).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [name],
  );
  if (others.length === 0 || (resultsGap !== true && due.length === 0)) return [];
  const asks =
    resultsGap === true
      ? 'resultsGap=true asks for registrations of ClinicalTrials.gov without posted results'
      : `${due.join(' and ')} ${due.length > 1 ? 'ask' : 'asks'} for registrations of ClinicalTrials.gov`;
  return [
    `${asks}: with ${others.join(' and ')}, only trials that both registries hold can match, and a zero says nothing of ISRCTN.`,
  ];
}

const GAP_REGISTRY: RegistryId = 'clinicaltrials_gov';

const IDLE = [
  ['phaseMatch', 'phase'],
  ['sponsorMatch', 'sponsor'],
  ['conditionMatch', 'condition'],
  ['sexMatch', 'sex'],
] as const;

/** Parameters that say how another one is read, and that one was not sent. */
function idleNotices(query: AskedFilters): string[] {
  const { match, q, topic, condition, intervention, gapClock, gapMonths } = query;
  const { resultsGap, resultsDue, resultsDueAfter, resultsDueBefore } = query;
  const isClocked =
    query.sort === 'daysOverdue' ||
    [resultsGap, resultsDue, resultsDueAfter, resultsDueBefore].some((asked) => asked !== undefined);
  const isRead = [q, topic, condition, intervention].some((text) => text !== undefined);
  return [
    ...(match === 'concepts' && !isRead
      ? ['match=concepts had no effect: it says how q, topic, condition and intervention are read, and none was sent.']
      : []),
    ...IDLE.flatMap(([name, of]) =>
      query[name] !== undefined && query[of] === undefined
        ? [`${name} had no effect: it says how ${of} is read, and none was sent.`]
        : [],
    ),
    ...((gapClock ?? gapMonths) === undefined || isClocked
      ? []
      : [
          'gapClock and gapMonths had no effect: they say how resultsGap, resultsDue, resultsDueAfter and resultsDueBefore are read, and none was sent.',
        ]),
  ];
}

/** Ranges of days that can be planned. */
const PLANNED = [
  ['startedAfter', 'startedBefore'],
  ['completedAfter', 'completedBefore'],
  ['primaryCompletionAfter', 'primaryCompletionBefore'],
] as const;
/** Of trials with one of these, the days have come. */
const ENDED: readonly string[] = ['completed', 'terminated'];

/** A day that a record states may be planned: "started since" would count trials that have not begun. */
function plannedNotices(query: TrialFilters, manifest: Manifest): string[] {
  const { asOf } = manifest;
  const today = snapshotDay(manifest);
  if (query.status?.every((status) => ENDED.includes(status))) return [];
  return PLANNED.flatMap(([after, before]) => {
    const [from, to] = [query[after], query[before]];
    if (from === undefined || (to !== undefined && to <= today)) return [];
    return from > today
      ? `${after} is a day after ${asOf}, the day of the data: what all these trials state is planned.`
      : `${after} also finds days after ${asOf}, which are planned: ${before}=${asOf} leaves them out.`;
  });
}

/** Statuses that a record has for a time. */
const PASSING: readonly string[] = [
  ...['active', 'running', 'suspended', 'not_yet_recruiting', 'recruiting', 'enrolling_by_invitation'],
  ...['active_not_recruiting', 'available', 'temporarily_not_available'],
];

/** Where the data of a registry ends early, what its records state of today is of that day. */
function staleNotices(query: TrialFilters, version: Asked['version'], sources: RegistrySources): string[] {
  const asked = [
    ...(query.status?.some((status) => PASSING.includes(status)) ? ['status'] : []),
    ...(query.resultsAvailable === false ? ['resultsAvailable=false'] : []),
    ...(query.resultsGap === true ? ['resultsGap=true'] : []),
  ];
  if (asked.length === 0) return [];
  const early = dataEnds(version, query.registry, sources).flatMap((end) => end.early ?? []);
  if (early.length === 0) return [];
  return [
    `${asked.join(' and ')} ${asked.length > 1 ? 'are' : 'is'} as the records stated it, and ${early.join(' and ')}: what has changed since is not counted.`,
  ];
}

const NUMBER = /\b(?:nct|isrctn)\d{8}\b/giu;
/** Numbers that are looked up for one query. */
const NUMBERS_NAMED = 3;

function phaseNotices(q: string): string[] {
  const named = phaseIn(q);
  if (named === null) return [];
  return [
    `“${named.words}” in q is matched as words, which few texts have; phase=${named.value} asks for the phase that registries state.`,
  ];
}

function numberNotices(image: SnapshotImage, q: string): string[] {
  const numbers = [...new Set((q.match(NUMBER) ?? []).map((number) => number.toUpperCase()))];
  return numbers.slice(0, NUMBERS_NAMED).map((number) => {
    const trials = resolveId(image, number)?.rows.length ?? 0;
    const leads =
      trials === 0
        ? 'no trial of this index has it'
        : `/api/v1/trials/registrations?id=${number} leads to ${trials === 1 ? 'its trial' : `${trials} trials`}`;
    return `${number} in q is the number of a registration and was matched as a word: ${leads}.`;
  });
}

/** What a page behind the last one says: it is no empty answer. */
export function beyondNotice({ page, pageSize, totalItems, returned }: Paging): string[] {
  if (page === 1 || returned > 0 || totalItems === 0) return [];
  const last = Math.ceil(totalItems / pageSize);
  return [`page=${page} is beyond the last page, page=${last}: it shows none of the ${totalItems} trials.`];
}

/** What leaves contacts out says so, and where they are. */
export const CONTACTS_LEFT_OUT = "Contacts are left out; the registry's record has them (citation.verifyAt)";
