import { expect } from 'vitest';
import type { Case } from './case.ts';

const SHA256 = expect.stringMatching(/^[0-9a-f]{64}$/);

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
];
