import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  quickDamage,
  readCurrent,
  readManifest,
  SnapshotFault,
  snapshotPath,
  versionsIn,
} from '../../snapshot/format/versions/current.ts';
import { LAST_CHECK_FILE } from '../../snapshot/format/versions/last-check.ts';
import { MANIFEST_FILE, type Manifest } from '../../snapshot/format/versions/manifest.ts';
import { CHECKPOINTS_DIR, LOG_DIR, manifestFault, readLog } from '../../snapshot/format/versions/publication-log.ts';
import { removedPath } from '../../snapshot/format/versions/removed.ts';
import {
  GENERATION_FILE,
  type Generation,
  REPLICA_STATUS_FILE,
  type ReplicaStatus,
  readGeneration,
} from '../../snapshot/format/versions/replica-status.ts';
import type { VerifierKey } from '../../snapshot/proof/note.ts';
import type { Effects } from '../effects.ts';
import { withPipelineLock } from '../lock.ts';
import { checkLog } from '../publish/checks/check-log.ts';
import { setCurrent } from '../publish/commit.ts';
import { replaceFile, sumFile, sync } from '../publish/durable.ts';
import { discardVersion, removeVersion } from '../publish/retention/gc.ts';
import { readPins } from '../publish/retention/pins.ts';
import { Downloader, type DownloadOptions, PullFault } from '../pull/downloader.ts';
import { type Download, type Gathered, gather } from '../pull/gather.ts';
import { readListing } from '../pull/listing.ts';
import { place } from '../pull/place.ts';
import { placeLog, stageLog } from '../pull/pull-log.ts';
import { stagingPath, unfinishedPulls } from '../pull/staging.ts';
import {
  type HeldVersion,
  isLastCheck,
  isOfRemoved,
  type Pointer,
  type Release,
  StoreFault,
  wantedBy,
} from './layout.ts';
import type { S3Client } from './s3-client.ts';
import type { StorePointer } from './store-pointer.ts';
import { readRelease, StoreSource, summedObject } from './store-source.ts';

export interface ReplicaOptions extends Pick<DownloadOptions, 'waitAfter'> {
  client: S3Client;
  pointers: StorePointer;
  snapshotsDir: string;
  /** Keys, one of which must have signed the log; null insists on none. */
  trusted: readonly VerifierKey[] | null;
}

/** The change that one look at the store made. */
export interface Step {
  generation: number;
  /** The version that counts from now on; null where it is the one before. */
  swapped: string | null;
  pointer: Pointer | null;
  /** Older versions that are still to be brought. */
  missing: number;
  /** Older versions that are not brought, since no trusted key vouches for them. */
  refused: number;
}

/**
 * Brings a directory of snapshots to the release that the store's pointer names, one generation after the other and never back. Everything
 * is downloaded into a staging folder, checked against its SHA-256 and made durable; then the log, the version, CURRENT and the generation
 * are replaced in this order, each in one step. After a kill or a fault at any point CURRENT names the old version or the new one, whole,
 * and the next step goes on.
 */
export class Replica {
  readonly #options: ReplicaOptions;
  readonly #effects: Effects;
  /** The release that counts here, by its SHA-256. */
  #release: { sum: string; release: Release } | null = null;
  /** Older versions of that release for which no trusted key vouches. */
  readonly #refused = new Set<string>();

  constructor(options: ReplicaOptions, effects: Effects) {
    this.#options = options;
    this.#effects = effects;
  }

