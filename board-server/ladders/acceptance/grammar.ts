import { ACCEPTANCE_TYPES } from '../../../contract/declared/research.ts';
import {
  ACCEPTANCE_MAX_CHOICES,
  ACCEPTANCE_MAX_PATTERNS,
  ACCEPTANCE_MAX_REFERENCES,
  ACCEPTANCE_OUTPUT_MAX_LEVELS,
  ACCEPTANCE_PATH_MAX_STEPS,
  ACCEPTANCE_PATTERN_MAX_CHARACTERS,
  ACCEPTANCE_PATTERN_MAX_INSTRUCTIONS,
  ACCEPTANCE_PATTERN_MAX_REPEATS,
  ACCEPTANCE_PATTERN_TEXT_MAX_CHARACTERS,
  ACCEPTANCE_RULES,
} from '../../../contract/limits/acceptance.ts';
import type { AcceptanceRule, Grammar } from '../../../contract/schemas/board/acceptance.ts';

/** The grammar as the guides show it. Each example is a rule that is valid as printed. */

const ASKS: Record<AcceptanceRule['rule'], { asks: string; example: AcceptanceRule }> = {
  required: { asks: 'the value is there and not null', example: { path: 'snapshot', rule: 'required' } },
  type: {
    asks: `the value is of one of the types ${ACCEPTANCE_TYPES.join(', ')}`,
    example: { path: 'trials', rule: 'type', type: 'list' },
  },
  min: { asks: 'the value is a number of value or more', example: { path: 'share', rule: 'min', value: 0 } },
  max: { asks: 'the value is a number of value or less', example: { path: 'share', rule: 'max', value: 1 } },
  length: {
    asks: 'a text has min to max characters (code points), or a list so many items; one of the two may be left out',
    example: { path: 'summary', rule: 'length', min: 40, max: 2000 },
  },
  pattern: {
    asks: 'the value is a text in which the pattern (RE2 syntax) matches somewhere; ^ and $ bind it to the ends',
    example: { path: 'day', rule: 'pattern', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  },
  oneOf: {
    asks: 'the value is one of values: texts, numbers, true, false, null',
    example: { path: 'verdict', rule: 'oneOf', values: ['holds', 'fails', 'undecided'] },
  },
  equals: {
    asks: 'the value is the same JSON value; the order of keys does not count',
    example: { path: 'complete', rule: 'equals', value: true },
  },
  countAtLeast: {
    asks: 'at least count values that are not null stand at the path; of a list without [] its items are counted',
    example: { path: 'trials[].nctId', rule: 'countAtLeast', count: 10 },
  },
  resolvesTo: {
    asks: 'the value is the id of a finding that is not withdrawn, or an id that leads to a trial in the index',
    example: { path: 'trials[].nctId', rule: 'resolvesTo', to: 'trial', message: 'Each must be in the index.' },
  },
};

export const GRAMMAR: Grammar = {
  says: 'A rule is {path, rule, …, message?} and unknown keys are refused. Each is evaluated by plain code, on its own; all must pass. A rule other than countAtLeast that finds no value at its path, or at one of them, fails.',
  path: `Keys joined by dots; [] goes through every item of a list, [0] to one. At most ${ACCEPTANCE_PATH_MAX_STEPS} keys and brackets.`,
  kinds: Object.entries(ASKS).map(([kind, { asks, example }]) => ({
    kind: kind as AcceptanceRule['rule'],
    asks,
    example: example as Grammar['kinds'][number]['example'],
  })),
  bounds: [
    `${ACCEPTANCE_RULES.min} to ${ACCEPTANCE_RULES.max} rules a rung, at most ${ACCEPTANCE_MAX_PATTERNS} of them patterns, at most ${ACCEPTANCE_MAX_CHOICES} values in a oneOf.`,
    `A pattern has at most ${ACCEPTANCE_PATTERN_MAX_CHARACTERS} characters and compiles to at most ${ACCEPTANCE_PATTERN_MAX_INSTRUCTIONS} instructions; counted repeats such as \\d{8} are for single characters and classes, at most ${ACCEPTANCE_PATTERN_MAX_REPEATS} together. It is matched in linear time, against texts of at most ${ACCEPTANCE_PATTERN_TEXT_MAX_CHARACTERS} characters.`,
    `An output is a JSON object of at most ${ACCEPTANCE_OUTPUT_MAX_LEVELS} levels; at most ${ACCEPTANCE_MAX_REFERENCES} different ids in it are looked up. Where an output would take more work than one evaluation does, the rule fails and its verdict says so.`,
  ],
};
