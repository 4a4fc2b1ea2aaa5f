import type { RegistryId } from '../../contract/ids.ts';
import { REGISTRY_IDS } from '../../contract/ids.ts';

/** Columns and keys of the serving image, for its writer and its reader; serving.ts names its files. */

/** Stands for "not stated" in every day-number column and in `enrollment`. */
export const NOT_STATED = -2_147_483_648;
/** Stands for "no sponsor stated" in `sponsor`. */
export const NO_SPONSOR = 0xffff_ffff;
/** Stands for "no limit, or not stated" in `minAge` and `maxAge`. */
export const NO_AGE = 255;

/** Day columns come in pairs: the first and the last day that a date covers; equal unless it is a month. */
export const ROW_COLUMNS = {
  /** Places in TRIAL_STATUSES, RECRUITMENT_STATUSES, PHASES, STUDY_TYPES, SPONSOR_CLASSES. */
  status: 'u8',
  recruitment: 'u8',
  phase: 'u8',
  studyType: 'u8',
  sponsorClass: 'u8',
  /** Bit n: holds a registration of REGISTRY_IDS[n]. */
  registries: 'u8',
  results: 'u8',
  startFirst: 'i32',
  startLast: 'i32',
  completionFirst: 'i32',
  completionLast: 'i32',
  updatedFirst: 'i32',
  updatedLast: 'i32',
  postedFirst: 'i32',
  primaryCompletionFirst: 'i32',
  primaryCompletionLast: 'i32',
  resultsPostedFirst: 'i32',
  /** Completed years of the youngest and the oldest who may take part, or NO_AGE; of the first registration that states either. */
  minAge: 'u8',
  maxAge: 'u8',
  enrollment: 'i32',
  /** Row in sponsors.arrow, or NO_SPONSOR. */
  sponsor: 'u32',
  /** LINK_FLAGS. */
  links: 'u8',
  /** Number of declared ids of the other registry that no held record has, each once per registration. */
  unresolved: 'u16',
  /** Per registry: bit n set when COMPLETENESS_FIELDS[n] is stated; 0 also when there is no registration. */
  presence0: 'u32',
  presence1: 'u32',
  /** Per registry: GAP code, and the completion day that the clock runs from. */
  gap0: 'u8',
  gap1: 'u8',
  gapDay0: 'i32',
  gapDay1: 'i32',
} as const;
export type RowColumn = keyof typeof ROW_COLUMNS;
export type ColumnWidth = (typeof ROW_COLUMNS)[RowColumn];
export type ColumnArray<W extends ColumnWidth> = W extends 'u8'
  ? Uint8Array
  : W extends 'u16'
    ? Uint16Array
    : W extends 'u32'
      ? Uint32Array
      : Int32Array;
export type RowColumns = { [C in RowColumn]: ColumnArray<(typeof ROW_COLUMNS)[C]> };

export const LINK_FLAGS = { oneWay: 1, mutual: 2, shared: 4, conflict: 8 } as const;

/** Standing of a registration in the results gap: outside its population, or inside it without or with posted results. */
export const GAP = { outside: 0, withoutResults: 1, withResults: 2 } as const;

/** Place of a registry in REGISTRY_IDS, which numbers its bits and columns. */
export function registryNumber(registry: RegistryId): 0 | 1 {
  return REGISTRY_IDS.indexOf(registry) as 0 | 1;
}

const NUMBER_OF_RECORD = '(?:NCT|ISRCTN)[0-9]{8}';

/** False for the number of a record, which stands for a title where the record has none. */
export function isStatedTitle(title: string): boolean {
  return !new RegExp(`^${NUMBER_OF_RECORD}$`).test(title);
}

/**
 * Fields that fieldCompleteness reports, each with the SQL of the condition under which a registration states it. An image numbers
 * them by their places here.
 */
export const COMPLETENESS = {
  title: `NOT regexp_full_match(title, '${NUMBER_OF_RECORD}')`,
  officialTitle: 'official_title IS NOT NULL',
  acronym: 'acronym IS NOT NULL',
  status: 'status_raw IS NOT NULL',
  phase: "phase <> 'not-stated'",
  studyType: "study_type <> 'unknown'",
  sponsor: 'sponsor_name IS NOT NULL',
  sponsorClass: "sponsor_class <> 'unknown'",
  enrollment: 'enrollment_count IS NOT NULL',
  countries: 'len(countries) > 0',
  conditions: 'len(conditions) > 0',
  interventions: 'len(interventions) > 0',
  interventionNames: 'len(list_filter(interventions, lambda one: one."name" IS NOT NULL)) > 0',
  primaryEndpoints: 'len(primary_endpoints) > 0',
  'dates.start': 'start_date IS NOT NULL',
  'dates.primaryCompletion': 'primary_completion_date IS NOT NULL',
  'dates.completion': 'completion_date IS NOT NULL',
  'dates.firstPosted': 'first_posted_date IS NOT NULL',
  'dates.lastUpdated': 'last_updated_date IS NOT NULL',
  'dates.resultsPosted': 'results_posted_date IS NOT NULL',
  briefSummary: 'brief_summary IS NOT NULL',
  keywords: 'len(keywords) > 0',
  conditionMesh: 'len(condition_mesh) > 0',
  interventionMesh: 'len(intervention_mesh) > 0',
  collaborators: 'len(collaborators) > 0',
  funders: 'len(funders) > 0',
  interventionDescriptions: 'len(intervention_descriptions) > 0',
  arms: 'len(arms) > 0',
  eligibilityText: 'eligibility_text IS NOT NULL',
  'eligibility.sex': "sex <> 'not-stated'",
  'eligibility.ages': 'coalesce(minimum_age, maximum_age) IS NOT NULL',
  sites: 'len(sites) > 0',
} as const;
export type CompletenessField = keyof typeof COMPLETENESS;
/** Their names; bit n of the columns presence0 and presence1 is the nth of them. */
export const COMPLETENESS_NAMES = Object.keys(COMPLETENESS) as CompletenessField[];

