import { expect } from 'vitest';
import type { Cases } from './case.ts';

const SHA256 = expect.stringMatching(/^[0-9a-f]{64}$/);

export const TWIN_EXPERIMENT_CASES: Cases = {
  'the guide to experiments has an example that runs as printed, twice with the same result': [
    { operation: 'twin-experiment', data: { version: 'twin-experiment-1.0.0', example: { synthetic: true } } },
    {
      operation: 'twin-experiment-run',
      given: ({ example }) => example.input,
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
    {
      operation: 'twin-experiment-run',
      given: (_guide, { manifest }) => manifest.input,
      data: (_guide, first) => first,
    },
  ],
  'the guide to benchmarks has an example that runs as printed': [
    { operation: 'twin-benchmark', data: { version: 'twin-benchmark-1.0.0' } },
    {
      operation: 'twin-benchmark-run',
      given: ({ example }) => example.input,
      data: {
        candidates: [
          { id: 'reversible-binding', state: 'ran' },
          { id: 'binding-without-release', state: 'ran' },
        ],
        manifest: { module: 'twin-benchmark', resultSha256: SHA256 },
      },
    },
  ],
};
