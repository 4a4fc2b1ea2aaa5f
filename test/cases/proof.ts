import { expect } from 'vitest';
import { type Case, one } from './case.ts';

const HASH = expect.stringMatching(/^[0-9a-f]{64}$/);
/** A row of a trial that both registries hold, and of each registration. */
const rowWith = (text: string) => ({ row: expect.stringContaining(text) });

/** Proofs of trials of the sample corpus; test/proof checks them. */
export const PROOF_CASES: readonly Case[] = [
  one(
    'a trial is proven by the number of a registration, with all of its registrations and links',
    'trials-proof',
    { id: 'NCT90000183' },
    {
      data: {
        format: 'trial-board-proof/1',
        statement: expect.stringMatching(/^\{"asOf":"2026-10-01",/),
        tables: {
          trials: { size: 766, root: HASH, rows: [rowWith('"canonical_id":"wt_r1r6vb1x9ja8"')] },
          registrations: { rows: [rowWith('"id":"NCT90000183"'), rowWith('"id":"ISRCTN90531804"')] },
        },
        log: { index: 0, size: 1, path: [], keys: [] },
      },
    },
  ),
  one(
    'a proof says on request that the log goes on from an earlier checkpoint',
    'trials-proof',
    { id: 'wt_r1r6vb1x9ja8', since: 1 },
    { data: { consistency: { from: 1, to: 1, path: [] } } },
  ),
  one(
    'a checkpoint that was never made is NOT_FOUND',
    'trials-proof',
    { id: 'wt_r1r6vb1x9ja8', since: 7 },
    { status: 404, code: 'NOT_FOUND' },
  ),
  one(
    'a first snapshot followed no other, so that there are no changes to prove',
    'trials-proof',
    { id: 'wt_r1r6vb1x9ja8', includeChanges: true },
    { status: 404, code: 'NOT_FOUND' },
  ),
  one(
    'a trial that is not held has no proof',
    'trials-proof',
    { id: 'wt_000000000000' },
    { status: 404, code: 'TRIAL_NOT_FOUND' },
  ),
];
