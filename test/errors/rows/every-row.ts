import type { ErrorTable } from '../table.ts';
import { BOARD_ERRORS } from './board.ts';
import { RESEARCH_ERRORS } from './research.ts';
import { SERVICE_ERRORS } from './service.ts';
import { SNAPSHOTS_ERRORS } from './snapshots.ts';
import { TRIALS_ERRORS } from './trials.ts';
import { WORK_ERRORS } from './work.ts';

/** The whole table. Rows run in this order, and those of one operation in the order in which it declares its codes. */
export const ERROR_TABLE: ErrorTable = {
  ...SERVICE_ERRORS,
  ...TRIALS_ERRORS,
  ...SNAPSHOTS_ERRORS,
  ...BOARD_ERRORS,
  ...WORK_ERRORS,
  ...RESEARCH_ERRORS,
};
