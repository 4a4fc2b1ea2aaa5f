import { readFileSync } from 'node:fs';
import {
  age,
  all,
  bareName,
  began,
  between,
  city,
  country,
  dated,
  datesDiffer,
  GAP_BEGINS_BY,
  gapDate,
  hasResults,
  inBoth,
  inGap,
  interventions,
  isCondition,
  isIn,
  isUnderWay,
  keywords,
  lead,
  leadIs,
  missedByCompletion,
  not,
  organisations,
  people,
  phase,
  postedOf,
  searched,
  sex,
  site,
  siteStatus,
  some,
  sponsorKind,
  statesSex,
  statesStatus,
  status,
  type Test,
  UNITED_KINGDOM,
  updatedOf,
  words,
} from './raw/meanings.ts';
import type { RawDate } from './raw/record.ts';
import type { RawTrial } from './raw/trials.ts';

interface Topic {
  id: string;
  anyOf: string[];
}

const TOPICS: Topic[] = JSON.parse(readFileSync(new URL('../../data/topics.json', import.meta.url), 'utf8')).topics;

/** A query of the topic is a word or a phrase, which stands in the title or in one condition; an s may follow. */
function topic(id: string): Test {
  const patterns = TOPICS.find((one) => one.id === id)!.anyOf.map((query) => {
    const given = query.replaceAll('"', '').split(' ');
    return new RegExp(`\\b${given.map((word) => `${word.replaceAll('-', '-?')}s?`).join('[^a-z0-9\\n]+')}\\b`, 'i');
  });
  return some((record) => {
    const text = [record.title, ...record.conditions].join('\n');
    return patterns.some((pattern) => pattern.test(text));
  });
}

const CTGOV = isIn('clinicaltrials_gov');
const isEnded = status(/^(?:COMPLETED|Completed)$/);
const isIndustry = sponsorKind(/^(?:INDUSTRY|Industry|Commercial)$/);

const isRecruiting = status(/^RECRUITING$/, /^Recruiting$/);
const isInCambridge = (place: { city: string; country: string }): boolean =>
  bareName(place.city) === 'cambridge' && UNITED_KINGDOM.test(place.country);

