import type { SnapshotStoreConfig } from '../../config/config.ts';
import type { Effects } from '../effects.ts';
import { ObjectPointers } from './object-pointers.ts';
import type { Pointers } from './pointers.ts';
import { S3Client } from './s3-client.ts';

/** A store of snapshots and the place of its pointer. */
export interface OpenStore extends AsyncDisposable {
  client: S3Client;
  pointers: Pointers;
}

/** Opens the store of the settings. Imported only where they name one, since a service without a store needs none of it. */
export async function openStore(config: SnapshotStoreConfig, { now, notice }: Effects): Promise<OpenStore> {
  const client = new S3Client(config, { ...(notice && { notice }) });
  const pointers = new ObjectPointers(client, now);
  return { client, pointers, [Symbol.asyncDispose]: () => pointers[Symbol.asyncDispose]() };
}
