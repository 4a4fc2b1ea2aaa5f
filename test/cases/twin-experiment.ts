import { expect } from 'vitest';
import { TWIN_BENCHMARK_EXAMPLE, TWIN_EXPERIMENT_EXAMPLE } from '../../contract/declared/twin-examples.ts';
import { type Case, one } from './case.ts';

const SHA256 = expect.stringMatching(/^[0-9a-f]{64}$/);
const [FIRST, SECOND] = TWIN_BENCHMARK_EXAMPLE.experiments;

export const TWIN_EXPERIMENT_CASES: readonly Case[] = [
  {
    title: 'the guide to experiments has an example that runs as printed, twice with the same result',
    steps: [
      {
        operation: 'twin-experiment',
        expect: { data: { version: 'twin-experiment-1.0.0', example: { synthetic: true } } },
      },
      {
        operation: 'twin-experiment-run',
        given: ({ example }) => example.input,
        expect: {
          status: 200,
          data: {
            arms: [
              { id: 'baseline', control: true },
              { id: 'no-internalisation', control: false },
            ],
            verification: { pass: true },
            sensitivity: { corners: 2 },
            dataset: { kind: 'synthetic' },
            manifest: { module: 'twin-experiment', inputSha256: SHA256, resultSha256: SHA256 },
          },
        },
      },
      {
        operation: 'twin-experiment-run',
        given: (_guide, { manifest }) => manifest.input,
        expect: { data: (_guide, first) => first },
      },
    ],
  },
  {
    title: 'the guide to benchmarks has an example that runs as printed',
    steps: [
      { operation: 'twin-benchmark', expect: { data: { version: 'twin-benchmark-1.0.0' } } },
      {
        operation: 'twin-benchmark-run',
        given: ({ example }) => example.input,
        expect: {
          data: {
            candidates: [
              { id: 'reversible-binding', state: 'ran' },
              { id: 'binding-without-release', state: 'ran' },
            ],
            manifest: { module: 'twin-benchmark', resultSha256: SHA256 },
          },
        },
      },
    ],
  },
  one(
    'every fault of an experiment is named at once',
    'twin-experiment-run',
    {
      ...TWIN_EXPERIMENT_EXAMPLE,
      arms: [{ id: 'baseline', startStep: 20, rateMultipliers: { no: 1 } }],
      duration: 0,
      dataset: undefined,
    },
    {
      status: 422,
      code: 'run_rejected',
      issues: [
        'duration',
        'arms.0.id',
        'arms.0.startStep',
        'arms.0.rateMultipliers.no',
        'observations.4.arm',
        'observations.5.arm',
        'observations.6.arm',
        'dataset',
      ],
    },
  ),
  one(
    'experiments that do not share what they must are no benchmark',
    'twin-benchmark-run',
    { experiments: [FIRST, { ...SECOND, steps: 40 }] },
    { status: 422, code: 'run_rejected', issues: ['experiments.1.steps'] },
  ),
];
