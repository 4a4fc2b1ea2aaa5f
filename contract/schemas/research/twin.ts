import { z } from 'zod';
import { TWIN_DATASET_KINDS, TWIN_DATASET_SPLITS } from '../../declared/research.ts';
import { isSource, SOURCE_EXPECTED } from '../../interfaces/uris.ts';
import {
  TWIN_ARMS,
  TWIN_BENCHMARK_EXPERIMENTS,
  TWIN_DURATION_TIME_UNITS,
  TWIN_ID_MAX_CHARACTERS,
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
  TWIN_TEXT_MAX_CHARACTERS,
  TWIN_VALUE_MAX,
} from '../../limits/twin.ts';
import { namedValues } from '../named-values.ts';
import { benchmarkIssues, experimentIssues } from './twin-checks.ts';

/** Input of the twin experiment and benchmark: a mass-action network, what is changed in it, and what was observed. */

const ID = /^[A-Za-z][A-Za-z0-9_.:-]*$/;
const idWords = `expected an id of 1 to ${TWIN_ID_MAX_CHARACTERS} letters, digits and _ . : - that begins with a letter`;

function id(meaning: string) {
  return z
    .string({ error: idWords })
    .max(TWIN_ID_MAX_CHARACTERS, { error: idWords })
    .regex(ID, { error: idWords })
    .describe(meaning);
}

function text(meaning: string) {
  const expected = `expected text of 1 to ${TWIN_TEXT_MAX_CHARACTERS} characters`;
  return z
    .string({ error: expected })
    .max(TWIN_TEXT_MAX_CHARACTERS, { error: expected })
    .refine((value) => value.trim() !== '' && value.isWellFormed(), { error: expected })
    .meta({ description: meaning, minLength: 1 });
}

function within(min: number, max: number, meaning: string) {
  const error = `expected a number from ${min} to ${max}`;
  return z.number({ error }).min(min, { error }).max(max, { error }).describe(meaning);
}

