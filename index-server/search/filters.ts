import type { ModalityId } from '../../contract/declared/modality.ts';
import { REGISTRY_IDS } from '../../contract/ids.ts';
import { type MATCH_MODES, PHASES, RECRUITMENT_STATUSES, TRIAL_STATUSES } from '../../contract/vocabularies.ts';
import { foldTerm, POSTING, type RowColumn } from '../../snapshot/format/serving-columns.ts';
import { askedCountry } from '../../snapshot/format/words/countries.ts';
import { parseQuery, type QueryClause } from '../../snapshot/format/words/query.ts';
import { type TextUnit, textUnits } from '../../snapshot/format/words/tokens.ts';
import { type ClockFilters, type ClockTest, clockTests } from './counting/results-clock.ts';
import type { RowSet } from './row-set.ts';
import { placeKey, sitePlaceOf, siteStatusRequirements } from './site-status.ts';

/** What narrows a search, coverage or landscape; all that are given must hold. Day numbers as in snapshot/format/words/dates.ts. */
export interface TrialFilters extends ClockFilters {
  /** Words, "phrases" and hyphenated compounds over title, conditions, interventions and sponsor. */
  q?: string | undefined;
  /** A registry's own term, whole, in any case. */
  condition?: string | undefined;
  /** Words of the interventions; quotation marks have no meaning here or in `sponsor`. */
  intervention?: string | undefined;
  sponsor?: string | undefined;
  /** Any of these coarse or finer statuses; `active` stands for `running`. */
  status?: string[] | undefined;
  phase?: string[] | undefined;
  studyType?: string[] | undefined;
  country?: string | undefined;
  /** Trials that hold a registration of any of these registries. */
  registry?: string[] | undefined;
  topic?: string | undefined;
  resultsAvailable?: boolean | undefined;
  /** Inclusive; a month-only date matches when any of its days would. */
  startedAfter?: number | undefined;
  startedBefore?: number | undefined;
  completedAfter?: number | undefined;
  completedBefore?: number | undefined;
  updatedAfter?: number | undefined;
  updatedBefore?: number | undefined;
  primaryCompletionAfter?: number | undefined;
  primaryCompletionBefore?: number | undefined;
  firstPostedAfter?: number | undefined;
  firstPostedBefore?: number | undefined;
  resultsPostedAfter?: number | undefined;
  resultsPostedBefore?: number | undefined;
  enrollmentMin?: number | undefined;
  enrollmentMax?: number | undefined;
  sponsorClass?: string[] | undefined;
  /** Words of all sponsors, collaborators and funders together. */
  anySponsor?: string | undefined;
  inBoth?: boolean | undefined;
  /** Names of CONFLICT_FIELDS. */
  conflictsOn?: string[] | undefined;
  phaseMatch?: 'combined' | 'exact' | undefined;
  /** Whether `sponsor` is words of the name or all of it. */
  sponsorMatch?: 'words' | 'exact' | undefined;
  /** Whether `condition` is a whole term also by concepts. */
  conditionMatch?: 'asked' | 'exact' | undefined;
  age?: number | undefined;
  sex?: string[] | undefined;
  /** Whether `sex` says who may take part, or what the record states. */
  sexMatch?: 'eligible' | 'exact' | undefined;
  siteCountry?: string | undefined;
  /** Whole name of a city. */
  sitePlace?: string | undefined;
  /** Statuses of a site there. */
  siteStatus?: string[] | undefined;
  /** Words of the keywords of a registry. */
  keyword?: string | undefined;
}

/** Filters as the contract parses them; the rest of a query is not read here. */
export type FilterQuery = TrialFilters & {
  modality?: readonly ModalityId[] | undefined;
  match?: (typeof MATCH_MODES)[number] | undefined;
};

/**
 * A posting key, any or all of further requirements, none of one, a conflict on any of these fields, a phrase within
 * one field of the text, or a word of the text that is not only part of compounds.
 */
export type Requirement =
  | string
  | { anyOf: Requirement[] }
  | { allOf: Requirement[] }
  | { not: Requirement }
  | { conflictOn: string[] }
  | { phrase: TextUnit[] }
  | { plainWord: string };

/** From `first` to `last`, a row must have at least one value within `after..before`, both inclusive; one without never does. */
export interface ValueRange {
  first: RowColumn;
  last: RowColumn;
  after: number | null;
  before: number | null;
}

/** What columns must hold: a range of values, an age within the stated limits, the lead sponsor's folded name, or a time since completion. */
export type ColumnTest = ValueRange | { age: number } | { sponsorNamed: string } | ClockTest;

