import { assertLimitRelations, isOrdered, orderedRanges, type Range } from './limit-relations.ts';

/** Limits of the models; `limits.ts` holds those of the board. */

// Beta-cell model -------------------------------------------------------------------------------------------------

/** Weeks; above 0. Visits after it stay out of the fit, so some must remain. */
export const BETA_CELL_TRAINING_WEEKS = { above: 0, max: 90, default: 39 } as const;
/** Per week; an explicit assumption, since C-peptide alone cannot identify it. */
export const BETA_CELL_RECOVERY_PER_WEEK: Range = { min: 0.02, max: 0.3, default: 0.1 };
/** One, one and a half and two years; the source data end at 52 weeks. */
export const BETA_CELL_DURATION_WEEKS = [52, 78, 104] as const;
/** The first duration stays within the observed year. */
export const BETA_CELL_DURATION_DEFAULT_WEEKS = 52;
/** Share of immune loss removed. */
export const BETA_CELL_SUPPRESSION_FRACTION: Range = { min: 0, max: 1, default: 0.5 };
/** Graft at the start, as a multiple of native beta mass. */
export const BETA_CELL_REPLACEMENT_RATIO: Range = { min: 0, max: 2, default: 0.25 };
/** Share of the remaining immune loss that does not reach the graft. */
export const BETA_CELL_PROTECTION_FRACTION: Range = { min: 0, max: 1, default: 0.8 };
/** Graft loss that is not immune. */
export const BETA_CELL_ATTRITION_PER_WEEK: Range = { min: 0, max: 0.1, default: 0.01 };
/** Two parameters need more than two points; twenty is more than any visit schedule. */
export const BETA_CELL_ARM_OBSERVATIONS = { min: 5, max: 20 } as const;
export const BETA_CELL_ARMS = 2;
/** Visits are known to the quarter week at best. */
export const BETA_CELL_POINT_WEEKS = { min: 0, max: 104, step: 0.25 } as const;
/** Above 0, since the fit is on log ratios; in the source's own unit. */
export const BETA_CELL_POINT_VALUE = { above: 0, max: 1_000_000 } as const;
export const BETA_CELL_TEXT_CHARACTERS = { min: 3, max: 500 } as const;
export const BETA_CELL_CITATION_MAX_CHARACTERS = 1000;

// Reaction experiments --------------------------------------------------------------------------------------------

/** The bounds keep the largest run under a second on one core. */
export const TWIN_MAX_SPECIES = 16;
export const TWIN_MAX_REACTIONS = 24;
export const TWIN_ARMS = { min: 1, max: 4 } as const;
/** In the model's own time unit; above 0. */
export const TWIN_DURATION_TIME_UNITS = { above: 0, max: 1000 } as const;
export const TWIN_STEPS: Range = { min: 4, max: 100, default: 40 };
/** 0 switches a reaction off; 10 is an order of magnitude. */
export const TWIN_RATE_MULTIPLIER = { min: 0, max: 10 } as const;
/** Each uncertain rate doubles the sensitivity runs. */
export const TWIN_MAX_UNCERTAINTIES = 3;
export const TWIN_MAX_OBSERVATIONS = 200;
/** A benchmark compares, so it needs two experiments; more than three do not fit into one table. */
export const TWIN_BENCHMARK_EXPERIMENTS = { min: 2, max: 3 } as const;
/** Ours: more than three molecules meeting at once is not an elementary step. */
export const TWIN_REACTION_ORDER_MAX = 3;
/** Ours: molecules on the product side of a reaction; products may outnumber reactants, as in a burst. */
export const TWIN_PRODUCT_MOLECULES_MAX = 12;
/** Ours: largest concentration, rate or observed value, so that no product of them leaves the range of a double. */
export const TWIN_VALUE_MAX = 1e12;
export const TWIN_MAX_POOLS = 16;
/** Ours: whole atoms or copies of a moiety in one species. */
export const TWIN_POOL_WEIGHT_MAX = 1000;
/**
 * Ours: the work of one experiment, in steps that the solver tries times (species + 2), which is roughly how its time
 * grows. For 16 species these are 47,000 steps, under a second on one core.
 */
export const TWIN_WORK_MAX_STEP_SPECIES = 850_000;
/** Ours: points of disagreement that a benchmark lists, the widest first; their number is given in full. */
export const TWIN_DISAGREEMENTS_MAX_ITEMS = 100;
export const TWIN_ID_MAX_CHARACTERS = 64;
export const TWIN_TEXT_MAX_CHARACTERS = 2000;

// Relations -------------------------------------------------------------------------------------------------------

const RANGES = {
  BETA_CELL_RECOVERY_PER_WEEK,
  BETA_CELL_SUPPRESSION_FRACTION,
  BETA_CELL_REPLACEMENT_RATIO,
  BETA_CELL_PROTECTION_FRACTION,
  BETA_CELL_ATTRITION_PER_WEEK,
  BETA_CELL_ARM_OBSERVATIONS,
  BETA_CELL_POINT_WEEKS,
  BETA_CELL_TEXT_CHARACTERS,
  TWIN_ARMS,
  TWIN_STEPS,
  TWIN_RATE_MULTIPLIER,
  TWIN_BENCHMARK_EXPERIMENTS,
};

assertLimitRelations([
  ...orderedRanges(RANGES),
  [
    BETA_CELL_DURATION_WEEKS.includes(BETA_CELL_DURATION_DEFAULT_WEEKS),
    'the default duration of a beta-cell run is not one of its durations',
  ],
  [
    isOrdered({ min: BETA_CELL_TRAINING_WEEKS.default, max: BETA_CELL_TRAINING_WEEKS.max }),
    'the default training week is beyond its maximum',
  ],
  [
    isOrdered({ min: BETA_CELL_TRAINING_WEEKS.max, max: BETA_CELL_POINT_WEEKS.max }),
    'training must be able to end before the last possible visit',
  ],
]);
