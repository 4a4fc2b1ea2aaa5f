import { isOfImage } from '../../snapshot/format/serving.ts';
import { CurrentFault, readCurrent, readManifest, snapshotPath } from '../../snapshot/format/versions/current.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { readHold } from '../../snapshot/format/versions/state.ts';
import type { PublicKey } from '../../snapshot/proof/verify.mjs';
import type { Effects } from '../effects.ts';
import { setCurrent } from '../publish/commit.ts';
import { type Verification, verify } from '../publish/verify/verify.ts';
import { withSpace } from '../space.ts';
import { assertSound, bring } from './bring.ts';
import { Downloader, type DownloadOptions } from './downloader.ts';
import { type Gathered, removeUnfinished } from './gather.ts';
import { HttpSource } from './http-source.ts';

export interface PullOptions extends Pick<DownloadOptions, 'attempts' | 'waitAfter'> {
  /** Address of the service, without a trailing slash. */
  url: string;
  /** Address of mail that the service may write to. */
  contact?: string;
  /** `current`, or the name of one. */
  version: string;
  /** Directory of snapshots that it is put into; made where it is not there. */
  into: string;
  /** Leaves out the image that a server maps. */
  tablesOnly: boolean;
  /** Keys, one of which must have signed the log; null insists on none. */
  trusted: readonly PublicKey[] | null;
}

export interface Pulled {
  version: string;
  identity: string;
  /** Bytes of the files that make the version, as far as it was wanted. */
  bytes: number;
  /** Bytes of them that were sent this time. */
  fetchedBytes: number;
  verification: Verification;
  /** Why the pulled version is not the one that CURRENT names; null where it is. */
  notServed: string | null;
}

/**
 * Downloads a version from a running service, checks all of it, and puts it in place in one step. The service is not trusted: its manifest
 * says what may be written and how much, and every hash, root, identity and checkpoint is recomputed before anything is in place. What was
 * downloaded stays after a kill or a fault, so that the next pull goes on. The caller holds the lock of `into`. Throws PullFault, or
 * NoSpace where the disk is full.
 */
export async function pull(options: PullOptions, effects: Effects): Promise<Pulled> {
  try {
    return await pulled(options, effects);
  } catch (error) {
    throw await withSpace(error, [options.into]);
  }
}

async function pulled(options: PullOptions, effects: Effects): Promise<Pulled> {
  const { into, tablesOnly, trusted, version, url, contact, ...tries } = options;
  const stop = new AbortController();
  const { notice, now } = effects;
  const source = new HttpSource({ url, now, contact, signal: stop.signal });
  const files = new Downloader(source, { ...tries, notice }, stop);
  const isWanted = (path: string): boolean => !tablesOnly || !isOfImage(path);
  let verification: Verification;
  const check = async ({ staging, manifest }: Gathered): Promise<void> => {
    const image = tablesOnly ? 'left-out' : 'summed';
    verification = await verify(staging, manifest.version, effects, { trusted, image });
    assertSound(manifest.version, into, verification.problems);
  };
  const { manifest, wanted, fetchedBytes } = await bring(files, { version, into, isWanted, trusted }, effects, check);
  const notServed = await serveIfNewer(into, manifest, tablesOnly, effects);
  await removeUnfinished(into);
  const bytes = wanted.reduce((sum, file) => sum + file.bytes, 0);
  const { identity } = manifest;
  return { version: manifest.version, identity, bytes, fetchedBytes, verification: verification!, notServed };
}

/** Points CURRENT to the pulled version where it is newer than what is served. Returns why it does not; null where it is served. */
async function serveIfNewer(
  into: string,
  manifest: Manifest,
  tablesOnly: boolean,
  effects: Effects,
): Promise<string | null> {
  const { version } = manifest;
  const current = await readCurrent(into).catch((error: unknown) => {
    if (error instanceof CurrentFault) return error;
    throw error;
  });
  if (current === version) return null;
  if (tablesOnly) return 'it was pulled without the image that a server maps';
  if (current instanceof CurrentFault) return current.message;
  if (current !== null) {
    if (current > version) return `${current}, which is served, is newer`;
    if ((await readHold(into, current)) !== null) return `${current} is held`;
    const { corpus } = await readManifest(snapshotPath(into, current));
    if (corpus !== manifest.corpus) return `${current}, which is served, has the corpus ${corpus}`;
  }
  await setCurrent(into, version, effects);
  return null;
}
