import type { SnapshotHolder } from './snapshot/snapshot-holder.ts';
import type { RegistrySources } from './sources.ts';
import type { ParquetStore } from './store/parquet-store.ts';

/** What the handlers of the index may use. */
export interface IndexServices {
  holder: SnapshotHolder;
  sources: RegistrySources;
  store: ParquetStore;
}
