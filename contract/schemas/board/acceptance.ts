import { z } from 'zod';
import { ACCEPTANCE_REFERENCES, ACCEPTANCE_RULE_KINDS, ACCEPTANCE_TYPES } from '../../declared/research.ts';
import {
  ACCEPTANCE_MAX_CHOICES,
  ACCEPTANCE_MAX_PATTERNS,
  ACCEPTANCE_OUTPUT_MAX_LEVELS,
  ACCEPTANCE_PATH_MAX_CHARACTERS,
  ACCEPTANCE_PATH_MAX_STEPS,
  ACCEPTANCE_PATTERN_MAX_CHARACTERS,
  ACCEPTANCE_PATTERN_MAX_REPEATS,
  ACCEPTANCE_RULES,
} from '../../limits/acceptance.ts';
import { FINDING_BODY_MAX_BYTES } from '../../limits/limits.ts';

/**
 * The closed grammar of acceptance rules: what the output of a rung must be, in words that plain code evaluates. A rule
 * is about the values at one path; a rule that finds no value there fails. Unknown keys are refused.
 */

/** One step along a path: a key, a place in a list, or every item of a list. */
export type PathStep = { key: string } | { index: number } | 'each';

const KEY = '[A-Za-z_][A-Za-z0-9_-]{0,63}';
const BRACKETS = '\\[\\d{0,4}\\]';
const PATH = new RegExp(`^${KEY}(?:${BRACKETS})*(?:\\.${KEY}(?:${BRACKETS})*)*$`);
const STEP = new RegExp(`(${KEY})|\\[(\\d{0,4})\\]`, 'g');
/** JavaScript names that lead out of the value itself; no output needs them. */
const REFUSED_KEYS = new Set(['__proto__']);

const PATH_EXPECTED = `a path such as trials[].arms[0].name: keys of letters, digits, _ and -, joined by dots, [] for every item and [0] for one; at most ${ACCEPTANCE_PATH_MAX_STEPS} keys and brackets`;

/** The steps of a path; null for a text that is not a path. */
export function pathSteps(path: string): PathStep[] | null {
  if (path.length > ACCEPTANCE_PATH_MAX_CHARACTERS || !PATH.test(path)) return null;
  const steps = [...path.matchAll(STEP)].map(([, key, index]): PathStep => {
    if (key !== undefined) return { key };
    return index === '' ? 'each' : { index: Number(index) };
  });
  if (steps.length > ACCEPTANCE_PATH_MAX_STEPS) return null;
  return steps.some((step) => step !== 'each' && 'key' in step && REFUSED_KEYS.has(step.key)) ? null : steps;
}

/** Whether a parsed JSON value is nested at most `max` levels deep; a scalar is level 0. Walks without recursion. */
export function isShallow(value: unknown, max: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    const nested = level.filter((part) => part !== null && typeof part === 'object');
    if (nested.length > 0 && depth >= max) return false;
    level = nested.flatMap((part) => Object.values(part as object));
  }
  return true;
}

/** A counted repeat whose atom is a group or already repeated: these multiply. */
const MULTIPLYING_REPEAT = /[)}*+?]\{\d/;
const COUNTED_REPEAT = /\{(\d+)(?:,(\d*))?\}/g;

/** What is wrong with a pattern, found before it is compiled; null for a valid one. */
export function patternFault(pattern: string): string | null {
  if (pattern === '' || pattern.length > ACCEPTANCE_PATTERN_MAX_CHARACTERS || !pattern.isWellFormed()) {
    return `expected a pattern of 1 to ${ACCEPTANCE_PATTERN_MAX_CHARACTERS} characters`;
  }
  if (MULTIPLYING_REPEAT.test(pattern)) {
    return 'expected counted repeats of single characters and classes only, such as \\d{8} or [A-Z]{2,4}: repeat a group with * or +';
  }
  const repeats = [...pattern.matchAll(COUNTED_REPEAT)].map(([, least, most]) => Number(most || least));
  const sum = repeats.reduce((total, count) => total + count, 0);
  return sum <= ACCEPTANCE_PATTERN_MAX_REPEATS
    ? null
    : `expected counted repeats of at most ${ACCEPTANCE_PATTERN_MAX_REPEATS} together, not ${sum}`;
}

export const acceptancePathSchema = z
  .string({ error: (issue) => (issue.input === undefined ? 'is required' : `expected ${PATH_EXPECTED}`) })
  .refine((text) => pathSteps(text) !== null, { error: `expected ${PATH_EXPECTED}` })
  .meta({ description: PATH_EXPECTED, maxLength: ACCEPTANCE_PATH_MAX_CHARACTERS });

const MESSAGE_MAX_CHARACTERS = 300;
const message = z
  .string({ error: 'expected text' })
  .max(MESSAGE_MAX_CHARACTERS, { error: `expected at most ${MESSAGE_MAX_CHARACTERS} characters` })
  .nullish()
  .describe('what its author says where the rule fails');

const bound = z.number({ error: 'expected a finite number' });
const count = (most: number) =>
  z
    .int({ error: `expected a whole number from 0 to ${most}` })
    .min(0, { error: 'expected 0 or more' })
    .max(most, { error: `expected at most ${most}` });

/** More than any text or list in a body can hold. */
const COUNT_MAX = FINDING_BODY_MAX_BYTES;
const VALUE_MAX_LEVELS = 8;
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'expected text, a number, true, false or null',
});

