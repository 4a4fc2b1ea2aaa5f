import type { Logger } from 'pino';
import type { CurrentReferences } from '../contract/schemas/patient-model.ts';
import type { Literature } from '../literature/client.ts';
import type { Comparisons } from './comparisons.ts';
import type { ExplorationWords } from './exploration/words.ts';
import type { Modalities } from './modality/modalities.ts';
import type { ModelRunPool } from './model-runs/pool.ts';
import type { ReviewedFile } from './reviewed-data.ts';
import type { CuratedSignals } from './signals/curated.ts';
import type { SnapshotCatalogue } from './snapshot/snapshot-catalogue.ts';
import type { SnapshotHolder } from './snapshot/snapshot-holder.ts';
import type { RegistrySources } from './sources.ts';
import type { KeyedReads } from './store/late-store.ts';
import type { ClverSource } from './twin/clver.ts';

/** What the handlers of the index may use. */
export interface IndexServices {
  holder: SnapshotHolder;
  /** Every version that is held, not only the one that is served. */
  catalogue: SnapshotCatalogue;
  comparisons: Comparisons;
  sources: RegistrySources;
  store: KeyedReads;
  /** Null where no literature is asked. */
  literature: Literature | null;
  curated: CuratedSignals & { diseases: string[] };
  log: Logger;
  modalities: Modalities;
  /** The built-in dataset of the beta-cell model. */
  clver: ClverSource;
  /** Threads for runs that take longer than a read may. */
  modelRuns: ModelRunPool;
  /** What people review, for its age. */
  reviewed: readonly ReviewedFile[];
  explorationWords: ExplorationWords;
  /** Of the patient model. */
  references: CurrentReferences;
}
