import { z } from 'zod';
import { isSource, SOURCE_EXPECTED } from '../../interfaces/uris.ts';
import type { Range } from '../../limits/limit-relations.ts';
import {
  BETA_CELL_ARM_OBSERVATIONS,
  BETA_CELL_ARMS,
  BETA_CELL_ATTRITION_PER_WEEK,
  BETA_CELL_CITATION_MAX_CHARACTERS,
  BETA_CELL_DURATION_DEFAULT_WEEKS,
  BETA_CELL_DURATION_WEEKS,
  BETA_CELL_POINT_VALUE,
  BETA_CELL_POINT_WEEKS,
  BETA_CELL_PROTECTION_FRACTION,
  BETA_CELL_RECOVERY_PER_WEEK,
  BETA_CELL_REPLACEMENT_RATIO,
  BETA_CELL_SUPPRESSION_FRACTION,
  BETA_CELL_TEXT_CHARACTERS,
  BETA_CELL_TRAINING_WEEKS,
} from '../../limits/twin.ts';

/** Input and result of a run of the beta-cell model. No object takes a key that it does not name. */

export const ARM_IDS = ['control', 'comparator'] as const;
const BETA_CELL_DATASETS = ['clver', 'custom'] as const;
const BETA_CELL_KINDS = ['experimental', 'synthetic'] as const;
const BETA_CELL_STATISTICS = ['mean', 'geometric-mean'] as const;

const DURATIONS: number[] = [...BETA_CELL_DURATION_WEEKS];
const DURATIONS_IN_WORDS = `${DURATIONS.slice(0, -1).join(', ')} or ${DURATIONS.at(-1)}`;

function bounded({ min, max, default: fallback }: Range, meaning: string) {
  return z.number().min(min).max(max).default(fallback).describe(meaning);
}

// Control characters and halves of surrogate pairs are a mistake or an attack; none of these texts needs either.
const UNFIT = /[\u0000-\u001f\u007f-\u009f]/u;

function datasetText(meaning: string) {
  const { min, max } = BETA_CELL_TEXT_CHARACTERS;
  return z
    .string()
    .min(min)
    .max(max)
    .refine((text) => text.trim().length >= min && text.isWellFormed() && !UNFIT.test(text), {
      error: `expected at least ${min} characters that are no blanks at the ends, and no control characters`,
    })
    .describe(meaning);
}

const PER_WEEK_STEP = 1 / BETA_CELL_POINT_WEEKS.step;

export const betaCellPointSchema = z.strictObject({
  week: z
    .number()
    .min(BETA_CELL_POINT_WEEKS.min)
    .max(BETA_CELL_POINT_WEEKS.max)
    // Not multipleOf, which takes 1e-300 for a multiple of anything.
    .refine((week) => Number.isInteger(week * PER_WEEK_STEP), {
      error: `expected a multiple of ${BETA_CELL_POINT_WEEKS.step}`,
    })
    .meta({ description: 'weeks since the start', multipleOf: BETA_CELL_POINT_WEEKS.step }),
  value: z
    .number()
    .gt(BETA_CELL_POINT_VALUE.above)
    .max(BETA_CELL_POINT_VALUE.max)
    .describe('C-peptide in the unit of the source; never converted'),
});

interface Issues {
  addIssue(issue: { code: 'custom'; message: string; path?: PropertyKey[] }): void;
}

function checkWeeks(points: readonly { week: number }[], issues: Issues): void {
  for (let at = 1; at < points.length; at += 1) {
    if (points[at]!.week <= points[at - 1]!.week) {
      issues.addIssue({ code: 'custom', message: 'weeks must be unique and increasing', path: [at, 'week'] });
    }
  }
}

const pointsSchema = z
  .array(betaCellPointSchema)
  .min(BETA_CELL_ARM_OBSERVATIONS.min)
  .max(BETA_CELL_ARM_OBSERVATIONS.max)
  .superRefine(checkWeeks)
  .describe('one point a visit, weeks increasing; the first is the origin of the fit, and every ratio is to it');

