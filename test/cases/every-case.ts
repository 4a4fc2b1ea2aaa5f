import { BETA_CELL_CASES } from './beta-cell.ts';
import type { Case, Cases } from './case.ts';
import { CLAIM_CASES } from './claims.ts';
import { COORDINATION_CASES } from './coordination.ts';
import { COUNCIL_CASES } from './council.ts';
import { CURE_LAB_CASES } from './cure-lab.ts';
import { FACET_CASES } from './facets.ts';
import { FINDING_CASES } from './findings.ts';
import { HISTORY_CASES } from './history.ts';
import { LADDER_CASES } from './ladders.ts';
import { ORIENTATION_CASES } from './orientation.ts';
import { PATIENT_MODEL_CASES } from './patient-model.ts';
import { PIPELINE_CASES } from './pipeline.ts';
import { PROOF_CASES } from './proof.ts';
import { REALITY_CASES } from './reality.ts';
import { RECEIPT_CASES } from './receipts.ts';
import { RESULTS_GAP_CASES } from './results-gap.ts';
import { SIGNAL_CASES } from './signals.ts';
import { SNAPSHOT_CASES } from './snapshots.ts';
import { TREND_CASES } from './trend.ts';
import { TRIAL_PART_CASES } from './trial-parts.ts';
import { TRIAL_CASES } from './trials.ts';
import { TWIN_EXPERIMENT_CASES } from './twin-experiment.ts';

/** In the order in which an interface runs them, all on one board. */
const ALL: readonly Cases[] = [
  ORIENTATION_CASES,
  TRIAL_CASES,
  TREND_CASES,
  FACET_CASES,
  HISTORY_CASES,
  TRIAL_PART_CASES,
  PROOF_CASES,
  SNAPSHOT_CASES,
  PIPELINE_CASES,
  SIGNAL_CASES,
  FINDING_CASES,
  RECEIPT_CASES,
  CLAIM_CASES,
  COORDINATION_CASES,
  RESULTS_GAP_CASES,
  LADDER_CASES,
  PATIENT_MODEL_CASES,
  CURE_LAB_CASES,
  REALITY_CASES,
  BETA_CELL_CASES,
  TWIN_EXPERIMENT_CASES,
  COUNCIL_CASES,
];

export const CASES: readonly Case[] = ALL.flatMap((cases) =>
  Object.entries(cases).map(([title, steps]) => ({ title, steps: [steps].flat() as Case['steps'] })),
);
