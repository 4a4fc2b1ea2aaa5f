import type { Logger } from 'pino';
import type { CurrentReferences } from '../../contract/schemas/research/patient-model.ts';
import type { ResearchItem } from '../../contract/schemas/trials/signals.ts';
import { betaCellHandlers } from './beta-cell.ts';
import { experimentHandlers, ModelRunPool } from './experiment.ts';
import { loadReferences, patientModelHandlers } from './patient-model.ts';

/** The research models in the index server; the rest of the server uses them through this module only. */

export interface Twin {
  /** Workers for model runs, which take too long for the thread that answers requests. */
  runs: ModelRunPool;
  /** References of the patient model. */
  references: CurrentReferences;
}

export const twinHandlers = { ...betaCellHandlers, ...experimentHandlers, ...patientModelHandlers };

export function openTwin(log: Logger, research: readonly ResearchItem[]): Twin {
  return { runs: new ModelRunPool({ log }), references: loadReferences(research) };
}
