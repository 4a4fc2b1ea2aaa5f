import { expect } from 'vitest';
import type { Cases } from './case.ts';

/** The one run that made the sample corpus. */
const SAMPLE_RUN = {
  run: expect.stringMatching(/^\d{8}T\d{6}Z-[0-9a-f]{6}$/),
  command: 'run',
  outcome: 'PUBLISHED',
  exitCode: 0,
  message: null,
  next: null,
  rows: {
    registries: [
      { registry: 'clinicaltrials_gov', read: 600 },
      { registry: 'isrctn', read: 220 },
    ],
    trials: 766,
  },
  served: { version: expect.stringMatching(/^\d{8}T\d{6}Z-[0-9a-f]{8}$/) },
  checks: { passed: 2, accepted: 0, refused: 0, notCompared: 0 },
};

/** Facts of the record of runs beside the sample corpus. */
export const PIPELINE_CASES: Cases = {
  'a run is listed with its outcome, its stages and what it read': {
    operation: 'pipeline-runs',
    given: { command: 'run' },
    data: { state: 'recorded', runs: [SAMPLE_RUN], unreadableLines: 0, olderLeftOut: false },
    meta: { filters: { command: 'run' }, pagination: { page: 1, totalItems: 1, returned: 1, hasMore: false } },
  },
  'one run states each check with its figure, its limit and its verdict': {
    operation: 'pipeline-run',
    given: { run: 'latest' },
    data: {
      ...SAMPLE_RUN,
      gate: {
        checks: [
          { name: 'quarantine:clinicaltrials_gov', figure: 1 / 599, affected: 1, limit: 0.01, verdict: 'passed' },
          { name: 'quarantine:isrctn', verdict: 'passed' },
        ],
        accepted: [],
        reason: null,
      },
    },
  },
};
