import { expect } from 'vitest';
import { BETA_CELL_EXAMPLE } from '../../contract/operations/research/twin-beta-cell.ts';
import type { Cases } from './case.ts';

const HONESTY = { honesty: expect.any(Array) };
const FITTED = { status: 'fitted', trainingVisits: 3, degreesOfFreedom: 1 };

/** The beta-cell model over the sample corpus, whose record of the CLVer trial is synthetic. */
export const BETA_CELL_CASES: Cases = {
  'the guide of the beta-cell model has its rules, its dataset and an example': {
    operation: 'beta-cell',
    data: {
      version: 't1d-beta-cell-1.0.0',
      rules: Array.from({ length: 7 }, () => expect.any(String)),
      dataset: { id: 'clver', state: 'available', synthetic: true },
      example: { body: BETA_CELL_EXAMPLE },
    },
    meta: HONESTY,
  },
  'a run of the built-in dataset needs no argument and says that the sample is synthetic': {
    operation: 'beta-cell-run',
    status: 200,
    data: {
      dataset: { id: 'clver', synthetic: true, registration: 'NCT04233034' },
      fit: { control: FITTED, comparator: FITTED },
      planner: { basis: 'control' },
    },
    meta: { ...HONESTY, provenance: { corpus: 'sample' } },
  },
};
