import type { Case } from './case.ts';
import { CLAIM_CASES } from './claims.ts';
import { COORDINATION_CASES } from './coordination.ts';
import { FINDING_CASES } from './findings.ts';
import { ORIENTATION_CASES } from './orientation.ts';
import { RESULTS_GAP_CASES } from './results-gap.ts';
import { SIGNAL_CASES } from './signals.ts';
import { TRIAL_CASES } from './trials.ts';

/** In the order in which a door goes through them, on one board. */
export const CASES: readonly Case[] = [
  ...ORIENTATION_CASES,
  ...TRIAL_CASES,
  ...SIGNAL_CASES,
  ...FINDING_CASES,
  ...CLAIM_CASES,
  ...COORDINATION_CASES,
  ...RESULTS_GAP_CASES,
];