/** Filters ready to be evaluated; without `within`, the same for every snapshot. */
export interface CompiledFilters {
  /** Words and phrases of `q`, all of which must hold; empty without `q`. By relevance each earns points. */
  text: Requirement[];
  requirements: Requirement[];
  tests: ColumnTest[];
  /** Rows of the same image that a match is one of, and a name that no other rows of it have. */
  within?: { name: string; rows: RowSet };
}

/** A filter that asks for nothing, and so cannot be evaluated. */
export interface FilterFault {
  parameter: 'q' | 'intervention' | 'sponsor' | 'anySponsor' | 'keyword';
  expected: string;
}

/** What a text without a word is refused with. */
export const WORDS = 'text with at least one letter or digit';

/** Parameters made of words, each with the keys that it asks for. */
const WORD_FILTERS = [
  ['intervention', POSTING.intervention],
  ['sponsor', POSTING.sponsor],
  ['anySponsor', POSTING.anySponsor],
  ['keyword', POSTING.keyword],
] as const;

/** Compiles the filters of a request. A text without a word is a fault. */
export function readFilters(filters: TrialFilters): CompiledFilters | FilterFault {
  const text = filters.q === undefined ? [] : parseQuery(filters.q).map(clauseRequirement);
  if (filters.q !== undefined && text.length === 0) return { parameter: 'q', expected: WORDS };
  const requirements: Requirement[] = [];
  for (const [parameter, prefix] of WORD_FILTERS) {
    const words = wordRequirements(filters[parameter], prefix);
    const isWhole = parameter === 'sponsor' && filters.sponsorMatch === 'exact';
    if (filters[parameter] !== undefined && words.length === 0 && !isWhole) return { parameter, expected: WORDS };
    requirements.push(...words);
  }
  requirements.push(...valueRequirements(filters));
  return { text, requirements, tests: columnTests(filters) };
}

/** Parameters that are the two ends of one range. */
const RANGES = [
  ['startedAfter', 'startedBefore'],
  ['completedAfter', 'completedBefore'],
  ['updatedAfter', 'updatedBefore'],
  ['primaryCompletionAfter', 'primaryCompletionBefore'],
  ['firstPostedAfter', 'firstPostedBefore'],
  ['resultsPostedAfter', 'resultsPostedBefore'],
  ['resultsDueAfter', 'resultsDueBefore'],
  ['enrollmentMin', 'enrollmentMax'],
] as const satisfies readonly (readonly [keyof TrialFilters, keyof TrialFilters])[];

/** The first range that ends before it begins: no trial could match, and the caller surely meant another. */
export function contradictoryRange(filters: TrialFilters): { parameter: string; expected: string } | null {
  for (const [least, most] of RANGES) {
    const [from, to] = [filters[least], filters[most]];
    if (from === undefined || to === undefined || from <= to) continue;
    const what = least === 'enrollmentMin' ? 'a number of at most' : 'a day on or before';
    return { parameter: least, expected: `${what} that of ${most}, since both ends of the range count` };
  }
  return null;
}

/** What `intervention` or `condition` asks for by words, as `readFilters` does. */
export function fieldRequirements(parameter: 'intervention' | 'condition', value: string): Requirement[] {
  return parameter === 'intervention' ? wordRequirements(value, POSTING.intervention) : term(value, POSTING.condition);
}

function valueRequirements(filters: TrialFilters): Requirement[] {
  const { topic, resultsAvailable, inBoth, conflictsOn } = filters;
  const phaseKeys = filters.phaseMatch === 'exact' ? exactPhase : (value: string) => [POSTING.phase + value];
  const inEach: Requirement = { allOf: REGISTRY_IDS.map((id) => POSTING.registry + id) };
  return [
    ...term(filters.condition, POSTING.condition),
    ...term(countryOf(filters.country), POSTING.country),
    ...anyValue(filters.status, statusKeys),
    ...anyValue(filters.phase, phaseKeys),
    ...anyValue(filters.studyType, (value) => [POSTING.studyType + value]),
    ...anyValue(filters.registry, (value) => [POSTING.registry + value]),
    ...anyValue(filters.sponsorClass, (value) => [POSTING.sponsorClass + value]),
    ...anyValue(filters.sex, filters.sexMatch === 'exact' ? sexStated : sexEligible),
    ...term(countryOf(filters.siteCountry), POSTING.siteCountry),
    ...(filters.sitePlace === undefined ? [] : [placeKey(sitePlaceOf(filters)) as string]),
    ...siteStatusRequirements(filters),
    ...(topic === undefined ? [] : [POSTING.topic + topic]),
    ...(resultsAvailable === undefined ? [] : [POSTING.results + String(resultsAvailable)]),
    ...(inBoth === undefined ? [] : [inBoth ? inEach : { not: inEach }]),
    ...(conflictsOn === undefined ? [] : [{ conflictOn: conflictsOn }]),
  ];
}

