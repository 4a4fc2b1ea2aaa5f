import type { Logger } from 'pino';
import type { CurrentReferences } from '../../contract/schemas/research/patient-model.ts';
import type { SnapshotHolder } from '../snapshot/snapshot-holder.ts';
import type { ClverSource } from './clver.ts';
import type { ModelRunPool } from './run-pool.ts';

export interface Twin {
  /** The built-in dataset of the beta-cell model. */
  clver: ClverSource;
  /** Workers for model runs, which take too long for the thread that answers requests. */
  runs: ModelRunPool;
  /** References of the patient model. */
  references: CurrentReferences;
}

/** What the handlers of the models use. */
export interface TwinServices {
  holder: SnapshotHolder;
  log: Logger;
  twin: Twin;
}
