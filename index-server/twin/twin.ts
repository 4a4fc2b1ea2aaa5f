import type { Logger } from 'pino';
import type { CurrentReferences } from '../../contract/schemas/research/patient-model.ts';
import type { ResearchItem } from '../../contract/schemas/trials/signals.ts';
import type { SnapshotHolder } from '../snapshot/snapshot-holder.ts';
import type { KeyedReads } from '../store/keyed-store.ts';
import { betaCellHandlers } from './beta-cell.ts';
import { ClverSource } from './clver.ts';
import { experimentHandlers, ModelRunPool } from './experiment.ts';
import { loadReferences, patientModelHandlers } from './patient-model.ts';

/** The research models in the index server; the rest of the server uses them through this module only. */

export interface Twin {
  /** The built-in dataset of the beta-cell model. */
  clver: ClverSource;
  /** Workers for model runs, which take too long for the thread that answers requests. */
  runs: ModelRunPool;
  /** References of the patient model. */
  references: CurrentReferences;
}

/** Used by the handlers of the models. */
export interface TwinServices {
  holder: Pick<SnapshotHolder, 'acquire'>;
  log: Logger;
  twin: Twin;
}

export const twinHandlers = { ...betaCellHandlers, ...experimentHandlers, ...patientModelHandlers };

export function openTwin(log: Logger, store: KeyedReads, research: readonly ResearchItem[]): Twin {
  return {
    clver: new ClverSource(store),
    runs: new ModelRunPool({ log }),
    references: loadReferences(research),
  };
}
