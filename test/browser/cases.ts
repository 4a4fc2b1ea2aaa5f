import type { PageCase, PageCases } from './case.ts';
import { BETA_CELL_CASES } from './cases/beta-cell.ts';
import { BOARD_CASES } from './cases/board.ts';
import { HOME_CASES } from './cases/home.ts';
import { SEARCH_CASES } from './cases/search.ts';
import { SNAPSHOT_CASES } from './cases/snapshots.ts';
import { SURFACE_CASES } from './cases/surfaces.ts';
import { TRIAL_CASES } from './cases/trials.ts';
import { VERIFY_CASES } from './cases/verify.ts';

const ALL: PageCases = {
  ...HOME_CASES,
  ...SEARCH_CASES,
  ...TRIAL_CASES,
  ...BOARD_CASES,
  ...SURFACE_CASES,
  ...BETA_CELL_CASES,
  ...SNAPSHOT_CASES,
  ...VERIFY_CASES,
};

/** Every page that Chromium opens. A test compares their paths with the contract's pages. */
export const PAGE_CASES: readonly PageCase[] = Object.entries(ALL).map(([name, one]) => ({ name, ...one }));
