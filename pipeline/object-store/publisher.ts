import type { SnapshotStoreConfig } from '../../server-kit/config/config.ts';
import { readGeneration } from '../../snapshot/format/versions/replica-status.ts';
import type { Effects } from '../effects.ts';
import { StoreFault } from './layout.ts';
import type { Pushed } from './push.ts';
import type { OpenStore } from './store-pointer.ts';

/** What a command that publishes may do with the store that machines share. */
export interface Publisher {
  /** Sends the served version and makes the store name it; null where snapshots stay in their directory. */
  push: (() => Promise<Pushed>) | null;
}

/**
 * Runs work that publishes. Where the settings name a store, everything that could keep the publication from counting there is looked at
 * first: that it answers, that only one of two publishers can win, and that this directory has what counts. The caller holds the locks.
 */
export async function asPublisher<T>(
  { snapshotStore, snapshotsDir }: { snapshotStore: SnapshotStoreConfig | null; snapshotsDir: string },
  effects: Effects,
  work: (publisher: Publisher) => Promise<T>,
): Promise<T> {
  if (snapshotStore === null) return work({ push: null });
  const { openStore } = await import('./store-pointer.ts');
  const store = openStore(snapshotStore, effects);
  await store.pointers.assertWritable();
  await assertUpToDate(store, snapshotsDir);
  const { push } = await import('./push.ts');
  return work({ push: () => push({ ...store, snapshotsDir }, effects) });
}

/** A publication rests on the served version, so that one on an older state would never count. */
async function assertUpToDate({ client, pointers }: OpenStore, snapshotsDir: string): Promise<void> {
  const pointer = await pointers.read();
  const here = (await readGeneration(snapshotsDir))?.generation ?? 0;
  if (pointer === null || pointer.generation <= here) return;
  throw new StoreFault(
    `${client.name} names ${pointer.version} as generation ${pointer.generation}, and this machine has ${here === 0 ? 'none of its generations' : `generation ${here}`}: \`pipeline store pull\` first, so that the publication rests on what counts`,
  );
}
