import { z } from 'zod';
import {
  TWIN_CHECKS,
  TWIN_DATASET_KINDS,
  TWIN_DATASET_SPLITS,
  TWIN_PLAIN_PREDICTORS,
} from '../../declared/research.ts';

/** Answers of the twin experiment and benchmark. Concentrations and times are in the model's own units. */

const rounded = 'nine significant digits';

const modelName = { id: z.string(), version: z.string() };
export const twinModuleSchema = z.object({ id: z.string(), version: z.string() });
const sha256 = z.string().describe('SHA-256, hexadecimal');

export const twinCheckOutcomeSchema = z.object({
  check: z
    .enum(TWIN_CHECKS)
    .describe(
      'conservation: largest change of a pool as a share of it. nonnegativity: most negative concentration as a share of its species’ largest. tighter-tolerance: largest difference to a run at a hundredth of the tolerances. second-integrator: difference of the end values to another method. The last two as shares of the species’ largest value',
    ),
  arm: z.string().describe('the arm with the largest value'),
  subject: z.string().nullable().describe('pool or species that shows it; null where nothing does'),
  value: z.number(),
  bound: z.number(),
  pass: z.boolean().describe('value is at most bound'),
});
export const twinVerificationSchema = z.object({
  pass: z.boolean().describe('every check passed: says that the equations were solved, not that they are right'),
  method: z.string(),
  relativeTolerance: z.number(),
  absoluteTolerance: z.number().describe('in the concentration unit'),
  stepsTried: z.int().describe('by the solver in all runs together'),
  checks: z.array(twinCheckOutcomeSchema),
});

export const twinErrorsSchema = z.object({
  species: z.string(),
  count: z.int(),
  rmse: z.number().describe('root mean square error, in the concentration unit'),
  meanAbsoluteError: z.number(),
  meanRelativeError: z
    .number()
    .nullable()
    .describe('of absolute relative errors, where the observed value is not 0; null where it always is'),
});

export const twinDatasetReadSchema = z.object({
  id: z.string(),
  citation: z.string(),
  sha256,
  kind: z.enum(TWIN_DATASET_KINDS),
  split: z.enum(TWIN_DATASET_SPLITS),
  independentOfModelFit: z.boolean(),
});

const experimentResultFields = z.object({
  module: twinModuleSchema,
  model: z.object({
    ...modelName,
    context: z.string(),
    scope: z.string(),
    provenance: z.string(),
    timeUnit: z.string(),
    concentrationUnit: z.string(),
  }),
  times: z.array(z.number()).describe(`time of each step from 0 on; ${rounded}`),
  arms: z
    .array(
      z.object({
        id: z.string(),
        control: z.boolean().describe('the unperturbed baseline'),
        startStep: z.int().nullable().describe('null for the baseline'),
        rateMultipliers: z.record(z.string(), z.number()),
        species: z.array(
          z.object({
            id: z.string(),
            values: z.array(z.number()).describe(`at each time; ${rounded}`),
            low: z.array(z.number()).nullable().describe('smallest of all runs; null without uncertainty'),
            high: z.array(z.number()).nullable().describe('largest of all runs; null without uncertainty'),
          }),
        ),
      }),
    )
    .describe('the baseline first; up to its startStep an arm is the baseline to the last bit'),
  verification: twinVerificationSchema,
  sensitivity: z
    .object({
      reactions: z.array(z.object({ reaction: z.string(), low: z.number(), rate: z.number(), high: z.number() })),
      corners: z.int().describe('combinations of the ends, all of them run'),
      says: z.string(),
    })
    .nullable()
    .describe('null without uncertainty'),
  observations: z
    .object({
      points: z.array(
        z.object({
          arm: z.string(),
          step: z.int(),
          time: z.number(),
          species: z.string(),
          observed: z.number(),
          predicted: z.number(),
          error: z.number().describe('predicted less observed'),
          relativeError: z.number().nullable().describe('error by the absolute observed value; null where that is 0'),
          insideRange: z.boolean().nullable().describe('whether observed lies from low to high; null without a range'),
        }),
      ),
      species: z.array(twinErrorsSchema),
      says: z.string(),
    })
    .nullable()
    .describe('null without observations'),
  dataset: twinDatasetReadSchema.nullable(),
  limits: z.array(z.string()).describe('what the result does not show'),
});
export type ExperimentResult = z.output<typeof experimentResultFields>;

