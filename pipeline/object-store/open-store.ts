import type { SnapshotStoreConfig } from '../../server-kit/config/config.ts';
import type { Effects } from '../effects.ts';
import { S3Client } from './s3-client.ts';
import { StorePointer } from './store-pointer.ts';

/** A store of snapshots and its pointer. */
export interface OpenStore {
  client: S3Client;
  pointers: StorePointer;
}

/** Imported only where the settings name a store, since a service without one needs none of it. */
export function openStore(store: SnapshotStoreConfig, { now, notice }: Effects): OpenStore {
  const client = new S3Client(store, { ...(notice && { notice }) });
  return { client, pointers: new StorePointer(client, now) };
}