export const betaCellArmSchema = z.strictObject({
  id: z.enum(ARM_IDS),
  label: datasetText('what the arm received'),
  points: pointsSchema,
});

const armsSchema = z
  .array(betaCellArmSchema)
  .length(BETA_CELL_ARMS)
  .superRefine((arms, issues) => {
    const ids = arms.map(({ id }) => id);
    if (new Set(ids).size < ids.length) {
      issues.addIssue({ code: 'custom', message: 'one arm must be the control and one the comparator' });
    }
  })
  .describe('the control and the comparator, one of each');

export const customDatasetSchema = z.strictObject({
  id: datasetText('your name for the data'),
  citation: z
    .string()
    .max(BETA_CELL_CITATION_MAX_CHARACTERS)
    .refine(isSource, { error: `expected ${SOURCE_EXPECTED}` })
    .meta({ description: `where the source can be read: ${SOURCE_EXPECTED}`, format: 'uri' }),
  population: datasetText('who was measured, in aggregate; never a person'),
  assay: datasetText('what was measured and how'),
  reportedUnit: datasetText('unit exactly as the source prints it'),
  kind: z.enum(BETA_CELL_KINDS),
  statistic: z.enum(BETA_CELL_STATISTICS),
  arms: armsSchema,
});
export type CustomDataset = z.output<typeof customDatasetSchema>;

interface DatasetChoice {
  dataset: (typeof BETA_CELL_DATASETS)[number];
  customDataset?: unknown;
}

function checkChoice({ dataset, customDataset }: DatasetChoice, issues: Issues): void {
  const refuse = (path: string, message: string): void => issues.addIssue({ code: 'custom', message, path: [path] });
  if (dataset === 'custom' && customDataset === undefined) {
    refuse('customDataset', 'required where dataset is custom');
  }
  if (dataset === 'clver' && customDataset !== undefined) {
    refuse('customDataset', 'not taken where dataset is clver; set dataset to custom to run it');
  }
}

export const betaCellInputSchema = z
  .strictObject({
    dataset: z.enum(BETA_CELL_DATASETS).default('clver').describe('clver, or custom with a customDataset'),
    customDataset: customDatasetSchema.optional(),
    trainingThroughWeek: z
      .number()
      .gt(BETA_CELL_TRAINING_WEEKS.above)
      .max(BETA_CELL_TRAINING_WEEKS.max)
      .default(BETA_CELL_TRAINING_WEEKS.default)
      .describe('visits after this week stay out of the fit'),
    recoveryRate: bounded(BETA_CELL_RECOVERY_PER_WEEK, 'per week: an assumption that the fit takes as given'),
    // No enum: a provider of models refuses a whole request for a list of numbers in a schema.
    durationWeeks: z
      .int()
      .refine((weeks) => DURATIONS.includes(weeks), { error: `expected ${DURATIONS_IN_WORDS}` })
      .default(BETA_CELL_DURATION_DEFAULT_WEEKS)
      .meta({
        description: `length of the planner curves: ${DURATIONS_IN_WORDS}`,
        minimum: Math.min(...DURATIONS),
        maximum: Math.max(...DURATIONS),
      }),
    immuneSuppression: bounded(BETA_CELL_SUPPRESSION_FRACTION, 'share of the immune loss that is removed'),
    replacementContribution: bounded(BETA_CELL_REPLACEMENT_RATIO, 'graft at week 0 over functional native mass'),
    graftProtection: bounded(
      BETA_CELL_PROTECTION_FRACTION,
      'share of the remaining immune loss that does not reach the graft',
    ),
    graftAttrition: bounded(BETA_CELL_ATTRITION_PER_WEEK, 'per week: loss of the graft that is not immune'),
  })
  // Also beside other faults, so that one refusal names them all.
  .superRefine(checkChoice, { when: ({ value }) => value !== null && typeof value === 'object' });
export type BetaCellInput = z.output<typeof betaCellInputSchema>;

export const betaCellShownArmSchema = z.object({
  id: z.enum(ARM_IDS),
  label: z.string(),
  points: z.array(z.object({ week: z.number(), value: z.number() })),
});

