import type { SnapshotStoreConfig } from '../../server-kit/config/config.ts';
import type { Effects } from '../effects.ts';
import { ObjectPointers } from './object-pointers.ts';
import type { Pointers } from './pointers.ts';
import { S3Client } from './s3-client.ts';

/** A store of snapshots and the place of its pointer. */
export interface OpenStore extends AsyncDisposable {
  client: S3Client;
  pointers: Pointers;
}

/** What of the settings names a store and the place of its pointer. */
export interface StoreSettings {
  snapshotStore: SnapshotStoreConfig | null;
  /** `sqlite:<file>`, or a postgres:// address. */
  boardStore?: string;
}

/** Opens the store of the settings. Imported only where they name one, since a service without a store needs none of it. */
export async function openStore(
  store: SnapshotStoreConfig,
  { boardStore = '' }: StoreSettings,
  { now, notice }: Effects,
): Promise<OpenStore> {
  const client = new S3Client(store, { ...(notice && { notice }) });
  const pointers = await pointersOf(client, boardStore, now);
  return { client, pointers, [Symbol.asyncDispose]: () => pointers[Symbol.asyncDispose]() };
}

/** In the board's database where boards share one, since it decides between publishers in any store; else in the store itself. */
async function pointersOf(client: S3Client, boardStore: string, now: () => Date): Promise<Pointers> {
  const inStore = new ObjectPointers(client, now);
  if (!/^postgres(?:ql)?:/.test(boardStore)) return inStore;
  const { PostgresPointers } = await import('./postgres-pointers.ts');
  return new PostgresPointers(boardStore, client.name, inStore);
}