const manifestFields = {
  module: z.string(),
  version: z.string(),
  inputSha256: sha256.describe('of the canonical JSON of the input: keys sorted, defaults filled in'),
  datasetSha256: sha256.nullable().describe('as the input states it; nothing here has read the file'),
  resultSha256: sha256.describe('of the canonical JSON of data without manifest; the same input gives the same'),
};
export const twinManifestSchema = z.object({
  ...manifestFields,
  input: z.record(z.string(), z.unknown()).describe('as normalised; sent again, it gives this result'),
});

export const experimentRunSchema = experimentResultFields.extend({ manifest: twinManifestSchema });
export type ExperimentRun = z.output<typeof experimentRunSchema>;

export const twinComparedSchema = z.object({
  species: z.string(),
  predictor: z.enum(TWIN_PLAIN_PREDICTORS),
  count: z.int().describe('observations with enough earlier ones of the same arm and species'),
  rmse: z.number().nullable().describe('of the plain predictor; null where count is 0'),
  models: z
    .array(z.object({ ...modelName, rmse: z.number().nullable() }))
    .describe('of the models on the same observations'),
});

const benchmarkResultFields = z.object({
  module: twinModuleSchema,
  shared: z.object({
    context: z.string(),
    timeUnit: z.string(),
    concentrationUnit: z.string(),
    species: z.array(z.string()),
    arms: z.array(z.string()),
    steps: z.int(),
    observations: z.int(),
    dataset: twinDatasetReadSchema.nullable(),
  }),
  candidates: z
    .array(
      z.object({
        ...modelName,
        provenance: z.string(),
        state: z.enum(['ran', 'failed']),
        reason: z.string().nullable().describe('why it failed; null where it ran'),
        verification: twinVerificationSchema.nullable(),
        errors: z
          .array(twinErrorsSchema)
          .nullable()
          .describe('against the observations; null where it failed or there are none'),
        manifest: z
          .object(manifestFields)
          .nullable()
          .describe('of the same experiment run alone; null where it failed'),
      }),
    )
    .describe('in the order given, never ranked'),
  plainPredictors: z.array(twinComparedSchema).describe('what no mechanism at all would have predicted'),
  disagreements: z.object({
    share: z.number().describe('tolerance: a spread above this share of the species’ largest value is listed'),
    total: z.int(),
    points: z
      .array(
        z.object({
          arm: z.string(),
          step: z.int(),
          time: z.number(),
          species: z.string(),
          spread: z.number(),
          shareOfLargest: z.number(),
          values: z.array(z.object({ ...modelName, value: z.number() })),
        }),
      )
      .describe('where the models differ and nothing was observed: an observation here would tell them apart'),
  }),
  limits: z.array(z.string()),
});
export type BenchmarkResult = z.output<typeof benchmarkResultFields>;

export const benchmarkRunSchema = benchmarkResultFields.extend({ manifest: twinManifestSchema });
export type BenchmarkRun = z.output<typeof benchmarkRunSchema>;

export const twinGuideSchema = z.object({
  version: z.string(),
  path: z.string(),
  title: z.string(),
  scope: z.string(),
  bounds: z.array(z.object({ of: z.string(), says: z.string() })),
  semantics: z.array(z.string()).describe('what each part of the input means and how it is computed'),
  limits: z.array(z.string()).describe('what a result does not show'),
  example: z.object({
    synthetic: z.literal(true),
    says: z.string(),
    input: z.record(z.string(), z.unknown()).describe('a body for POST that runs as it stands'),
  }),
  tools: z.array(z.string()).describe('MCP tools'),
  contributionEndpoint: z.string().describe('where a result becomes a finding'),
});
