import type { Logger } from 'pino';
import type { ResearchItem } from '../../contract/schemas/trials/signals.ts';
import type { KeyedReads } from '../store/keyed-store.ts';
import { betaCellHandlers } from './beta-cell.ts';
import { ClverSource } from './clver.ts';
import { experimentHandlers } from './experiment.ts';
import { patientModelHandlers } from './patient-model.ts';
import { loadReferences } from './patient-references.ts';
import { ModelRunPool } from './run-pool.ts';
import type { Twin } from './twin-services.ts';

/** The research models in the index server; the rest of the server uses them through this module only. */

export const twinHandlers = { ...betaCellHandlers, ...experimentHandlers, ...patientModelHandlers };

export function openTwin(options: {
  log: Logger;
  store: Pick<KeyedReads, 'rawPayloads'>;
  research: readonly ResearchItem[];
}): Twin & AsyncDisposable {
  const runs = new ModelRunPool({ log: options.log });
  return {
    clver: new ClverSource(options.store),
    runs,
    references: loadReferences(options.research),
    [Symbol.asyncDispose]: () => runs[Symbol.asyncDispose](),
  };
}