/** The dataset of a run; the built-in and a custom dataset have equal fields. */
export const betaCellDatasetSchema = z.object({
  id: z.string(),
  citation: z.string(),
  kind: z.enum(BETA_CELL_KINDS),
  synthetic: z.boolean().describe('true: no value in it was measured'),
  population: z.string(),
  assay: z.string(),
  reportedUnit: z.string().describe('exactly as the source prints it; never converted'),
  statistic: z.enum(BETA_CELL_STATISTICS),
  arms: z.array(betaCellShownArmSchema),
  registration: z.string().nullable().describe('registry id of the record that it was read from; null for custom'),
  snapshot: z.string().nullable().describe('snapshot that held the record; null for custom'),
  checksum: z.string().describe('sha256 of the registry payload, or of the custom dataset as canonical JSON'),
});
export type BetaCellDataset = z.output<typeof betaCellDatasetSchema>;

const bound = z.enum(['lower', 'upper']).nullable();
const ratio = z.number().nullable();

export const betaCellArmFitSchema = z.object({
  status: z
    .enum(['fitted', 'no-residual-freedom', 'at-bound', 'not-identifiable', 'too-few-visits'])
    .describe('how far the numbers can be used; the first that applies from the right'),
  statusReason: z.string(),
  originWeek: z.number().describe('week of the first visit: the origin of the fit, what every ratio is to'),
  lossRate: ratio.describe('k, per week: an effective rate; null where nothing could be fitted'),
  stressRatio: ratio.describe('h: stressed over functional mass at the origin'),
  recoveryRate: z.number().describe('r, per week: assumed'),
  atBound: z.object({ lossRate: bound, stressRatio: bound }).nullable(),
  trainingVisits: z.int().describe('visits after the origin that entered the fit'),
  degreesOfFreedom: z.int().nullable(),
  sumOfSquares: ratio.describe('of the log residuals of the training visits'),
  peak: z
    .object({ week: z.number().nullable().describe('null: rises for ever'), relative: z.number() })
    .nullable()
    .describe('where unperturbed C-peptide stands highest'),
  plausibility: z
    .enum(['below', 'inside', 'above'])
    .nullable()
    .describe('loss rate against 0.002 to 0.05 per week; outside is a reason to look again'),
  visits: z.array(
    z.object({
      week: z.number(),
      role: z.enum(['baseline', 'training', 'held-out']),
      observedRatio: ratio,
      predictedRatio: ratio,
      logResidual: ratio.describe('ln observed less ln predicted'),
      percentError: ratio.describe('of the prediction, at held-out visits'),
    }),
  ),
  heldOut: z.object({
    visits: z.int(),
    note: z.string().nullable().describe('why nothing was held out; null where something was'),
    predictions: z
      .array(
        z.object({
          prediction: z.enum(['model', 'last-training-value', 'mean-of-training-values', 'pure-exponential']),
          logRmse: ratio,
          meanAbsolutePercentError: ratio,
        }),
      )
      .describe('errors of the model beside those of three predictions that need none'),
  }),
  identifiability: z
    .object({
      estimateCorrelation: z.number().describe('of k and h'),
      conditionNumber: z.number().describe('of the Jacobian with its columns scaled to length 1'),
      lossRateIntervals: z
        .array(z.object({ assumedLogSd: z.number(), low: z.number(), high: z.number() }))
        .describe('every k within 3.84 sd² of the least squares, for an sd of the log ratios that is assumed'),
    })
    .nullable(),
  sensitivity: z
    .array(z.object({ recoveryRate: z.number(), lossRate: ratio, stressRatio: ratio, sumOfSquares: ratio }))
    .describe('the same fit under other assumed recovery rates'),
});
export type BetaCellArmFit = z.output<typeof betaCellArmFitSchema>;
export type BetaCellHeldOut = BetaCellArmFit['heldOut'];

export const betaCellCombinationSchema = z.object({
  suppression: z.boolean(),
  replacement: z.boolean(),
  protection: z.boolean(),
  native: z.number(),
  graft: z.number(),
  total: z.number(),
});
export type BetaCellCombination = z.output<typeof betaCellCombinationSchema>;

