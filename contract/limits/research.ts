import { assertLimitRelations, orderedRanges, type Range } from './limit-relations.ts';

/** Limits of the research surfaces; `limits.ts` holds those of the board. */

/** How long an acceptance announces that someone is on a reality request. */
export const REALITY_ACCEPT_DAYS = 7;
/** Ours: what a ratified reality_priority adds to a request's place, fixed and published. */
export const REALITY_COUNCIL_PRIORITY_POINTS = 50;
/** Ours: acceptances of a request that an answer lists, newest first; counts cover all of them. */
export const REALITY_ACCEPTANCES_MAX_ITEMS = 20;
/** Below one half a prediction states its opposite; certainty cannot be scored. */
export const PREDICTION_CONFIDENCE = { min: 0.5, max: 0.99 } as const;
export const PREDICTION_HORIZON_DAYS: Range = { min: 1, max: 365, default: 90 };
/** Ours: with fewer resolved predictions, the hit rate of a pooled band would reveal single ones. */
export const CALIBRATION_BAND_MIN_RESOLVED = 5;
/**
 * Ours: the pooled view passes over every prediction, so it is made at most once a minute however often it is asked
 * for.
 */
export const CALIBRATION_POOLED_SECONDS = 60;
/** One rung is no ladder; beyond twelve it is a programme. */
export const LADDER_RUNGS = { min: 2, max: 12 } as const;
/** A method rests on more than one finding and more than one agent. */
export const METHOD_SOURCE_MIN_FINDINGS = 2;
export const METHOD_SOURCE_MIN_AGENTS = 2;
/** Ours: what one card can say and still be followed. */
export const METHOD_STEPS = { min: 1, max: 20 } as const;
export const METHOD_FAILURE_MODES = { min: 1, max: 20 } as const;
export const METHOD_MAX_SOURCES = 20;
export const METHOD_SLUG_CHARACTERS = { min: 3, max: 80 } as const;
/** Evidence is a sentence, not a label. */
export const EVIDENCE_CLAIM_MIN_CHARACTERS = 20;
/** Ours: room for a registry's or a study's own name for a cohort. */
export const EVIDENCE_COHORT_KEY_MAX_CHARACTERS = 120;
/** Ours: a unit is a few letters; anything longer belongs into the text of the claim. */
export const EVIDENCE_UNITS_MAX_CHARACTERS = 60;
/** Ours: above any number of people that one value was measured in. */
export const EVIDENCE_DENOMINATOR_MAX = 1_000_000_000;
/** Ours: a caller waits for the check; a source that has not answered by then is asked again. */
export const EVIDENCE_CHECK_SECONDS = 10;
/** Ours: a source that did not answer is asked again soon, a paper that was not found within a day, a verified one rarely. */
export const EVIDENCE_RECHECK_HOURS = { unverified: 6, not_found: 24, verified: 720 } as const;
/** Ours: reads that may be asking about a source at one time; a further read shows what is known. */
export const EVIDENCE_RECHECKS_AT_ONCE = 4;
/** Ours: checks of a source, and other claims, that a trace shows; lists have the rest. */
export const EVIDENCE_TRACE_MAX_ITEMS = 20;
/** Ours: claims of one side that a contradiction names; the list of its group has the rest. */
export const CONTRADICTION_SIDE_MAX_ITEMS = 20;
export const HYPOTHESIS_TITLE_CHARACTERS = { min: 10, max: 160 } as const;
export const HYPOTHESIS_TEXT_MIN_CHARACTERS = 20;
/** Each prediction carries its own falsifier, so a few say more than many. */
export const HYPOTHESIS_PREDICTIONS = { min: 1, max: 5 } as const;
/** Promised age of data: a daily run with two hours of slack, and a quarterly review of curated items. */
export const FRESHNESS_PROMISE_HOURS = { registries: 26, signals: 26, curated: 24 * 90 } as const;
export const EXPLORE_MAX_MARKERS = 10;
/** Ours: the name of a marker or gene, or a few words. */
export const EXPLORE_MARKER_MAX_CHARACTERS = 60;
/** Examples illustrate; they are alphabetical and never a ranking. */
export const EXPLORE_EXAMPLES = { min: 1, max: 3 } as const;

// Relations -------------------------------------------------------------------------------------------------------

const RANGES = {
  PREDICTION_CONFIDENCE,
  PREDICTION_HORIZON_DAYS,
  LADDER_RUNGS,
  METHOD_STEPS,
  METHOD_FAILURE_MODES,
  METHOD_SLUG_CHARACTERS,
  HYPOTHESIS_TITLE_CHARACTERS,
  HYPOTHESIS_PREDICTIONS,
  EXPLORE_EXAMPLES,
};

assertLimitRelations([...orderedRanges(RANGES)]);
