import type { z } from 'zod';
import { TWIN_BENCHMARK_EXAMPLE, TWIN_EXPERIMENT_EXAMPLE } from '../../contract/declared/twin-examples.ts';
import { MODEL_RUN_BODY_MAX_BYTES } from '../../contract/limits/limits.ts';
import {
  TWIN_ARMS,
  TWIN_BENCHMARK_EXPERIMENTS,
  TWIN_DISAGREEMENTS_MAX_ITEMS,
  TWIN_DURATION_TIME_UNITS,
  TWIN_MAX_OBSERVATIONS,
  TWIN_MAX_POOLS,
  TWIN_MAX_REACTIONS,
  TWIN_MAX_SPECIES,
  TWIN_MAX_UNCERTAINTIES,
  TWIN_POOL_WEIGHT_MAX,
  TWIN_PRODUCT_MOLECULES_MAX,
  TWIN_RATE_MULTIPLIER,
  TWIN_REACTION_ORDER_MAX,
  TWIN_STEPS,
  TWIN_VALUE_MAX,
  TWIN_WORK_MAX_STEP_SPECIES,
} from '../../contract/limits/twin.ts';
import type { twinGuideSchema } from '../../contract/schemas/research/twin-result.ts';
import { TWIN_BENCHMARK_VERSION, TWIN_EXPERIMENT_VERSION } from '../../contract/version.ts';
import { BENCHMARK_LIMITS, DISAGREEMENT_SHARE } from '../../twin/reactions/benchmark.ts';
import { EXPERIMENT_LIMITS } from '../../twin/reactions/experiment.ts';
import { RELATIVE_TOLERANCE } from '../../twin/reactions/plan.ts';

type Guide = z.output<typeof twinGuideSchema>;

export const TWIN_HONESTY = [
  'A run computes what a stated mechanism implies; it observes nothing, and no patient, treatment or cure is claimed.',
  'Model, dataset and their descriptions are the sender’s words; nothing here has checked them.',
];

const BODY = { of: 'body', says: `JSON of at most ${MODEL_RUN_BODY_MAX_BYTES} bytes; unknown keys are refused` };

const EXPERIMENT_BOUNDS: Guide['bounds'] = [
  BODY,
  { of: 'species', says: `1 to ${TWIN_MAX_SPECIES}; initial 0 to ${TWIN_VALUE_MAX}` },
  {
    of: 'reactions',
    says: `1 to ${TWIN_MAX_REACTIONS}; rate 0 to ${TWIN_VALUE_MAX}; at most ${TWIN_REACTION_ORDER_MAX} molecules react and ${TWIN_PRODUCT_MOLECULES_MAX} are made`,
  },
  { of: 'conservedPools', says: `at most ${TWIN_MAX_POOLS}; weights whole, 1 to ${TWIN_POOL_WEIGHT_MAX}` },
  {
    of: 'arms',
    says: `${TWIN_ARMS.min} to ${TWIN_ARMS.max}; multipliers ${TWIN_RATE_MULTIPLIER.min} to ${TWIN_RATE_MULTIPLIER.max}; baseline is reserved`,
  },
  { of: 'duration', says: `above ${TWIN_DURATION_TIME_UNITS.above}, at most ${TWIN_DURATION_TIME_UNITS.max}` },
  { of: 'steps', says: `${TWIN_STEPS.min} to ${TWIN_STEPS.max}, ${TWIN_STEPS.default} if left out` },
  { of: 'uncertainty', says: `at most ${TWIN_MAX_UNCERTAINTIES} rates, low <= rate <= high` },
  { of: 'observations', says: `at most ${TWIN_MAX_OBSERVATIONS}; dataset is required with them` },
  {
    of: 'arithmetic',
    says: `steps that the solver tries times (species + 2), at most ${TWIN_WORK_MAX_STEP_SPECIES}; a run that needs more is rejected, with how far it came`,
  },
];