// A column has one bit for each field.
if (COMPLETENESS_NAMES.length > 32) throw new Error('more fields than the columns presence0 and presence1 have bits');

/** How a posting's rows are written: ascending row numbers, or one bit per row. Both are 32-bit words. */
export const POSTING_ENCODING = { list: 0, bitmap: 1 } as const;
/** A posting with more than one in this many rows is a bitmap, which is then smaller than a list. */
export const BITMAP_DENSITY = 32;

/** First part of a posting key; the token or the value follows. */
export const POSTING = {
  /** Token of title, official title, acronym, conditions, interventions and sponsor of any registration. */
  text: 'q:',
  /** Token of the title or the acronym of any registration; an official title is not among them. */
  titleText: 't:',
  /** Token of conditions. */
  conditionText: 'd:',
  /** Token of interventions. */
  intervention: 'i:',
  /** Token of the sponsor's name. */
  sponsor: 's:',
  /** Whole condition term, folded by `foldTerm`. */
  condition: 'c:',
  /** Whole country name, folded by `foldTerm`. */
  country: 'country:',
  topic: 'topic:',
  /** A topic by the concepts of the trial. */
  topicByConcepts: 'topic-by-concepts:',
  status: 'status:',
  recruitment: 'recruitment:',
  phase: 'phase:',
  studyType: 'type:',
  registry: 'registry:',
  results: 'results:',
  /** Registry whose own registration says that it runs, whatever the other registry says. */
  runningIn: 'running-in:',
  /** The first that any registration states, else `not-stated`; for healthy volunteers also `true` and `false`. */
  sex: 'sex:',
  healthy: 'healthy:',
  /** Class of the trial's sponsor. */
  sponsorClass: 'sponsor-class:',
  /** Country of a site, folded by `foldTerm`; `country` also has countries without a site. */
  siteCountry: 'site-country:',
  /** City of a site, folded by `foldPlace`. */
  siteCity: 'site-city:',
  /** A site in a place and of a status that it states, each part by `siteKey`. */
  site: 'site:',
  /** Token of the keywords of any registration. */
  keyword: 'k:',
  /** Token of the name of any sponsor, collaborator or funder. */
  anySponsor: 'a:',
  /** Id of a concept of the terminology that the trial is about; snapshot/terminology/record-concepts.ts says when it is. */
  concept: 'concept:',
  /** Id of a concept that a title or an acronym, a condition, or a name of an intervention names, itself or a narrower one. */
  conceptInTitle: 'concept-in-title:',
  conceptInCondition: 'concept-in-condition:',
  conceptInIntervention: 'concept-in-intervention:',
  /** A name of an intervention and another name that a registration states beside it (other-names.ts). */
  otherName: 'name:',
} as const;

/** How an entry of ids.arrow relates to its row, by its number in the file: append, and never reorder. */
export const ID_STANDINGS = [
  ...(['canonical', 'alias', 'registration', 'declared', 'sponsor-code'] as const),
  /** Own number of a record that another of the trial superseded. */
  'superseded',
  /** Earlier number of a registration that registrations of other trials list too. */
  'claimed',
] as const;
export type IdStanding = (typeof ID_STANDINGS)[number];
/** The first of these applies when an id has several standings. */
const STRONGEST_FIRST: readonly IdStanding[] = [
  ...(['canonical', 'alias', 'registration', 'superseded', 'claimed', 'declared', 'sponsor-code'] as const),
];

export function compareStandings(a: IdStanding, b: IdStanding): number {
  return STRONGEST_FIRST.indexOf(a) - STRONGEST_FIRST.indexOf(b);
}

/** Exact-match form of a registry term: NFC, white space folded, lower case. */
export function foldTerm(term: string): string {
  return term.normalize('NFC').replace(/\s+/gu, ' ').trim().toLowerCase();
}

/** Exact-match form of the name of a place: as `foldTerm`, also without accents and punctuation. */
export function foldPlace(name: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return letters.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

/**
 * Key of the trials that have one site of all that is given: its status, its country folded by `foldTerm`, its city folded by
 * `foldPlace`. An image has the keys with a status, and those with country and city; no part holds a line break.
 */
export function siteKey({ status = '', country = '', city = '' }: SiteParts): string {
  return [POSTING.site + status, country, city].join('\n');
}

export interface SiteParts {
  status?: string | undefined;
  country?: string | undefined;
  city?: string | undefined;
}

/** The form in which a canonical, registry or declared id is looked up: white space and control characters removed, upper case. */
export function foldId(id: string): string {
  return id
    .normalize('NFKC')
    .replace(/[\s\p{Cc}]+/gu, '')
    .toUpperCase();
}

/**
 * Text terms in at least this many rows are common: pairs.arrow holds every pair of them that any text has. For rarer
 * terms, reading the trials is fast enough. The image states the number it was made with.
 */
export const COMMON_TERM_ROWS = 2048;

/** Key of pairs.arrow: both term numbers, big-endian, so that byte order is number order. */
export function encodePair(first: number, second: number): Uint8Array {
  const key = Buffer.allocUnsafe(8);
  key.writeUInt32BE(first, 0);
  key.writeUInt32BE(second, 4);
  return key;
}
