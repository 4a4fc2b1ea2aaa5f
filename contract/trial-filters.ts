import { MODALITY_IDS } from './declared/modality.ts';
import { TOPIC_IDS } from './declared/topics.ts';
import { CONFLICT_FIELDS } from './fields/field-shapes.ts';
import { phaseAsked, registryAsked, sponsorClassAsked, statusAsked, topicAsked } from './fields/registry-words.ts';
import { REGISTRY_IDS } from './ids.ts';
import { GAP_CLOCKS, GAP_MONTHS, QUERY_MAX_CHARACTERS, RESULTS_GAP_MONTHS } from './limits/limits.ts';
import {
  booleanParameter,
  dayParameter,
  enumParameter,
  integerParameter,
  listParameter,
  textParameter,
} from './parameters.ts';
import {
  MATCH_MODES,
  MEANT_PHASES,
  MEANT_SEXES,
  MEANT_SITE_STATUSES,
  MEANT_SPONSOR_CLASSES,
  MEANT_STATUSES,
  MEANT_STUDY_TYPES,
  PARTICIPANT_SEX,
  PHASES,
  RECRUITMENT_STATUSES,
  SPONSOR_CLASSES,
  STUDY_TYPES,
  TRIAL_STATUSES,
} from './vocabularies.ts';

const TOPIC_MAX_CHARACTERS = 60;
/** More people than any trial can have; the largest 32-bit number, by which counts are kept. */
const PEOPLE_MAX = 2_147_483_647;
const AGE_MAX_YEARS = 150;

const STATUS_VALUES = [...new Set(['active', ...TRIAL_STATUSES, ...RECRUITMENT_STATUSES])] as [string, ...string[]];
const day = (description: string) => dayParameter(`${description}; a month-only date matches when any day of it would`);

