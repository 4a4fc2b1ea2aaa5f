import { TWIN_BENCHMARK_EXAMPLE, TWIN_EXPERIMENT_EXAMPLE } from '../../declared/twin-examples.ts';
import { MODEL_RUN_BODY_MAX_BYTES } from '../../limits/limits.ts';
import { defineOperation } from '../../operation.ts';
import { benchmarkBody, experimentBody } from '../../schemas/research/twin.ts';
import { benchmarkRunSchema, experimentRunSchema, twinGuideSchema } from '../../schemas/research/twin-result.ts';

export const getTwinExperimentGuide = defineOperation({
  id: 'twin-experiment',
  method: 'GET',
  path: '/api/v1/twin/experiment',
  summary: 'Read the guide to reaction experiments',
  description:
    'Every bound of the input, what each part means and how it is computed, what a result does not show, and a synthetic example that runs as printed.',
  whenToUse: 'Before a first run, and when a run was rejected.',
  next: ['twin-experiment-run', 'twin-benchmark'],
  server: 'index',
  catalogueId: 'twin-experiment',
  names: { mcp: 'twin_experiment_guide', sdk: 'getTwinExperimentGuide' },
  tool: {
    title: 'How to write a reaction experiment',
    description:
      'How to write a reaction experiment: the input and its bounds, how it is computed, what a result does not show, and an example that runs as printed.',
  },
  bucket: 'read',
  output: twinGuideSchema,
  errors: [],
});

export const runTwinExperiment = defineOperation({
  id: 'twin-experiment-run',
  method: 'POST',
  path: '/api/v1/twin/experiment',
  summary: 'Run a reaction experiment',
  description:
    'Solves a mass-action network with and without the changes of each arm, checks the solution numerically, runs every combination of uncertain rates, and sets the result beside observations as raw errors. Stores nothing; the same input gives the same bytes. No claim about a patient or a cure.',
  whenToUse: 'To see what a stated mechanism implies, before a laboratory is asked.',
  next: ['twin-benchmark-run', 'finding-submit'],
  server: 'index',
  names: { mcp: 'twin_run_experiment', sdk: 'runTwinExperiment' },
  tool: {
    title: 'Simulate a reaction network',
    description:
      'Simulate a reaction network with and without an intervention, over uncertain rates, and set it beside observations. Stores nothing.',
  },
  computes: true,
  bucket: 'experiment-run',
  body: experimentBody,
  bodyMaxBytes: MODEL_RUN_BODY_MAX_BYTES,
  exampleBody: TWIN_EXPERIMENT_EXAMPLE,
  rejection: 'run_rejected',
  output: experimentRunSchema,
  errors: ['INVALID_BODY', 'BODY_TOO_LARGE', 'run_rejected', 'RUN_UNAVAILABLE'],
});

export const getTwinBenchmarkGuide = defineOperation({
  id: 'twin-benchmark',
  method: 'GET',
  path: '/api/v1/twin/benchmark',
  summary: 'Read the guide to benchmarks of experiments',
  description:
    'What two or three experiments must share to be compared, which plain predictors they are compared with, and a synthetic example that runs as printed.',
  whenToUse: 'When rival mechanisms explain the same data.',
  next: ['twin-benchmark-run', 'twin-experiment'],
  server: 'index',
  catalogueId: 'twin-benchmark',
  names: { mcp: 'twin_benchmark_guide', sdk: 'getTwinBenchmarkGuide' },
  tool: {
    title: 'How to compare rival models',
    description:
      'How to compare rival models: what their experiments must share, the plain predictors they are set beside, and an example that runs as printed.',
  },
  bucket: 'read',
  output: twinGuideSchema,
  errors: [],
});

export const runTwinBenchmark = defineOperation({
  id: 'twin-benchmark-run',
  method: 'POST',
  path: '/api/v1/twin/benchmark',
  summary: 'Compare rival models with the same observations',
  description:
    'Runs two or three experiments that share context, units, species, arms, steps, dataset and observations; shows their errors by species beside those of plain predictors, and the unobserved points at which they differ. A candidate that fails stays in the answer with its reason. No ranking.',
  whenToUse: 'To find the observation that would tell two mechanisms apart.',
  next: ['finding-submit', 'twin-experiment-run'],
  server: 'index',
  names: { mcp: 'twin_run_benchmark', sdk: 'runTwinBenchmark' },
  tool: {
    title: 'Compare rival models on the same data',
    description:
      'Compare two or three rival models on the same data: the errors of each beside plain predictors, and the observation that would tell them apart.',
  },
  computes: true,
  bucket: 'experiment-run',
  body: benchmarkBody,
  bodyMaxBytes: MODEL_RUN_BODY_MAX_BYTES,
  exampleBody: TWIN_BENCHMARK_EXAMPLE,
  rejection: 'run_rejected',
  output: benchmarkRunSchema,
  errors: ['INVALID_BODY', 'BODY_TOO_LARGE', 'run_rejected', 'RUN_UNAVAILABLE'],
});

export const TWIN_OPERATIONS = [
  getTwinExperimentGuide,
  runTwinExperiment,
  getTwinBenchmarkGuide,
  runTwinBenchmark,
] as const;
