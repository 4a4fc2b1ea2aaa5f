import { expect } from 'vitest';
import type { Cases } from './case.ts';

const HASH = expect.stringMatching(/^[0-9a-f]{64}$/);
/** A row of a trial that both registries hold, and of each registration. */
const rowWith = (text: string) => ({ row: expect.stringContaining(text) });

/** Proofs of trials of the sample corpus; test/proof checks them. */
export const PROOF_CASES: Cases = {
  'a trial is proven by the number of a registration, with all of its registrations and links': {
    operation: 'trials-proof',
    given: { id: 'NCT90000183' },
    data: {
      format: 'trial-board-proof/1',
      statement: expect.stringMatching(/^\{"accepted":\[\],"asOf":"2026-10-01",/),
      tables: {
        trials: { size: 766, root: HASH, rows: [rowWith('"canonical_id":"wt_r1r6vb1x9ja8"')] },
        registrations: { rows: [rowWith('"id":"NCT90000183"'), rowWith('"id":"ISRCTN90531804"')] },
      },
      log: { index: 0, size: 1, path: [], keys: [] },
    },
  },
};
