import type { Logger } from 'pino';
import type { IndexServices } from './services.ts';
import { SnapshotHolder } from './snapshot/snapshot-holder.ts';
import { loadRegistrySources } from './sources.ts';
import { ParquetStore } from './store/parquet-store.ts';

/** Opens what the index reads; it serves 503 until the first snapshot can be opened, and follows CURRENT from then on. */
export async function openIndexServices(snapshotsDir: string, log: Logger): Promise<IndexServices & AsyncDisposable> {
  const holder = new SnapshotHolder({
    snapshotsDir,
    onFault: ({ version, error }) =>
      log.error({ version, err: error }, 'CURRENT cannot be served; the snapshot before it stays'),
    onChange: (version) => log.info({ version }, 'serving snapshot'),
  });
  await holder.start();
  const store = await ParquetStore.open();
  return {
    holder,
    store,
    sources: loadRegistrySources(),
    async [Symbol.asyncDispose]() {
      await holder.close();
      await store[Symbol.asyncDispose]();
    },
  };
}