/** The query string of a search, and what it means. */
export const FILTERS: Record<string, Test> = {
  'condition=Heart Failure': isCondition('heart failure'),
  'intervention=metformin': words(interventions, /\bmetformin\b/i),
  'sponsor=university hospital': words(lead, /\buniversit(?:y|ies)\b/i, /\bhospitals?\b/i),
  'sponsor=mayo clinic&sponsorMatch=exact': leadIs(/^Mayo Clinic$/i),
  'condition=Heart Failure&conditionMatch=exact&match=concepts': isCondition('heart failure'),
  'anySponsor=National Institute for Health and Care Research': words(
    organisations,
    ...['nationals?', 'institutes?', 'for', 'health', 'and', 'cares?', 'research'].map(
      (word) => new RegExp(`\\b${word}\\b`, 'i'),
    ),
  ),
  'q="heart failure"': words(searched, /\bheart[^a-z0-9\n]+failures?\b/i),
  'status=active&phase=2': all(
    isUnderWay,
    phase((parts) => parts.includes('2')),
  ),
  'status=completed': isEnded,
  'status=RECRUITING,NOT_YET_RECRUITING': status(/^(?:NOT_YET_)?RECRUITING$/, /^(?:Recruiting|Not yet recruiting)$/),
  'status=No longer recruiting': status(/^ACTIVE_NOT_RECRUITING$/, /^(?:No longer recruiting|Stopped)$/),
  'status=Stopped': status(/^(?:TERMINATED|Stopped)$/),
  'status=suspended': status(/^(?:SUSPENDED|Suspended|Deferred)$/, /^Suspended$/),
  'status=unknown': not(some(statesStatus)),
  'phase=2&phaseMatch=exact': phase((parts) => parts.join() === '2'),
  'phase=PHASE1/PHASE2': phase((parts) => parts.join() === '1,2'),
  'phase=not-applicable': phase((parts) => parts.join() === 'none'),
  'phase=not-stated': not(some(({ phases }) => phases.length > 0)),
  'studyType=observational': some(({ studyType }) => studyType === 'OBSERVATIONAL'),
  'studyType=interventional&resultsAvailable=true': all(
    some(({ studyType }) => /^interventional$/i.test(studyType)),
    hasResults,
  ),
  'country=united kingdom': country(UNITED_KINGDOM),
  'country=Turkey': country(/^Turkey/),
  'country=kr': country(/^(?:South Korea|Korea, Republic of)$/),
  'country=cze': country(/^(?:Czechia|Czech Republic)$/),
  'country=USA&sponsorClass=industry&phase=3': all(
    country(/^United States(?: of America)?$/),
    isIndustry,
    phase((parts) => parts.includes('3')),
  ),
  'registry=clinicaltrials_gov': CTGOV,
  'registry=isrctn&resultsAvailable=true': all(isIn('isrctn'), hasResults),
  'topic=covid-19': topic('covid-19'),
  'resultsAvailable=false&registry=clinicaltrials_gov': all(not(hasResults), CTGOV),
  'startedAfter=2015-06-15&startedBefore=2015-06-20': dated('start', '2015-06-15', '2015-06-20'),
  'completedBefore=2000-12-31': dated('completion', '', '2000-12-31'),
  'completedAfter=2024-02-29&completedBefore=2024-02-29': dated('completion', '2024-02-29', '2024-02-29'),
  'updatedAfter=2026-07-01': (trial) => between(updatedOf(trial), '2026-07-01', '9999'),
  'updatedBefore=2005-12-31': (trial) => between(updatedOf(trial), '', '2005-12-31'),
  'primaryCompletionAfter=2020-03-31&primaryCompletionBefore=2020-06-01': dated(
    'primaryCompletion',
    '2020-03-31',
    '2020-06-01',
  ),
  'firstPostedAfter=2021-10-01&firstPostedBefore=2021-10-31': (trial) =>
    between(postedOf(trial), '2021-10-01', '2021-10-31'),
  'resultsPostedAfter=2023-01-01&resultsPostedBefore=2023-12-31': dated('resultsPosted', '2023-01-01', '2023-12-31'),
  'enrollmentMin=5000': people(5000, Number.POSITIVE_INFINITY),
  'enrollmentMin=100&enrollmentMax=100': people(100, 100),
  'age=99&sex=male': all(age(99), sex(/^(?:male|all|both)$/i)),
  'sex=female': sex(/^(?:female|all|both)$/i),
  'sex=male,not-stated&sexMatch=exact': (trial) => sex(/^male$/i)(trial) || not(some(statesSex))(trial),
  'sex=not-stated': not(some(statesSex)),
  'siteCountry=uk&status=recruiting': all(
    site((place) => UNITED_KINGDOM.test(place.country)),
    isRecruiting,
  ),
  'sitePlace=Cambridge': city('cambridge'),
  'sitePlace=Cambridge&siteCountry=GB': site(isInCambridge),
  'siteStatus=recruiting': siteStatus(() => true, /^RECRUITING$/, isRecruiting),
  'siteStatus=recruiting&country=uk': all(
    country(UNITED_KINGDOM),
    siteStatus((place) => UNITED_KINGDOM.test(place.country), /^RECRUITING$/, isRecruiting),
  ),
  'siteStatus=Withdrawn,NOT_YET_RECRUITING&siteCountry=us': all(
    site((place) => place.country === 'United States'),
    siteStatus(
      (place) => place.country === 'United States',
      /^(?:WITHDRAWN|NOT_YET_RECRUITING)$/,
      status(/^(?:WITHDRAWN|NOT_YET_RECRUITING)$/, /^Not yet recruiting$/),
    ),
  ),
  'keyword=crispr': words(keywords, /\bcrispr\b/i),
  'sponsorClass=industry': isIndustry,
  'sponsorClass=nih,federal': sponsorKind(/^(?:NIH|FED)$/),
  'inBoth=true': inBoth,
  'resultsGap=true': inGap,
  'resultsGap=false&registry=clinicaltrials_gov': all(not(inGap), CTGOV),
  'resultsDue=true': began('0000', GAP_BEGINS_BY),
  // 18 months before the first and the last day of the year.
  'resultsDueAfter=2020-01-01&resultsDueBefore=2020-12-31': began('2018-07-01', '2019-06-30'),
  'resultsGap=true&gapClock=completion&gapMonths=12': missedByCompletion,
  'conflictsOn=dates.completion': datesDiffer('completion'),
};