export const acceptanceRuleSchema = z.discriminatedUnion(
  'rule',
  [
    z.strictObject({
      path: acceptancePathSchema,
      rule: z.literal('required').describe('there, and not null'),
      message,
    }),
    z.strictObject({
      path: acceptancePathSchema,
      rule: z.literal('type'),
      type: z.enum(ACCEPTANCE_TYPES, { error: `expected one of ${ACCEPTANCE_TYPES.join(', ')}` }),
      message,
    }),
    z.strictObject({
      path: acceptancePathSchema,
      rule: z.literal('min').describe('a number, value or more'),
      value: bound,
      message,
    }),
    z.strictObject({
      path: acceptancePathSchema,
      rule: z.literal('max').describe('a number, value or less'),
      value: bound,
      message,
    }),
    z
      .strictObject({
        path: acceptancePathSchema,
        rule: z.literal('length').describe('a text by its characters (code points), or a list by its items'),
        min: count(COUNT_MAX).optional(),
        max: count(COUNT_MAX).optional(),
        message,
      })
      .refine(({ min, max }) => (min ?? max) !== undefined && (min ?? 0) <= (max ?? COUNT_MAX), {
        error: 'expected min, max or both, in order',
        path: ['min'],
      }),
    z.strictObject({
      path: acceptancePathSchema,
      rule: z.literal('pattern').describe('a text in which the pattern matches somewhere; ^ and $ bind it to the ends'),
      pattern: z
        .string({ error: 'expected a pattern as text' })
        .superRefine((text, context) => {
          const fault = patternFault(text);
          if (fault !== null) context.addIssue({ code: 'custom', message: fault });
        })
        .meta({
          description: 'RE2 syntax, matched in linear time: no look-around, no back-references',
          maxLength: ACCEPTANCE_PATTERN_MAX_CHARACTERS,
        }),
      message,
    }),
    z.strictObject({
      path: acceptancePathSchema,
      rule: z.literal('oneOf'),
      values: z
        .array(scalar, { error: 'expected a list of values' })
        .min(1, { error: 'expected at least one value' })
        .max(ACCEPTANCE_MAX_CHOICES, { error: `expected at most ${ACCEPTANCE_MAX_CHOICES} values` }),
      message,
    }),
    z.strictObject({
      path: acceptancePathSchema,
      rule: z.literal('equals').describe('the same JSON value; the order of keys does not count'),
      value: z
        .unknown()
        .refine((value) => value !== undefined, { error: 'is required' })
        .refine((value) => isShallow(value, VALUE_MAX_LEVELS), {
          error: `expected a value of at most ${VALUE_MAX_LEVELS} levels`,
        }),
      message,
    }),
    z.strictObject({
      path: acceptancePathSchema,
      rule: z
        .literal('countAtLeast')
        .describe('at least this many values at the path that are not null; a list counts by its items'),
      count: count(COUNT_MAX).min(1, { error: 'expected 1 or more' }),
      message,
    }),
    z.strictObject({
      path: acceptancePathSchema,
      rule: z.literal('resolvesTo').describe('the id of a finding that is not withdrawn, or of a trial in the index'),
      to: z.enum(ACCEPTANCE_REFERENCES, { error: `expected one of ${ACCEPTANCE_REFERENCES.join(', ')}` }),
      message,
    }),
  ],
  { error: `expected an object whose rule is one of ${ACCEPTANCE_RULE_KINDS.join(', ')}` },
);
export type AcceptanceRule = z.output<typeof acceptanceRuleSchema>;

/** The rules of a rung, or of a template. That patterns compile is checked where they are evaluated. */
export const acceptanceRulesSchema = z
  .array(acceptanceRuleSchema, { error: 'expected a list of acceptance rules' })
  .min(ACCEPTANCE_RULES.min, { error: 'expected at least one rule' })
  .max(ACCEPTANCE_RULES.max, { error: `expected at most ${ACCEPTANCE_RULES.max} rules` })
  .refine((rules) => rules.filter(({ rule }) => rule === 'pattern').length <= ACCEPTANCE_MAX_PATTERNS, {
    error: `expected at most ${ACCEPTANCE_MAX_PATTERNS} patterns`,
  })
  .describe('all must pass; GET /api/v1/decompositions shows the grammar');

/** What a submission hands back: any JSON object that is not nested too deep. */
export const acceptanceSubjectSchema = z
  .looseObject({}, { error: 'expected a JSON object' })
  .refine((value) => isShallow(value, ACCEPTANCE_OUTPUT_MAX_LEVELS), {
    error: `expected at most ${ACCEPTANCE_OUTPUT_MAX_LEVELS} levels of nesting`,
  })
  .describe('the output that the rules are about');

export const verdictSchema = z.object({
  rule: z.int().describe('place of the rule, from 0'),
  says: z.string().describe('the rule in words'),
  passed: z.boolean().nullable().describe('null where it could not be decided: the index did not answer'),
  found: z.string().describe('what stands at the path, quoted short'),
  change: z.string().nullable().describe('what to change; null where it passed'),
  message: z.string().nullable().describe('what the author of the rule says about it'),
});
export type Verdict = z.output<typeof verdictSchema>;

/** How the grammar is shown: each kind with what it asks and a rule that is valid as printed. */
export const grammarSchema = z.object({
  says: z.string(),
  path: z.string(),
  kinds: z.array(
    z.object({ kind: z.enum(ACCEPTANCE_RULE_KINDS), asks: z.string(), example: z.record(z.string(), z.json()) }),
  ),
  bounds: z.array(z.string()),
});
export type Grammar = z.output<typeof grammarSchema>;