function whole(min: number, max: number, meaning: string) {
  const error = `expected a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error }).describe(meaning);
}

/** A list whose length is judged before its elements, so that a body of thousands of faults has one issue for them. */
function list<Item extends z.ZodType>(item: Item, min: number, max: number, meaning: string) {
  const error = `expected ${min} to ${max} elements`;
  return z
    .preprocess(
      (given, context) => {
        if (!Array.isArray(given) || given.length <= max) return given;
        context.addIssue({ code: 'custom', message: error });
        return undefined;
      },
      z.array(item, { error }).min(min, { error }).max(max, { error }),
    )
    .describe(meaning);
}

const molecules = (max: number) =>
  z.strictObject({ species: id('id of a species'), count: whole(1, max, 'molecules of it in one event') });

export const twinSpeciesSchema = z.strictObject({
  id: id('unique among the species'),
  initial: within(0, TWIN_VALUE_MAX, 'concentration at time 0, in the concentration unit'),
});

export const twinReactionSchema = z.strictObject({
  id: id('unique among the reactions'),
  rate: within(0, TWIN_VALUE_MAX, 'mass-action constant, in the units that its order implies'),
  reactants: list(
    molecules(TWIN_REACTION_ORDER_MAX),
    0,
    TWIN_REACTION_ORDER_MAX,
    `at most ${TWIN_REACTION_ORDER_MAX} molecules together; empty for an inflow of constant rate`,
  ),
  products: list(
    molecules(TWIN_PRODUCT_MOLECULES_MAX),
    0,
    TWIN_PRODUCT_MOLECULES_MAX,
    `at most ${TWIN_PRODUCT_MOLECULES_MAX} molecules together; empty for a loss`,
  ),
});

const pairs = (value: z.ZodType<number>, meaning: string, max: number) =>
  namedValues(value, {
    error: 'expected an object of numbers by id',
    unknownName: 'expected the id of a part of the model',
    max,
  }).describe(meaning);

export const twinPoolSchema = z.strictObject({
  id: id('unique among the pools'),
  weights: pairs(
    whole(1, TWIN_POOL_WEIGHT_MAX, 'copies in one molecule'),
    'copies of what is conserved in each species, by id; no reaction may change their sum',
    TWIN_MAX_SPECIES,
  ),
});

export const twinModelSchema = z
  .strictObject({
    id: id('name of the model'),
    version: text('version of the model'),
    context: text('what the model is of: organism, tissue, state'),
    scope: text('what it is for and what it leaves out'),
    provenance: text('where its structure and numbers come from'),
    timeUnit: text('for example h'),
    concentrationUnit: text('for example nmol/L'),
    species: list(twinSpeciesSchema, 1, TWIN_MAX_SPECIES, 'what reacts'),
    reactions: list(twinReactionSchema, 1, TWIN_MAX_REACTIONS, 'mass action: rate times the product of the reactants'),
    conservedPools: list(twinPoolSchema, 0, TWIN_MAX_POOLS, 'sums that no reaction changes').optional(),
  })
  .describe('a mass-action reaction network');

export const twinArmSchema = z.strictObject({
  id: id('unique among the arms; baseline is reserved for the unperturbed control, which is always added'),
  startStep: whole(
    0,
    TWIN_STEPS.max - 1,
    'step at whose time the multipliers begin; before it the arm is the baseline',
  ),
  rateMultipliers: pairs(
    within(TWIN_RATE_MULTIPLIER.min, TWIN_RATE_MULTIPLIER.max, 'factor of the rate'),
    'factors of rates by reaction id; 0 switches a reaction off',
    TWIN_MAX_REACTIONS,
  ),
});

export const twinUncertaintySchema = z.strictObject({
  reaction: id('id of a reaction'),
  low: within(0, TWIN_VALUE_MAX, 'lowest rate held possible, in the unit of the rate; at most the rate'),
  high: within(0, TWIN_VALUE_MAX, 'highest rate held possible; at least the rate'),
});

export const twinObservationSchema = z.strictObject({
  arm: id('id of an arm, or baseline'),
  step: whole(0, TWIN_STEPS.max, 'number of the step: its time is step times duration over steps'),
  species: id('id of a species'),
  value: within(
    -TWIN_VALUE_MAX,
    TWIN_VALUE_MAX,
    'as observed, in the concentration unit; repeats are taken one by one',
  ),
});

export const twinDatasetSchema = z.strictObject({
  id: id('name of the dataset'),
  citation: z
    .string({ error: `expected ${SOURCE_EXPECTED}` })
    .max(TWIN_TEXT_MAX_CHARACTERS, { error: `expected at most ${TWIN_TEXT_MAX_CHARACTERS} characters` })
    .refine(isSource, { error: `expected ${SOURCE_EXPECTED}` })
    .describe(`where the data can be read: ${SOURCE_EXPECTED}`),
  sha256: z
    .string({ error: 'expected 64 hexadecimal digits, lower case' })
    .regex(/^[0-9a-f]{64}$/, { error: 'expected 64 hexadecimal digits, lower case' })
    .describe('of the file that the observations were taken from'),
  kind: z.enum(TWIN_DATASET_KINDS, { error: `expected one of ${TWIN_DATASET_KINDS.join(', ')}` }),
  split: z
    .enum(TWIN_DATASET_SPLITS, { error: `expected one of ${TWIN_DATASET_SPLITS.join(', ')}` })
    .describe('which part of the data these observations are'),
  independentOfModelFit: z
    .boolean({ error: 'expected true or false' })
    .describe('whether the model was made without these observations, as its author states it'),
});

const durationError = `expected a number above ${TWIN_DURATION_TIME_UNITS.above}, at most ${TWIN_DURATION_TIME_UNITS.max}`;

const experimentFields = z.strictObject({
  model: twinModelSchema,
  arms: list(twinArmSchema, TWIN_ARMS.min, TWIN_ARMS.max, 'what is changed; a baseline without change is added'),
  duration: z
    .number({ error: durationError })
    .gt(TWIN_DURATION_TIME_UNITS.above, { error: durationError })
    .max(TWIN_DURATION_TIME_UNITS.max, { error: durationError })
    .describe('in the time unit of the model'),
  steps: whole(TWIN_STEPS.min, TWIN_STEPS.max, 'equal steps at whose ends results are given').default(
    TWIN_STEPS.default,
  ),
  uncertainty: list(
    twinUncertaintySchema,
    0,
    TWIN_MAX_UNCERTAINTIES,
    'rates known only to a range; every combination of their ends is run',
  ).optional(),
  observations: list(twinObservationSchema, 0, TWIN_MAX_OBSERVATIONS, 'what was seen; needs dataset').optional(),
  dataset: twinDatasetSchema.optional().describe('where the observations come from; required with observations'),
});

// Cross references are judged beside the faults of form, not after them.
const always = { when: () => true };

export const experimentBody = experimentFields.superRefine((body, context) => {
  for (const { path, message } of experimentIssues(body)) context.addIssue({ code: 'custom', path, message });
}, always);
export type ExperimentInput = z.output<typeof experimentFields>;

export const benchmarkBody = z
  .strictObject({
    experiments: list(
      experimentFields,
      TWIN_BENCHMARK_EXPERIMENTS.min,
      TWIN_BENCHMARK_EXPERIMENTS.max,
      'rival models of one context, with the same units, species, arms, steps, dataset and observations',
    ),
  })
  .superRefine((body, context) => {
    for (const { path, message } of benchmarkIssues(body)) context.addIssue({ code: 'custom', path, message });
  }, always);
export type BenchmarkInput = { experiments: ExperimentInput[] };