/** A parameter with every value that a record holds: the values under which a trial is found. */
export interface FilterOfEach {
  parameter: string;
  what: string;
  valuesOf(trial: RawTrial): Iterable<string>;
}

/** Those of children, and some at which limits often lie. */
const AGES = [...Array(19).keys(), 21, 65, 75, 80, 85, 99, 110];

export const FILTERS_OF_EACH: readonly FilterOfEach[] = [
  {
    parameter: 'condition',
    what: 'every condition that a record states',
    valuesOf: ({ records }) => records.flatMap(({ conditions }) => conditions.map((name) => name.toLowerCase())),
  },
  {
    parameter: 'sitePlace',
    what: 'every city in which a record lists a site',
    valuesOf: ({ records }) => records.flatMap(({ sites }) => sites.map((place) => bareName(place.city))),
  },
  {
    parameter: 'age',
    what: 'every age from 0 to 18, and 21, 65, 75, 80, 85, 99 and 110',
    valuesOf: (trial) => AGES.filter((years) => age(years)(trial)).map(String),
  },
];

/** An order over the trials that a filter finds: the largest value first, trials without one last, ties by update. */
export interface FilterSort {
  holds: Test;
  sortedBy(trial: RawTrial): string | number | null;
}

const dateOf =
  (name: RawDate) =>
  ({ records }: RawTrial): string | null =>
    records.flatMap(({ dates }) => dates[name] ?? [])[0]?.first ?? null;
const updateOf = (trial: RawTrial): string | null => updatedOf(trial)?.last ?? null;
const enrollmentOf = ({ records }: RawTrial): number | null =>
  records.flatMap((one) => one.enrollment ?? [])[0] ?? null;
/** The earlier the clock began, the longer a trial is overdue. */
const overdueOf = (trial: RawTrial): number | null => {
  const date = gapDate(trial);
  return date === null ? null : -Date.parse(date);
};
const every: Test = () => true;

/** By the query string of the search. */
export const SORTS: Record<string, FilterSort> = {
  'sort=updated': { holds: every, sortedBy: updateOf },
  'sort=start': { holds: every, sortedBy: dateOf('start') },
  'sort=completion': { holds: every, sortedBy: dateOf('completion') },
  'sort=enrollment': { holds: every, sortedBy: enrollmentOf },
  'sort=daysOverdue': { holds: every, sortedBy: overdueOf },
  'sort=daysOverdue&resultsGap=true': { holds: inGap, sortedBy: overdueOf },
};

/** The trials in this order. `canonicalIdOf` breaks what values and updates leave equal. */
export function inOrder(
  trials: readonly RawTrial[],
  { holds, sortedBy }: FilterSort,
  canonicalIdOf: (trial: RawTrial) => string,
): RawTrial[] {
  const keyed = trials.filter(holds).map((trial) => ({
    trial,
    keys: [sortedBy(trial), updateOf(trial)],
    id: canonicalIdOf(trial),
  }));
  keyed.sort((one, other) => {
    for (const [place, key] of one.keys.entries()) {
      const order = largestFirst(key, other.keys[place]!);
      if (order !== 0) return order;
    }
    return one.id < other.id ? -1 : 1;
  });
  return keyed.map(({ trial }) => trial);
}

function largestFirst(one: string | number | null, other: string | number | null): number {
  if (one === other) return 0;
  if (one === null) return 1;
  return other === null || one > other ? -1 : 1;
}
