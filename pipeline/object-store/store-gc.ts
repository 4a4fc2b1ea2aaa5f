import { SnapshotFault } from '../../snapshot/format/versions/current.ts';
import type { Effects } from '../effects.ts';
import { PROBE, SUMMED, summedKey, VERSIONS, wantedBy } from './layout.ts';
import type { OpenStore } from './store-pointer.ts';
import { readRelease } from './store-source.ts';

/** A younger object stays, whether the release needs it or not: its release may be on its way. */
export const YOUNG_MS = 24 * 3_600_000;

export interface StoreGcReport {
  /** Objects that the release does not need, and their bytes. */
  removed: number;
  bytes: number;
  /** Uploads in parts that ended nowhere, and probes. */
  leftovers: number;
  kept: number;
}

/**
 * Removes from a store each object that the release does not need, once it is a day old. Safe beside a publisher: what a push finds in the
 * store and does not send again is needed by the release before, or younger.
 */
export async function storeGc(
  { client, pointers }: Pick<OpenStore, 'client' | 'pointers'>,
  { dryRun }: { dryRun: boolean },
  { checkpoint }: Effects,
): Promise<StoreGcReport> {
  // Listed before the pointer is read, so that what is listed and needed is needed by what the pointer names.
  const objects = await client.list('');
  const pointer = await pointers.read();
  if (pointer === null)
    throw new SnapshotFault(
      'missing',
      `nothing was removed: ${client.name} names no version, so nothing says what to keep`,
    );
  const release = await readRelease(client, pointer.release);
  const summed = new Set([pointer.release, ...release.files.map(({ sha256 }) => sha256)].map(summedKey));
  const folders = wantedBy(release).map((version) => `${VERSIONS}${version}/`);
  const isNeeded = (key: string) => summed.has(key) || folders.some((folder) => key.startsWith(folder));
  const isOld = (at: Date) => Date.now() - at.getTime() > YOUNG_MS;
  const own = objects.filter(({ key }) => key.startsWith(VERSIONS) || key.startsWith(SUMMED));
  const unneeded = own.filter(({ key, changedAt }) => isOld(changedAt) && !isNeeded(key));
  const probes = objects.filter(({ key, changedAt }) => key.startsWith(PROBE) && isOld(changedAt));
  const uploads = (await client.uploads(VERSIONS)).filter(({ begunAt }) => isOld(begunAt));
  if (!dryRun) {
    for (const { key } of [...unneeded, ...probes]) {
      await client.remove(key);
      checkpoint(`removed:${key}`);
    }
    for (const { key, id } of uploads) await client.endUpload(key, id);
  }
  const bytes = unneeded.reduce((sum, one) => sum + one.bytes, 0);
  const kept = own.length - unneeded.length;
  return { removed: unneeded.length, bytes, leftovers: probes.length + uploads.length, kept };
}
