import { RECRUITMENT_STATUSES, TRIAL_STATUSES } from '../../contract/schemas/trial.ts';
import { parseQuery, type QueryClause } from '../../snapshot-format/query.ts';
import { foldTerm, POSTING } from '../../snapshot-format/serving-columns.ts';
import { type TextUnit, textUnits } from '../../snapshot-format/tokens.ts';
import type { RowSet } from './row-set.ts';

/** What search, coverage and landscape may be narrowed by; all that are given must hold. Day numbers are those of snapshot-format/dates.ts. */
export interface TrialFilters {
  /** Words, "phrases" and hyphenated compounds over title, conditions, interventions and sponsor. */
  q?: string;
  /** A registry's own term, whole, in any case. */
  condition?: string;
  /** Words of the interventions; quotation marks have no meaning here or in `sponsor`. */
  intervention?: string;
  sponsor?: string;
  /** Any of these coarse or finer statuses; `active` stands for `running`. */
  status?: string[];
  phase?: string[];
  studyType?: string[];
  country?: string;
  /** Trials that hold a registration of any of these registries. */
  registry?: string[];
  topic?: string;
  resultsAvailable?: boolean;
  /** Inclusive; a month-only date matches when any of its days would. */
  startedAfter?: number;
  startedBefore?: number;
  completedAfter?: number;
  completedBefore?: number;
  updatedAfter?: number;
  updatedBefore?: number;
}

/** A posting key, or any or all of further requirements. */
export type Requirement = string | { anyOf: Requirement[] } | { allOf: Requirement[] };

/** A date column whose days must reach into `after..before`. */
export interface DayRange {
  column: 'start' | 'completion' | 'updated';
  after: number | null;
  before: number | null;
}

/** Filters in the form in which they are evaluated; but for `within`, independent of any snapshot. */
export interface CompiledFilters {
  requirements: Requirement[];
  phrases: TextUnit[][];
  ranges: DayRange[];
  /** Rows, found before in the same image, of which a match must be one. */
  within?: RowSet;
}

/** The filters as a key: equal ones find the same rows in the same image. Null where they rest on rows found before. */
export function filtersKey({ requirements, phrases, ranges, within }: CompiledFilters): string | null {
  return within === undefined ? JSON.stringify([requirements, phrases, ranges]) : null;
}

/** Reads the filters once. A text without a single word asks nothing; refuse it before when that is an error. */
export function compileFilters(filters: TrialFilters): CompiledFilters {
  const clauses = filters.q === undefined ? [] : parseQuery(filters.q);
  const requirements: Requirement[] = [
    ...clauses.flatMap(clauseRequirements),
    ...wordRequirements(filters.intervention, POSTING.intervention),
    ...wordRequirements(filters.sponsor, POSTING.sponsor),
    ...term(filters.condition, POSTING.condition),
    ...term(filters.country, POSTING.country),
    ...anyValue(filters.status, statusKeys),
    ...anyValue(filters.phase, (value) => [POSTING.phase + value]),
    ...anyValue(filters.studyType, (value) => [POSTING.studyType + value]),
    ...anyValue(filters.registry, (value) => [POSTING.registry + value]),
  ];
  if (filters.topic !== undefined) requirements.push(POSTING.topic + filters.topic);
  if (filters.resultsAvailable !== undefined) requirements.push(POSTING.results + String(filters.resultsAvailable));
  return {
    requirements,
    phrases: clauses.flatMap((clause) => (clause.kind === 'phrase' && clause.units.length > 0 ? [clause.units] : [])),
    ranges: [
      ...range('start', filters.startedAfter, filters.startedBefore),
      ...range('completion', filters.completedAfter, filters.completedBefore),
      ...range('updated', filters.updatedAfter, filters.updatedBefore),
    ],
  };
}

/** A phrase asks for each of its units first: only where all stand is their order worth a look. */
function clauseRequirements(clause: QueryClause): Requirement[] {
  if (clause.kind === 'phrase') return clause.units.map((unit) => unitRequirement(unit, POSTING.text));
  return [unitRequirement(clause, POSTING.text)];
}

function wordRequirements(text: string | undefined, prefix: string): Requirement[] {
  return text === undefined ? [] : textUnits(text).map((unit) => unitRequirement(unit, prefix));
}

function unitRequirement(unit: TextUnit, prefix: string): Requirement {
  if (unit.kind === 'word') return prefix + unit.key;
  return { anyOf: [prefix + unit.joined, { allOf: unit.parts.map((part) => prefix + part) }] };
}

function term(value: string | undefined, prefix: string): Requirement[] {
  return value === undefined ? [] : [prefix + foldTerm(value)];
}

function anyValue(values: string[] | undefined, keys: (value: string) => string[]): Requirement[] {
  return values === undefined ? [] : [{ anyOf: values.flatMap(keys) }];
}

function statusKeys(value: string): string[] {
  const status = value === 'active' ? 'running' : value;
  const coarse = (TRIAL_STATUSES as readonly string[]).includes(status) ? [POSTING.status + status] : [];
  const finer = (RECRUITMENT_STATUSES as readonly string[]).includes(status) ? [POSTING.recruitment + status] : [];
  return [...coarse, ...finer];
}

function range(column: DayRange['column'], after: number | undefined, before: number | undefined): DayRange[] {
  if (after === undefined && before === undefined) return [];
  return [{ column, after: after ?? null, before: before ?? null }];
}