const EXPERIMENT_SEMANTICS = [
  'Mass action: a reaction runs at rate times the product of its reactants, each to the power of its count; every event takes its reactants and gives its products. A reaction without reactants is an inflow at the rate itself.',
  'conservedPools: sums of counts by weights that no reaction may change. It is checked exactly in whole numbers before the run, and along the solution after it.',
  'Step n is at time n times duration over steps. From startStep on an arm multiplies rates; before it, it is the baseline to the last bit.',
  `Solver: RODAS, a linearly implicit Rosenbrock method of order 4 with an embedded error estimate (Hairer and Wanner, Solving Ordinary Differential Equations II, 1996, section IV.7). Relative tolerance ${RELATIVE_TOLERANCE}, absolute tolerance 1e-10 of the largest initial concentration. Stiff systems are its purpose.`,
  'verification: pools along the solution, negative concentrations (watched, never set to 0), a run at a hundredth of the tolerances, and end values by an extrapolated linearly implicit Euler method of order 5. Each check has value, bound and pass; a check that fails is shown, not hidden.',
  'uncertainty: low and high are rates, not factors. The run with the stated rates and one run for each combination of ends give low and high of each value; no probability is meant.',
  'observations: error is predicted less observed, by point and by species; never one number for all.',
  'manifest: canonical JSON has the keys of every object sorted and no blanks. The same input gives the same bytes.',
];

export const TWIN_EXPERIMENT_GUIDE: Guide = {
  version: TWIN_EXPERIMENT_VERSION,
  path: '/api/v1/twin/experiment',
  title: 'Reaction experiments',
  scope: 'Mass-action networks in one well-mixed compartment, with and without a change of rates.',
  bounds: EXPERIMENT_BOUNDS,
  semantics: EXPERIMENT_SEMANTICS,
  limits: EXPERIMENT_LIMITS,
  example: {
    synthetic: true,
    says: 'Synthetic: network, rates and observations are invented. Send input as the body of POST.',
    input: TWIN_EXPERIMENT_EXAMPLE,
  },
  tools: ['twin_run_experiment', 'twin_run_benchmark'],
  contributionEndpoint: 'POST /api/v1/findings',
};

export const TWIN_BENCHMARK_GUIDE: Guide = {
  version: TWIN_BENCHMARK_VERSION,
  path: '/api/v1/twin/benchmark',
  title: 'Benchmark of experiments',
  scope: 'Two or three mechanisms for the same system, beside the same observations.',
  bounds: [
    BODY,
    {
      of: 'experiments',
      says: `${TWIN_BENCHMARK_EXPERIMENTS.min} or ${TWIN_BENCHMARK_EXPERIMENTS.max}, each within the bounds of /api/v1/twin/experiment`,
    },
    { of: 'disagreements', says: `the ${TWIN_DISAGREEMENTS_MAX_ITEMS} widest are listed, all are counted` },
  ],
  semantics: [
    'Shared, or the run is rejected with each difference: context, timeUnit, concentrationUnit, species with their initial values, ids and starts of the arms, duration, steps, dataset, observations. Reactions, multipliers, pools and uncertainty are each model’s own.',
    'Each candidate has an id and version of its own. One that fails stays in the answer with its reason.',
    'plainPredictors use strictly earlier observations of the same arm and species: the last value, their mean, or a straight line through them by least squares. The models’ errors beside them are of the same observations.',
    `disagreements: places where the largest and the smallest model differ by more than ${DISAGREEMENT_SHARE} of the largest absolute value that any model gives the species in that arm, and nothing was observed.`,
    'manifest of a candidate is that of the same experiment run alone.',
  ],
  limits: BENCHMARK_LIMITS,
  example: {
    synthetic: true,
    says: 'Synthetic: both mechanisms and the observations are invented. Send input as the body of POST.',
    input: TWIN_BENCHMARK_EXAMPLE,
  },
  tools: ['twin_run_benchmark', 'twin_run_experiment'],
  contributionEndpoint: 'POST /api/v1/findings',
};