  /** Looks once, and brings what is missing. Throws with what was served before still served. */
  async step(): Promise<Step> {
    const { pointers, snapshotsDir } = this.#options;
    const pointer = await pointers.read();
    let local = await readGeneration(snapshotsDir);
    this.#refuseOlder(pointer, local);
    let swapped: string | null = null;
    if (pointer !== null && pointer.generation > (local?.generation ?? 0)) {
      const versions = local?.versions ?? [];
      await this.#locked(() => this.#follow(pointer, versions));
      local = await readGeneration(snapshotsDir);
      swapped = pointer.version;
    }
    const missing = local === null ? 0 : await this.#bringOlder(local);
    return { generation: local?.generation ?? 0, swapped, pointer, missing, refused: this.#refused.size };
  }

  #locked<T>(work: () => Promise<T>): Promise<T> {
    return withPipelineLock({ snapshotsDir: this.#options.snapshotsDir }, work, this.#effects);
  }

  /** A pointer that was restored from a copy, or that another store holds, must not bring an older state back. */
  #refuseOlder(pointer: Pointer | null, local: Generation | null): void {
    if (local === null) return;
    const { place } = this.#options.pointers;
    const own = `this machine has generation ${local.generation} (${local.version})`;
    const remedy = `If that is wanted, remove ${GENERATION_FILE} from its SNAPSHOTS_DIR`;
    if (pointer === null || pointer.generation < local.generation) {
      const named = pointer === null ? 'no generation' : `generation ${pointer.generation} (${pointer.version})`;
      throw new StoreFault(`${place} names ${named}, and ${own}: it is not followed back. ${remedy}`);
    }
    if (pointer.generation === local.generation && pointer.release !== local.release)
      throw new StoreFault(
        `${place} names ${pointer.version} as generation ${pointer.generation}, and ${own}: two histories. ${remedy}`,
      );
  }

  /** `named` are the versions that the store named before. */
  async #follow(pointer: Pointer, named: readonly string[]): Promise<void> {
    const { snapshotsDir, client } = this.#options;
    const { generation, version, release: sum } = pointer;
    const release = await readRelease(client, sum, this.#downloading());
    if (release.served.version !== version)
      throw new PullFault(`the store names ${version}, but its release is of ${release.served.version}`);
    // First, so that its room is there for what comes.
    await removeUnwanted(snapshotsDir, { named, release, served: await currentOf(snapshotsDir) }, this.#effects);
    const download = this.#download(release);
    const isHere = await isInPlace(snapshotsDir, release.served);
    const gathered = isHere ? null : await this.#gather(download, release.served);
    const manifest = gathered?.listing.manifest ?? (await readManifest(snapshotPath(snapshotsDir, version)));
    await this.#placeLog(download.files, release, manifest);
    if (gathered !== null) await place(gathered, snapshotsDir, version, this.#effects);
    await this.#placeLastCheck(download.files, release);
    if ((await currentOf(snapshotsDir)) !== version) await setCurrent(snapshotsDir, version, this.#effects);
    const here = new Set(await versionsIn(snapshotsDir));
    const versions = [...new Set([...wantedBy(release), ...named.filter((one) => here.has(one))])];
    const kept = { store: client.name, generation, version, release: sum, versions };
    await keepGeneration(snapshotsDir, kept, this.#effects);
    await removeUnwanted(snapshotsDir, { named, release, served: version }, this.#effects);
    for (const name of await unfinishedPulls(snapshotsDir)) await rm(join(snapshotsDir, name), { recursive: true });
  }

  /** Brings one of the older versions that the publisher holds, newest first. Returns how many are still missing. */
  async #bringOlder({ release: sum }: Generation): Promise<number> {
    const { snapshotsDir, client } = this.#options;
    if (this.#release?.sum !== sum) {
      const release = await readRelease(client, sum, this.#downloading());
      const { files } = this.#download(release);
      await this.#locked(() => bringRemoved(files, snapshotsDir, release, this.#effects));
      this.#release = { sum, release };
      this.#refused.clear();
    }
    const { release } = this.#release;
    const here = new Set(await versionsIn(snapshotsDir));
    const [first, ...others] = release.held.filter(({ version }) => !here.has(version) && !this.#refused.has(version));
    if (first === undefined) return 0;
    const download = this.#download(release);
    // Before gigabytes are asked for.
    const { manifest } = await readListing(download.files, first.version, first.manifest);
    const fault = await this.#distrust(manifest, snapshotsDir);
    if (fault !== null) {
      this.#refused.add(first.version);
      this.#effects.notice?.(`${first.version} of the store is not brought: no trusted key vouches for it: ${fault}`);
      return others.length;
    }
    await this.#locked(async () => {
      const gathered = await this.#gather(download, first);
      await place(gathered, snapshotsDir, first.version, this.#effects);
    });
    return others.length;
  }

  /** Why the log of a directory does not vouch for a version under a trusted key; null where it does, or where no key is insisted on. */
  async #distrust(manifest: Manifest, logIn: string): Promise<string | null> {
    const { trusted } = this.#options;
    return trusted === null ? null : manifestFault(await readLog(logIn), manifest, trusted);
  }

  #downloading(): DownloadOptions {
    const { waitAfter } = this.#options;
    const { notice } = this.#effects;
    return { ...(notice && { notice }), ...(waitAfter && { waitAfter }) };
  }

  #download(release: Release): Download {
    const stop = new AbortController();
    const { signal } = stop;
    const source = new StoreSource(this.#options.client, signal, release);
    return { files: new Downloader(source, { ...this.#downloading(), signal }), stop };
  }

  #gather(download: Download, { version, manifest }: HeldVersion): Promise<Gathered> {
    const wanted = { version, manifest, into: this.#options.snapshotsDir, tablesOnly: false };
    return gather(download, wanted, this.#effects);
  }

  /** Checks the log of the release against what was kept of it here, and its signatures, before it takes its place. */
  async #placeLog(files: Downloader, release: Release, manifest: Manifest): Promise<void> {
    const { snapshotsDir, trusted } = this.#options;
    const { version } = release.served;
    const staging = stagingPath(snapshotsDir, version);
    const start = `${LOG_DIR}/${CHECKPOINTS_DIR}/`;
    const checkpoints = release.files.filter(({ path }) => path.startsWith(start));
    const sizes = checkpoints.map(({ path }) => Number(path.slice(start.length)));
    const isTheirs = await stageLog(files, snapshotsDir, staging, sizes);
    const { problems } = await checkLog(staging, trusted);
    const [first] = problems;
    if (first !== undefined)
      throw new PullFault(`the log of the store is not taken over: ${first.file} ${first.message}`);
    const fault = await this.#distrust(manifest, staging);
    if (fault !== null)
      throw new PullFault(`${version} of the store is not taken over: no trusted key vouches for it: ${fault}`);
    if (isTheirs) await placeLog(staging, snapshotsDir, this.#effects);
    await rm(join(staging, LOG_DIR), { recursive: true, force: true });
  }

  async #placeLastCheck(files: Downloader, release: Release): Promise<void> {
    const { snapshotsDir } = this.#options;
    const check = release.files.find(({ path }) => isLastCheck(path));
    if (check === undefined) return;
    const text = (await summedObject(files, check.sha256)).toString('utf8');
    const temporary = join(snapshotsDir, `.tmp-${process.pid}-${LAST_CHECK_FILE}`);
    await replaceFile(join(snapshotsDir, LAST_CHECK_FILE), temporary, text, this.#effects, 'last-check');
  }
}

/** Whether the version lies in its place with the manifest that is named and every length right; a server hashes it before it serves it. */
async function isInPlace(snapshotsDir: string, { version, manifest }: HeldVersion): Promise<boolean> {
  const dir = snapshotPath(snapshotsDir, version);
  try {
    if ((await quickDamage(dir)) !== null) return false;
    return (await sumFile(dir, MANIFEST_FILE)).sha256 === manifest;
  } catch (error) {
    if (error instanceof SnapshotFault) return false;
    throw error;
  }
}

async function currentOf(snapshotsDir: string): Promise<string | null> {
  return readCurrent(snapshotsDir).catch((error: unknown) => {
    if (error instanceof SnapshotFault) return null;
    throw error;
  });
}

/**
 * Brings what is kept of versions that the publisher removed, so that the chain of changes is whole here too. Each comes into its place in
 * one step. The caller holds the pipeline lock.
 */
async function bringRemoved(
  downloader: Downloader,
  snapshotsDir: string,
  release: Release,
  effects: Effects,
): Promise<void> {
  const kept = release.files.filter(({ path }) => isOfRemoved(path));
  for (const version of new Set(kept.map(({ path }) => path.split('/')[1]!))) {
    const target = removedPath(snapshotsDir, version);
    if (existsSync(join(target, MANIFEST_FILE))) continue;
    const dir = join(snapshotsDir, `.tmp-${process.pid}-removed`);
    await rm(dir, { recursive: true, force: true });
    await mkdir(dir);
    for (const { path, sha256 } of kept.filter((file) => file.path.split('/')[1] === version)) {
      await writeFile(join(dir, basename(path)), await summedObject(downloader, sha256));
      await sync(join(dir, basename(path)));
    }
    await sync(dir);
    await rm(target, { recursive: true, force: true });
    await mkdir(join(target, '..'), { recursive: true });
    await rename(dir, target);
    await sync(join(target, '..'));
    effects.checkpoint(`removed:${version}`);
  }
}

/**
 * Removes versions that the store named before and names no more; never one that it did not bring, a pinned one or the served one. The
 * caller holds the pipeline lock.
 */
async function removeUnwanted(
  snapshotsDir: string,
  { named, release, served }: { named: readonly string[]; release: Release; served: string | null },
  effects: Effects,
): Promise<void> {
  const kept = new Set([...wantedBy(release), ...(await readPins(snapshotsDir)), served]);
  const here = new Set(await versionsIn(snapshotsDir));
  for (const version of named.filter((one) => here.has(one) && !kept.has(one))) {
    const isKept = existsSync(join(removedPath(snapshotsDir, version), MANIFEST_FILE));
    if (isKept) await discardVersion(snapshotsDir, version);
    else await removeVersion(snapshotsDir, version, effects);
    effects.checkpoint(`discarded:${version}`);
  }
}

/** Notes which generation the directory has, so that it never goes back from it. The caller holds the lock. */
export async function keepGeneration(snapshotsDir: string, generation: Generation, effects: Effects): Promise<void> {
  const temporary = join(snapshotsDir, `.tmp-${process.pid}-${GENERATION_FILE}`);
  const text = `${JSON.stringify(generation)}\n`;
  await replaceFile(join(snapshotsDir, GENERATION_FILE), temporary, text, effects, 'generation');
}

/** Tells servers and operators how the following goes. */
export async function keepStatus(snapshotsDir: string, status: ReplicaStatus): Promise<void> {
  const temporary = join(snapshotsDir, `.tmp-${process.pid}-${REPLICA_STATUS_FILE}`);
  await writeFile(temporary, `${JSON.stringify(status)}\n`);
  await rename(temporary, join(snapshotsDir, REPLICA_STATUS_FILE));
}