export const betaCellOutcomeSchema = z.object({
  // A record, so that a reader of the schema meets it once and not once for each arm.
  fit: z.record(z.enum(ARM_IDS), betaCellArmFitSchema),
  planner: z
    .object({
      basis: z.literal('control'),
      nativeLossRate: z.number().describe('per week, under the plan'),
      graftLossRate: z.number().describe('per week, under the plan'),
      curve: z
        .array(
          z.object({
            week: z.int(),
            native: z.number(),
            graft: z.number(),
            total: z.number(),
            unperturbed: z.number().describe('the control fit without any change'),
          }),
        )
        .describe('weekly C-peptide relative to native week 0, which is the first visit of the control arm'),
      combinations: z
        .array(betaCellCombinationSchema)
        .describe('at the last week, in a fixed order that ranks nothing'),
    })
    .nullable()
    .describe('hypothetical changes applied to the control fit; null where the control could not be fitted'),
});
export type BetaCellOutcome = z.output<typeof betaCellOutcomeSchema>;

const notesSchema = z.object({
  limits: z.array(z.string()),
  rules: z.array(z.string()),
  doesNotSay: z.array(z.string()),
});

export const betaCellResultSchema = z.object({
  input: z
    .object({
      dataset: z.enum(BETA_CELL_DATASETS),
      trainingThroughWeek: z.number(),
      recoveryRate: z.number(),
      durationWeeks: z.number(),
      immuneSuppression: z.number(),
      replacementContribution: z.number(),
      graftProtection: z.number(),
      graftAttrition: z.number(),
    })
    .describe('as run, with defaults; a custom dataset stands under `dataset`'),
  dataset: betaCellDatasetSchema,
  ...betaCellOutcomeSchema.shape,
  ...notesSchema.shape,
  replay: z.object({
    module: z.string(),
    version: z.string(),
    method: z.string(),
    path: z.string(),
    input: z.record(z.string(), z.unknown()).describe('send this to repeat the run'),
    inputSha256: z.string().describe('of `input` as canonical JSON: keys sorted, no blanks'),
    datasetChecksum: z.string(),
    snapshot: z.string().nullable(),
    resultSha256: z.string().describe('of `fit` and `planner` as one object of canonical JSON'),
  }),
});
export type BetaCellResult = z.output<typeof betaCellResultSchema>;

/** Every field of an object may be null; one that is already stays as it is. */
const nullable = <Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) =>
  z.object(
    Object.fromEntries(
      Object.entries(schema.shape).map(([name, field]) => [
        name,
        field instanceof z.ZodNullable ? field : (field as z.ZodType).nullable(),
      ]),
    ) as {
      [Name in keyof Shape]: z.ZodNullable<Extract<Shape[Name], z.ZodType>>;
    },
  );

export const betaCellGuideSchema = z.object({
  version: z.string(),
  path: z.string(),
  page: z.string(),
  title: z.string(),
  scope: z.string(),
  limits: z.array(z.string()),
  rules: z.array(z.string()),
  equations: z.array(z.object({ name: z.string(), equation: z.string(), meaning: z.string() })),
  dataset: nullable(betaCellDatasetSchema.omit({ id: true, citation: true })).extend({
    id: z.literal('clver'),
    citation: z.url(),
    state: z.enum(['available', 'not-available']),
    reason: z.string().nullable().describe('why it is not available; null where it is'),
  }),
  sources: z.array(z.object({ id: z.string(), title: z.string(), url: z.url(), use: z.string() })),
  example: z.object({ call: z.string(), body: z.record(z.string(), z.unknown()).describe('runs as printed') }),
  inputSchema: z.record(z.string(), z.unknown()).describe('JSON Schema of the body'),
  tools: z.array(z.string()),
  workflow: z.array(z.object({ call: z.string(), why: z.string() })),
  contributionEndpoint: z.string(),
  objectiveId: z.string(),
});
export type BetaCellGuide = z.output<typeof betaCellGuideSchema>;
