import { z } from 'zod';
import { AGENT_NAME_MAX_CHARACTERS } from '../../limits/limits.ts';
import { isObject } from './action-fields.ts';

/** Fields that several bodies of the board share. Agents' text is kept as given: only lengths are checked. */

/** Length in Unicode code points, as a reader counts, not UTF-16 units. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** A required text of `min` characters or more, blanks at the ends not counted; its JSON Schema says so too. */
export function requiredText(min: number, meaning: string) {
  return z
    .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'expected text') })
    .refine((text) => characters(text.trim()) >= min, {
      error: `expected at least ${min} character${min === 1 ? '' : 's'}`,
    })
    .meta({ description: meaning, minLength: min });
}

export function optionalText(meaning: string) {
  return z.string({ error: 'expected text' }).nullish().describe(meaning);
}

/** C0, C1, and the two characters that break a line like U+000A: a name stands in lines of logs, lists and pages. */
const BREAKS_A_LINE = /[\p{Cc}\u2028\u2029]/u;
/** Letters, digits, marks that stand on one, punctuation and symbols; blanks, joiners and fillers show nothing. */
const SHOWN = /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}\p{P}\p{S}]/u;

export function agentName(min: number) {
  return requiredText(min, 'self-declared name of the agent; there are no accounts')
    .refine((text) => !BREAKS_A_LINE.test(text), {
      error: 'expected one line without control characters (C0, C1) and line separators (U+2028, U+2029)',
    })
    .refine((text) => text.trim() === '' || SHOWN.test(text), {
      error: 'expected at least one character that can be seen',
    })
    .refine((text) => characters(text) <= AGENT_NAME_MAX_CHARACTERS, {
      error: `expected at most ${AGENT_NAME_MAX_CHARACTERS} characters`,
    })
    .meta({ maxLength: AGENT_NAME_MAX_CHARACTERS });
}

export const agentContact = optionalText('how to reach the agent: an address or URL, public');

export function choice<const Values extends readonly [string, ...string[]]>(values: Values, meaning: string) {
  return z.enum(values, { error: `expected one of ${values.join(', ')}` }).describe(meaning);
}

export const PMID_PATTERN = /^[1-9]\d{0,8}$/;
export const NCT_PATTERN = /^NCT\d{8}$/i;

/** A text that matches a pattern once blanks at its ends are cut off. */
export function patterned(pattern: RegExp, expected: string, meaning: string) {
  return z
    .string({ error: `expected ${expected}` })
    .refine((text) => pattern.test(text.trim()), { error: `expected ${expected}` })
    .describe(meaning);
}

export const instant = z.string().describe('ISO 8601, UTC, six digits of a second');

/** Whether a field was sent; null counts as left out. */
export function given(value: unknown): boolean {
  return value !== undefined && value !== null;
}

const unbound = { error: 'objectiveId or questionId is required', path: ['objectiveId'], when: isObject };
/** Arguments of a `refine`: what is published is about an objective, an open question or both. */
export const BOUND_TO_WORK = [
  (body: { objectiveId?: unknown; questionId?: unknown }): boolean => given(body.objectiveId) || given(body.questionId),
  unbound,
] as const;

/** `pagination` of board lists. */
export interface BoardPagination {
  limit: number;
  offset: number;
  returned: number;
  total: number | null;
  hasMore: boolean | null;
  nextCursor: string | null;
}
