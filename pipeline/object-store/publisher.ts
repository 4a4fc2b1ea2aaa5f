import type { SnapshotStoreConfig } from '../../server-kit/config/config.ts';
import { readState } from '../../snapshot/format/versions/state.ts';
import type { Effects } from '../effects.ts';
import { StoreFault } from '../pull/downloader.ts';
import type { Pushed } from './push.ts';

/** What a command that publishes may do with the store that machines share. */
export interface Publisher {
  /** Sends the served version and makes the store name it; null where snapshots stay in their directory. */
  push: (() => Promise<Pushed>) | null;
}

/**
 * Runs work that publishes. Where the settings name a store, everything that could keep the publication from counting there is checked
 * first: that it answers, that only one of two publishers can win, and that this directory has what counts. The caller holds the locks.
 */
export async function asPublisher<T>(
  { snapshotStore, snapshotsDir }: { snapshotStore: SnapshotStoreConfig | null; snapshotsDir: string },
  effects: Effects,
  work: (publisher: Publisher) => Promise<T>,
): Promise<T> {
  if (snapshotStore === null) return work({ push: null });
  const [{ Store }, { push }] = await Promise.all([import('./store.ts'), import('./push.ts')]);
  const store = Store.of(snapshotStore, effects);
  await store.assertWritable();
  const pointer = await store.pointer();
  const here = (await readState(snapshotsDir)).generation?.generation ?? 0;
  // A publication rests on the served version, so that one on an older state would never count.
  if (pointer !== null && pointer.generation > here)
    throw new StoreFault(
      `${store.name} names ${pointer.version} as generation ${pointer.generation}, and this machine has ${here === 0 ? 'none of its generations' : `generation ${here}`}: \`pipeline store pull\` first, so that the publication rests on what counts`,
    );
  return work({ push: () => push({ store, snapshotsDir }, effects) });
}
