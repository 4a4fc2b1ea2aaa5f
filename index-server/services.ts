import type { Logger } from 'pino';
import type { Literature } from '../literature/client.ts';
import type { Modalities } from './modality/modalities.ts';
import type { ReviewedFile } from './reviewed-data.ts';
import type { CuratedSignals } from './signals/curated.ts';
import type { SnapshotHolder } from './snapshot/snapshot-holder.ts';
import type { RegistrySources } from './sources.ts';
import type { ParquetStore } from './store/parquet-store.ts';

/** What the handlers of the index may use. */
export interface IndexServices {
  holder: SnapshotHolder;
  sources: RegistrySources;
  store: ParquetStore;
  /** Null where no literature is asked. */
  literature: Literature | null;
  curated: CuratedSignals & { diseases: string[] };
  log: Logger;
  modalities: Modalities;
  /** What people review, for its age. */
  reviewed: readonly ReviewedFile[];
}
