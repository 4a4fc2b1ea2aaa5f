import { SnapshotFault } from '../../snapshot/format/versions/current.ts';
import type { Effects } from '../effects.ts';
import { OBJECTS, PROBE, REPLICAS } from './layout.ts';
import type { OpenStore } from './open-store.ts';
import { referencesOf, YOUNG_MS } from './references.ts';
import { StoreReader } from './store-source.ts';

export interface StoreGcReport {
  /** Objects that no release names any more, and their bytes. */
  removed: number;
  bytes: number;
  /** Uploads in parts that ended nowhere, and reports of replicas that are gone. */
  leftovers: number;
  kept: number;
}

/**
 * Removes from a store what neither the release that counts nor the announced one needs, once it is a day old. Safe beside a publisher: what
 * a push finds in the store and does not send again is needed by the release before, or younger.
 */
export async function storeGc(
  { client, pointers }: Pick<OpenStore, 'client' | 'pointers'>,
  { dryRun }: { dryRun: boolean },
  { now, checkpoint }: Effects,
): Promise<StoreGcReport> {
  // Listed before the pointer is read, so that what is listed and needed is needed by what the pointer names.
  const { now: listedAt, objects } = await client.list('');
  const { pointer, candidate } = await pointers.state();
  if (pointer === null)
    throw new SnapshotFault(
      'missing',
      `nothing was removed: ${client.name} names no version, so nothing says what to keep`,
    );
  const reader = new StoreReader(client.reader({ now }));
  const needed = new Set<string>();
  for (const sum of [pointer.release, ...(candidate === null ? [] : [candidate.release])])
    for (const one of await referencesOf(reader, sum, await reader.release(sum))) needed.add(one);
  const old = objects.filter(({ changedAt }) => listedAt.getTime() - changedAt.getTime() > YOUNG_MS);
  const unneeded = old.filter(({ key }) => key.startsWith(OBJECTS) && !needed.has(key.slice(OBJECTS.length)));
  const silent = old.filter(({ key }) => key.startsWith(REPLICAS) || key.startsWith(PROBE));
  const uploads = (await client.uploads(OBJECTS)).filter(
    ({ begunAt }) => listedAt.getTime() - begunAt.getTime() > YOUNG_MS,
  );
  if (!dryRun) {
    for (const { key } of [...unneeded, ...silent]) {
      await client.remove(key);
      checkpoint(`removed:${key}`);
    }
    for (const { key, id } of uploads) await client.endUpload(key, id);
  }
  const bytes = unneeded.reduce((sum, one) => sum + one.bytes, 0);
  const all = objects.filter(({ key }) => key.startsWith(OBJECTS)).length;
  return { removed: unneeded.length, bytes, leftovers: silent.length + uploads.length, kept: all - unneeded.length };
}
