/** Bounds of acceptance rules and of the work that evaluating them may take; all are ours. */

/** Enough for every field of an output that is worth a check. */
export const ACCEPTANCE_RULES = { min: 1, max: 24 } as const;
/** Compiling patterns is the most expensive part of a rule; this many in one rung take a few milliseconds. */
export const ACCEPTANCE_MAX_PATTERNS = 6;
export const ACCEPTANCE_PATTERN_MAX_CHARACTERS = 200;
/** Numbers in braces of one pattern, summed; `\d{8}` is 8 of them. */
export const ACCEPTANCE_PATTERN_MAX_REPEATS = 60;
/** Instructions that a pattern may compile to. */
export const ACCEPTANCE_PATTERN_MAX_INSTRUCTIONS = 150;
/** Ids, dates, codes; a longer text is checked by its length. */
export const ACCEPTANCE_PATTERN_TEXT_MAX_CHARACTERS = 500;
/**
 * Instructions times characters over all patterns of one evaluation: enough for one of the largest, or many usual ones.
 */
export const ACCEPTANCE_PATTERN_MAX_WORK = 100_000;
/** Values looked at over all rules of one evaluation; a few fields of every item of the longest usual list. */
export const ACCEPTANCE_MAX_VISITS = 60_000;
/** Keys and indexes of a path. */
export const ACCEPTANCE_PATH_MAX_STEPS = 8;
export const ACCEPTANCE_PATH_MAX_CHARACTERS = 200;
/** Deeper than any record that a person would read. */
export const ACCEPTANCE_OUTPUT_MAX_LEVELS = 32;
/** Different ids that one evaluation looks up. */
export const ACCEPTANCE_MAX_REFERENCES = 100;
/** Choices of a `oneOf`. */
export const ACCEPTANCE_MAX_CHOICES = 32;