/** Filters that search, coverage and landscape share. */
export const trialFilterParameters = {
  q: textParameter(
    QUERY_MAX_CHARACTERS,
    'Free text. Every word must occur in title, conditions, interventions or sponsor; British and American spelling, simple plurals, case and accents are equal; "a phrase" in double quotes is matched as such.',
  ).optional(),
  match: enumParameter(
    MATCH_MODES,
    'How q, topic, condition and intervention are matched. words: every word, exactly as said of each. concepts: also other names of the same disease or substance and narrower kinds, each named in the answer; q, condition and intervention take OR, -word, "a phrase" and parentheses.',
  ).default('words'),
  condition: textParameter(QUERY_MAX_CHARACTERS, 'A condition exactly as a registry names it, in any case.').optional(),
  intervention: textParameter(
    QUERY_MAX_CHARACTERS,
    'Only trials in whose interventions all of these words occur.',
  ).optional(),
  sponsor: textParameter(
    QUERY_MAX_CHARACTERS,
    "Only trials in whose sponsor's name all of these words occur.",
  ).optional(),
  status: listParameter(
    STATUS_VALUES,
    "Only trials with one of these statuses, coarse or finer; `active` means running. A registry's own word is read too (RECRUITING).",
    { asked: statusAsked, meant: MEANT_STATUSES },
  ).optional(),
  phase: listParameter(
    PHASES,
    "Only trials of these phases; a combined phase matches each of its parts. A registry's own word is read too (PHASE1/PHASE2).",
    { asked: phaseAsked, meant: MEANT_PHASES },
  ).optional(),
  studyType: listParameter(STUDY_TYPES, 'Only trials of these types of study.', {
    meant: MEANT_STUDY_TYPES,
  }).optional(),
  country: textParameter(
    QUERY_MAX_CHARACTERS,
    'Only trials in this country: its English name, another that a registry lists, or its ISO code, in any case; _meta.filters says which was read.',
  ).optional(),
  registry: listParameter(
    REGISTRY_IDS,
    'Only trials registered in any of these registries; ctgov and ClinicalTrials.gov are read too.',
    { asked: registryAsked },
  ).optional(),
  topic: textParameter(TOPIC_MAX_CHARACTERS, 'Only trials of this curated topic.', {
    test: /^[a-z0-9-]+$/,
    words: 'a topic id that /api/v1/trials/stats lists',
    asked: topicAsked,
  })
    .meta({ json: { type: 'string', enum: TOPIC_IDS } })
    .optional(),
  modality: listParameter(
    MODALITY_IDS,
    'Only trials with a label of any of these groups. Labels are inferred from interventions: a judgement, not a registry fact.',
  ).optional(),
  resultsAvailable: booleanParameter(
    'true: only trials with results posted at a registry itself; false: only the others.',
  ).optional(),
  startedAfter: day('Started on or after this day').optional(),
  startedBefore: day('Started on or before this day').optional(),
  completedAfter: day('Completed on or after this day').optional(),
  completedBefore: day('Completed on or before this day').optional(),
  updatedAfter: day('Last updated on or after this day').optional(),
  updatedBefore: day('Last updated on or before this day').optional(),
  primaryCompletionAfter: day('Primary completion on or after this day').optional(),
  primaryCompletionBefore: day('Primary completion on or before this day').optional(),
  firstPostedAfter: day('First posted on or after this day').optional(),
  firstPostedBefore: day('First posted on or before this day').optional(),
  resultsPostedAfter: day('Results posted at a registry on or after this day').optional(),
  resultsPostedBefore: day('Results posted at a registry on or before this day').optional(),
  enrollmentMin: integerParameter(0, PEOPLE_MAX, 'Only trials with at least this many people.').optional(),
  enrollmentMax: integerParameter(0, PEOPLE_MAX, 'Only trials with at most this many people.').optional(),
  sponsorClass: listParameter(
    SPONSOR_CLASSES,
    "Only trials whose sponsor is of one of these classes. ClinicalTrials.gov's own word is read too (OTHER_GOV).",
    { asked: sponsorClassAsked, meant: MEANT_SPONSOR_CLASSES },
  ).optional(),
  anySponsor: textParameter(
    QUERY_MAX_CHARACTERS,
    'Only trials whose sponsors, collaborators and funders together have all of these words.',
  ).optional(),
  inBoth: booleanParameter(
    'true: only trials with a registration in each registry; false: only the others.',
  ).optional(),
  conflictsOn: listParameter(
    CONFLICT_FIELDS,
    'Only trials whose two registries state one of these fields differently (`conflicts`).',
  ).optional(),
  resultsGap: booleanParameter(
    `true: only trials that GET /api/v1/results-gap counts: completed interventional trials of ClinicalTrials.gov without posted results ${RESULTS_GAP_MONTHS} months after completion; false: only the others. gapClock and gapMonths count it otherwise.`,
  ).optional(),
  resultsDue: booleanParameter(
    'true: only the denominator of resultsGap: trials completed as long ago, with results posted or without; false: only the others. It says nothing about any duty to post.',
  ).optional(),
  resultsDueAfter: dayParameter(
    'Completed interventional trials of ClinicalTrials.gov whose months after completion end on or after this day',
  ).optional(),
  resultsDueBefore: dayParameter('The same, on or before this day').optional(),
  gapClock: enumParameter(
    GAP_CLOCKS,
    'From which date resultsGap, resultsDue and sort=daysOverdue count. primaryCompletion, as without it: the primary completion, else the completion; completion: that alone.',
  ).optional(),
  gapMonths: enumParameter(
    GAP_MONTHS,
    `After how many months resultsGap and resultsDue count a trial; ${RESULTS_GAP_MONTHS} as without it.`,
  ).optional(),
  phaseMatch: enumParameter(
    ['combined', 'exact'],
    'combined, as without it: a combined phase matches each of its parts. exact: phase=2 leaves out 1-2 and 2-3.',
  ).optional(),
  sponsorMatch: enumParameter(
    ['words', 'exact'],
    "words, as without it: all words of sponsor occur in the name. exact: sponsor is the lead sponsor's whole name.",
  ).optional(),
  conditionMatch: enumParameter(
    ['asked', 'exact'],
    'asked, as without it: condition is read as match says. exact: it is the whole term of a registry also with match=concepts.',
  ).optional(),
  age: integerParameter(
    0,
    AGE_MAX_YEARS,
    'Only trials that a person of this age in years may take part in by the stated limits; trials that state no limit are left out.',
  ).optional(),
  sex: listParameter(
    PARTICIPANT_SEX,
    'Only trials that people of this sex may take part in, alone or with all; trials that state no sex are left out. sexMatch=exact asks for what the record states.',
    { meant: MEANT_SEXES },
  ).optional(),
  sexMatch: enumParameter(
    ['eligible', 'exact'],
    'eligible, as without it: sex says who may take part. exact: sex is what the record states.',
  ).optional(),
  siteCountry: textParameter(
    QUERY_MAX_CHARACTERS,
    'Only trials with a site in this country, read as `country` is.',
  ).optional(),
  sitePlace: textParameter(
    QUERY_MAX_CHARACTERS,
    'Only trials with a site in this city, by its whole name; with siteCountry or country, the city of this name there.',
  ).optional(),
  siteStatus: listParameter(
    RECRUITMENT_STATUSES,
    "Only trials with a site of one of these statuses, in the city and country asked for, else anywhere; `status` is of the whole trial. Where no site there states a status (ISRCTN never does), the trial's own counts; each trial says which.",
    { asked: statusAsked, meant: MEANT_SITE_STATUSES },
  ).optional(),
  keyword: textParameter(
    QUERY_MAX_CHARACTERS,
    'Only trials whose registry keywords have all these words. With match=concepts q reads concepts in keywords. ISRCTN has none.',
  ).optional(),
};

const TEXTS_OF_Q = 'its titles, acronym, conditions, interventions or sponsor';
const TEXTS_OF_CONCEPTS =
  'its titles, acronym, conditions, interventions or sponsor, or as the name of a concept in its keywords or MeSH terms';

/** The texts of a trial that a filter by words reads under each `match`, as a sentence about a word that none has must name them. */
export const TEXTS_READ: Readonly<Record<(typeof MATCH_MODES)[number], Readonly<Record<string, string>>>> = {
  words: {
    q: TEXTS_OF_Q,
    condition: TEXTS_OF_Q,
    intervention: 'its interventions',
    sponsor: 'the name of its sponsor',
    sitePlace: 'the cities of its sites',
  },
  concepts: {
    q: TEXTS_OF_CONCEPTS,
    condition: TEXTS_OF_CONCEPTS,
    intervention: 'its interventions',
    sponsor: 'the name of its sponsor',
    sitePlace: 'the cities of its sites',
  },
};

/** Parameters that say how a filter is read and choose no trials by themselves, each with what it says where it is not sent. */
export const READING_PARAMETERS = {
  match: 'words',
  phaseMatch: 'combined',
  sponsorMatch: 'words',
  conditionMatch: 'asked',
  sexMatch: 'eligible',
  gapClock: GAP_CLOCKS[0],
  gapMonths: GAP_MONTHS[0],
} as const satisfies Partial<Record<keyof typeof trialFilterParameters, string>>;