function columnTests(filters: TrialFilters): ColumnTest[] {
  const { age, sponsor, sponsorMatch } = filters;
  const primaryCompletion = ['primaryCompletionFirst', 'primaryCompletionLast'] as const;
  return [
    ...range(['startFirst', 'startLast'], filters.startedAfter, filters.startedBefore),
    ...range(['completionFirst', 'completionLast'], filters.completedAfter, filters.completedBefore),
    ...range(['updatedFirst', 'updatedLast'], filters.updatedAfter, filters.updatedBefore),
    ...range(primaryCompletion, filters.primaryCompletionAfter, filters.primaryCompletionBefore),
    ...range(['postedFirst', 'postedFirst'], filters.firstPostedAfter, filters.firstPostedBefore),
    ...range(['resultsPostedFirst', 'resultsPostedFirst'], filters.resultsPostedAfter, filters.resultsPostedBefore),
    ...range(['enrollment', 'enrollment'], filters.enrollmentMin, filters.enrollmentMax),
    ...(age === undefined ? [] : [{ age }]),
    ...(sponsor !== undefined && sponsorMatch === 'exact' ? [{ sponsorNamed: foldTerm(sponsor) }] : []),
    ...clockTests(filters),
  ];
}

function countryOf(sent: string | undefined): string | undefined {
  return sent === undefined ? undefined : (askedCountry(sent) ?? sent);
}

function sexStated(value: string): string[] {
  return [POSTING.sex + value];
}

/** Whoever a trial for all takes may take part in it, as `age` finds the trials whose limits include it. */
function sexEligible(value: string): string[] {
  return value === 'female' || value === 'male' ? [value, 'all'].flatMap(sexStated) : sexStated(value);
}

/** A trial of a combined phase has the keys of its parts too. */
function exactPhase(value: string): Requirement[] {
  const combined = COMBINED_PHASES.filter((phase) => phase !== value && phase.split('-').includes(value));
  const key = POSTING.phase + value;
  if (combined.length === 0) return [key];
  return [{ allOf: [key, { not: { anyOf: combined.map((phase) => POSTING.phase + phase) } }] }];
}

const COMBINED_PHASES = PHASES.filter((phase) => /^\d-\d$/.test(phase));

/** Compiles filters that are known to be valid: those of our own code, and reviewed or checked texts. */
export function compileFilters(filters: TrialFilters): CompiledFilters {
  const compiled = readFilters(filters);
  if ('expected' in compiled) throw new Error(`${compiled.parameter}: expected ${compiled.expected}`);
  return compiled;
}

function clauseRequirement(clause: QueryClause): Requirement {
  return clause.kind === 'phrase' ? { phrase: clause.units } : unitRequirement(clause, POSTING.text);
}

function wordRequirements(text: string | undefined, prefix: string): Requirement[] {
  return text === undefined ? [] : textUnits(text).map((unit) => unitRequirement(unit, prefix));
}

/** Each requirement once: to meet one may cost a scan, and asking for the same again adds nothing. */
export function distinctRequirements(requirements: readonly Requirement[]): Requirement[] {
  return [...new Map(requirements.map((one) => [JSON.stringify(one), one])).values()];
}

/** What one word or compound asks for, among the posting keys with this prefix. */
export function unitRequirement(unit: TextUnit, prefix: string): Requirement {
  if (unit.kind === 'word') return prefix + unit.key;
  return { anyOf: [prefix + unit.joined, { allOf: unit.parts.map((part) => prefix + part) }] };
}

function term(value: string | undefined, prefix: string): Requirement[] {
  return value === undefined ? [] : [prefix + foldTerm(value)];
}

function anyValue(values: string[] | undefined, keys: (value: string) => Requirement[]): Requirement[] {
  return values === undefined ? [] : [{ anyOf: values.flatMap(keys) }];
}

function statusKeys(value: string): string[] {
  const status = value === 'active' ? 'running' : value;
  const coarse = (TRIAL_STATUSES as readonly string[]).includes(status) ? [POSTING.status + status] : [];
  const finer = (RECRUITMENT_STATUSES as readonly string[]).includes(status) ? [POSTING.recruitment + status] : [];
  return [...coarse, ...finer];
}

function range(
  [first, last]: readonly [RowColumn, RowColumn],
  after: number | undefined,
  before: number | undefined,
): ValueRange[] {
  if (after === undefined && before === undefined) return [];
  return [{ first, last, after: after ?? null, before: before ?? null }];
}
