import type { PageCase } from './case.ts';
import { BETA_CELL_CASES } from './cases/beta-cell.ts';
import { BOARD_CASES } from './cases/board.ts';
import { COUNCIL_CASES } from './cases/council.ts';
import { HOME_CASES } from './cases/home.ts';
import { PATIENT_MODEL_CASES } from './cases/patient-model.ts';
import { RESULTS_GAP_CASES } from './cases/results-gap.ts';
import { SEARCH_CASES } from './cases/search.ts';
import { SIGNAL_CASES } from './cases/signals.ts';
import { SNAPSHOT_CASES } from './cases/snapshots.ts';
import { SURFACE_CASES } from './cases/surfaces.ts';
import { TRIAL_CASES } from './cases/trials.ts';
import { VERIFY_CASES } from './cases/verify.ts';

/** Every page that Chromium opens. A test compares their paths with the contract's pages. */
export const PAGE_CASES: readonly PageCase[] = [
  ...HOME_CASES,
  ...SIGNAL_CASES,
  ...SEARCH_CASES,
  ...TRIAL_CASES,
  ...BOARD_CASES,
  ...RESULTS_GAP_CASES,
  ...COUNCIL_CASES,
  ...SURFACE_CASES,
  ...BETA_CELL_CASES,
  ...PATIENT_MODEL_CASES,
  ...SNAPSHOT_CASES,
  ...VERIFY_CASES,
];
