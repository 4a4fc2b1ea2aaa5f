import { RECRUITMENT_STATUSES, TRIAL_STATUSES } from '../../contract/vocabularies.ts';
import { askedCountry } from '../../snapshot-format/countries.ts';
import { parseQuery, type QueryClause } from '../../snapshot-format/query.ts';
import { foldTerm, POSTING } from '../../snapshot-format/serving-columns.ts';
import { type TextUnit, textUnits } from '../../snapshot-format/tokens.ts';
import type { RowSet } from './row-set.ts';

/** What narrows a search, coverage or landscape; all that are given must hold. Day numbers as in snapshot-format/dates.ts. */
export interface TrialFilters {
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
}

/** A posting key, any or all of further requirements, none of one, or a phrase within one field of the text. */
export type Requirement =
  | string
  | { anyOf: Requirement[] }
  | { allOf: Requirement[] }
  | { not: Requirement }
  | { phrase: TextUnit[] };

/** A date must have at least one possible day within `after..before`, both inclusive. */
export interface DayRange {
  column: 'start' | 'completion' | 'updated';
  after: number | null;
  before: number | null;
}

/** Filters ready to be evaluated; without `within`, the same for every snapshot. */
export interface CompiledFilters {
  /** Clauses of `q`, all of which must hold; empty without `q`. */
  text: QueryClause[];
  requirements: Requirement[];
  ranges: DayRange[];
  /** Rows found earlier in the same image; a match is one of them. */
  within?: RowSet;
}

/** A filter that asks for nothing, and so cannot be evaluated. */
export interface FilterFault {
  parameter: 'q' | 'intervention' | 'sponsor';
  expected: string;
}

const WORDS = 'text with at least one letter or digit';

/** Key of the rows that the filters find in an image; null where they depend on rows found earlier. */
export function filtersKey({ text, requirements, ranges, within }: CompiledFilters): string | null {
  return within === undefined ? JSON.stringify([text, requirements, ranges]) : null;
}

/** Compiles the filters of a request. A text without a word is a fault. */
export function readFilters(filters: TrialFilters): CompiledFilters | FilterFault {
  const text = filters.q === undefined ? [] : parseQuery(filters.q);
  const intervention = wordRequirements(filters.intervention, POSTING.intervention);
  const sponsor = wordRequirements(filters.sponsor, POSTING.sponsor);
  if (filters.q !== undefined && text.length === 0) return { parameter: 'q', expected: WORDS };
  if (filters.intervention !== undefined && intervention.length === 0) {
    return { parameter: 'intervention', expected: WORDS };
  }
  if (filters.sponsor !== undefined && sponsor.length === 0) return { parameter: 'sponsor', expected: WORDS };
  const requirements: Requirement[] = [
    ...intervention,
    ...sponsor,
    ...term(filters.condition, POSTING.condition),
    ...term(filters.country && (askedCountry(filters.country) ?? filters.country), POSTING.country),
    ...anyValue(filters.status, statusKeys),
    ...anyValue(filters.phase, (value) => [POSTING.phase + value]),
    ...anyValue(filters.studyType, (value) => [POSTING.studyType + value]),
    ...anyValue(filters.registry, (value) => [POSTING.registry + value]),
  ];
  if (filters.topic !== undefined) requirements.push(POSTING.topic + filters.topic);
  if (filters.resultsAvailable !== undefined) requirements.push(POSTING.results + String(filters.resultsAvailable));
  const ranges = [
    ...range('start', filters.startedAfter, filters.startedBefore),
    ...range('completion', filters.completedAfter, filters.completedBefore),
    ...range('updated', filters.updatedAfter, filters.updatedBefore),
  ];
  return { text, requirements, ranges };
}

/** Compiles filters that are known to be valid: those of our own code, and reviewed or checked texts. */
export function compileFilters(filters: TrialFilters): CompiledFilters {
  const compiled = readFilters(filters);
  if ('expected' in compiled) throw new Error(`${compiled.parameter}: expected ${compiled.expected}`);
  return compiled;
}

/** Requirements that the words of a clause put on the text; a phrase asks for each of its words. */
export function clauseRequirements(clause: QueryClause): Requirement[] {
  const units = clause.kind === 'phrase' ? clause.units : [clause];
  return units.map((unit) => unitRequirement(unit, POSTING.text));
}

function wordRequirements(text: string | undefined, prefix: string): Requirement[] {
  return text === undefined ? [] : textUnits(text).map((unit) => unitRequirement(unit, prefix));
}

/** What one word or compound asks for, among the posting keys with this prefix. */
export function unitRequirement(unit: TextUnit, prefix: string): Requirement {
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
