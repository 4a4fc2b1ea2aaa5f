import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delayed } from 'node:timers/promises';
import {
  quickDamage,
  readCurrent,
  readManifest,
  SnapshotFault,
  snapshotPath,
  versionsIn,
} from '../../snapshot/format/versions/current.ts';
import { MANIFEST_FILE, type Manifest } from '../../snapshot/format/versions/manifest.ts';
import { CHECKPOINTS_DIR, LOG_DIR, manifestFault, readLog } from '../../snapshot/format/versions/publication-log.ts';
import { REMOVED_DIR, removedPath } from '../../snapshot/format/versions/removed.ts';
import {
  type Generation,
  REPLICA_STATUS_FILE,
  type ReplicaStatus,
  readState,
  STATE_FILE,
} from '../../snapshot/format/versions/state.ts';
import type { PublicKey } from '../../snapshot/proof/verify.mjs';
import type { Effects } from '../effects.ts';
import { PipelineLocked, withPipelineLock } from '../lock.ts';
import { checkLog } from '../publish/checks/check-log.ts';
import { setCurrent, updateState } from '../publish/commit.ts';
import { sumFile, sync } from '../publish/durable.ts';
import { discardVersion, removeVersion } from '../publish/retention/gc.ts';
import { type Downloader, type DownloadOptions, PullFault, StoreFault } from '../pull/downloader.ts';
import { gather, place, readListing, removeUnfinished, stagingPath } from '../pull/gather.ts';
import { placeLog, stageLog } from '../pull/pull-log.ts';
import { type HeldVersion, type Pointer, type Release, type Store, summedObject, wantedBy } from './store.ts';

export interface ReplicaOptions extends Pick<DownloadOptions, 'waitAfter'> {
  store: Store;
  snapshotsDir: string;
  /** Keys, one of which must have signed the log; null insists on none. */
  trusted: readonly PublicKey[] | null;
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
  readonly #downloading: DownloadOptions;
  /** The release that counts here, by its SHA-256. */
  #release: { sum: string; release: Release } | null = null;
  /** Older versions of that release for which no trusted key vouches. */
  readonly #refused = new Set<string>();

  constructor(options: ReplicaOptions, effects: Effects) {
    this.#options = options;
    this.#effects = effects;
    this.#downloading = { notice: effects.notice, waitAfter: options.waitAfter };
  }

  /** Looks once, and brings what is missing. Throws with what was served before still served. */
  async step(): Promise<Step> {
    const { store, snapshotsDir } = this.#options;
    const pointer = await store.pointer();
    let local = await generationOf(snapshotsDir);
    this.#refuseOlder(pointer, local);
    let swapped: string | null = null;
    if (pointer !== null && pointer.generation > (local?.generation ?? 0)) {
      const versions = local?.versions ?? [];
      await this.#locked(() => this.#follow(pointer, versions));
      local = await generationOf(snapshotsDir);
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
    const { pointerIn } = this.#options.store;
    const own = `this machine has generation ${local.generation} (${local.version})`;
    const remedy = `If that is wanted, remove "generation" from ${STATE_FILE} in its SNAPSHOTS_DIR`;
    if (pointer === null || pointer.generation < local.generation) {
      const named = pointer === null ? 'no generation' : `generation ${pointer.generation} (${pointer.version})`;
      throw new StoreFault(`${pointerIn} names ${named}, and ${own}: it is not followed back. ${remedy}`);
    }
    if (pointer.generation === local.generation && pointer.release !== local.release)
      throw new StoreFault(
        `${pointerIn} names ${pointer.version} as generation ${pointer.generation}, and ${own}: two histories. ${remedy}`,
      );
  }

  /** `named` are the versions that the store named before. */
  async #follow(pointer: Pointer, named: readonly string[]): Promise<void> {
    const { snapshotsDir, store } = this.#options;
    const { generation, version, release: sum } = pointer;
    const release = await store.release(sum, this.#downloading);
    if (release.served.version !== version)
      throw new PullFault(`the store names ${version}, but its release is of ${release.served.version}`);
    // First, so that its room is there for what comes.
    await removeUnwanted(snapshotsDir, { named, release, served: await currentOf(snapshotsDir) }, this.#effects);
    const files = store.downloader(this.#downloading, release);
    const isHere = await isInPlace(snapshotsDir, release.served);
    const gathered = isHere ? null : await this.#gather(files, release.served);
    await this.#placeLog(
      files,
      release,
      gathered?.manifest ?? (await readManifest(snapshotPath(snapshotsDir, version))),
    );
    if (gathered !== null) await place(gathered, snapshotsDir, this.#effects);
    if ((await currentOf(snapshotsDir)) !== version) await setCurrent(snapshotsDir, version, this.#effects);
    const here = new Set(await versionsIn(snapshotsDir));
    const versions = [...new Set([...wantedBy(release), ...named.filter((one) => here.has(one))])];
    const kept = { store: store.name, generation, version, release: sum, versions };
    const lastCheck = release.lastCheck ?? undefined;
    await updateState(snapshotsDir, { generation: kept, lastCheck }, this.#effects);
    await removeUnwanted(snapshotsDir, { named, release, served: version }, this.#effects);
    await removeUnfinished(snapshotsDir);
  }

  /** Brings one of the older versions that the publisher holds, newest first. Returns how many are still missing. */
  async #bringOlder({ release: sum }: Generation): Promise<number> {
    const { snapshotsDir, store } = this.#options;
    if (this.#release?.sum !== sum) {
      const release = await store.release(sum, this.#downloading);
      const files = store.downloader(this.#downloading, release);
      await this.#locked(() => bringRemoved(files, snapshotsDir, release, this.#effects));
      this.#release = { sum, release };
      this.#refused.clear();
    }
    const { release } = this.#release;
    const here = new Set(await versionsIn(snapshotsDir));
    const [first, ...others] = release.held.filter(({ version }) => !here.has(version) && !this.#refused.has(version));
    if (first === undefined) return 0;
    const files = store.downloader(this.#downloading, release);
    // Before gigabytes are asked for.
    const { manifest } = await readListing(files, first.version, first.manifest);
    const fault = await this.#distrust(manifest, snapshotsDir);
    if (fault !== null) {
      this.#refused.add(first.version);
      this.#effects.notice?.(`${first.version} of the store is not brought: no trusted key vouches for it: ${fault}`);
      return others.length;
    }
    await this.#locked(async () => place(await this.#gather(files, first), snapshotsDir, this.#effects));
    return others.length;
  }

  /** Why the log of a directory does not vouch for a version under a trusted key; null where it does, or where no key is insisted on. */
  async #distrust(manifest: Manifest, logIn: string): Promise<string | null> {
    const { trusted } = this.#options;
    return trusted === null ? null : manifestFault(await readLog(logIn), manifest, trusted);
  }

  #gather(files: Downloader, { version, manifest }: HeldVersion) {
    return gather(files, { version, manifest, into: this.#options.snapshotsDir, tablesOnly: false }, this.#effects);
  }

  /** Checks the log of the release against what was kept of it here, and its signatures, before it takes its place. */
  async #placeLog(files: Downloader, release: Release, manifest: Manifest): Promise<void> {
    const { snapshotsDir, trusted } = this.#options;
    const { version } = release.served;
    const staging = stagingPath(snapshotsDir, version);
    const start = `${LOG_DIR}/${CHECKPOINTS_DIR}/`;
    const checkpoints = release.files.filter(({ path }) => path.startsWith(start));
    const sizes = checkpoints.map(({ path }) => Number(path.slice(start.length)));
    await stageLog(files, snapshotsDir, staging, sizes);
    const [first] = (await checkLog(staging, trusted)).problems;
    if (first !== undefined)
      throw new PullFault(`the log of the store is not taken over: ${first.file} ${first.message}`);
    const fault = await this.#distrust(manifest, staging);
    if (fault !== null)
      throw new PullFault(`${version} of the store is not taken over: no trusted key vouches for it: ${fault}`);
    await placeLog(staging, snapshotsDir, this.#effects);
    await rm(join(staging, LOG_DIR), { recursive: true, force: true });
  }
}

async function generationOf(snapshotsDir: string): Promise<Generation | null> {
  return (await readState(snapshotsDir)).generation ?? null;
}

/** Whether the version is in its place with the manifest that is named and every length right; a server hashes it before it serves it. */
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
  const kept = release.files.filter(({ path }) => path.startsWith(`${REMOVED_DIR}/`));
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
  const kept = new Set([...wantedBy(release), ...((await readState(snapshotsDir)).pins ?? []), served]);
  const here = new Set(await versionsIn(snapshotsDir));
  for (const version of named.filter((one) => here.has(one) && !kept.has(one))) {
    const isKept = existsSync(join(removedPath(snapshotsDir, version), MANIFEST_FILE));
    if (isKept) await discardVersion(snapshotsDir, version);
    else await removeVersion(snapshotsDir, version, effects);
    effects.checkpoint(`discarded:${version}`);
  }
}

export interface FollowOptions extends ReplicaOptions {
  /** Ends the following after the look that is under way. */
  signal: AbortSignal;
}

const ALIVE_MS = 10_000;
/** A random pause, so that many replicas do not ask at once. */
const PAUSE_LEAST_MS = 5_000;
const PAUSE_SPREAD_MS = 5_000;

type Following = Omit<ReplicaStatus, 'writtenAt'>;

/** Looks at the store again and again and brings what is new. A store that is away, or damaged, changes nothing of what is served. */
export async function follow(options: FollowOptions, effects: Effects): Promise<void> {
  const { signal, snapshotsDir, store } = options;
  const replica = new Replica(options, effects);
  await mkdir(snapshotsDir, { recursive: true });
  const generation = (await generationOf(snapshotsDir).catch(() => null))?.generation ?? 0;
  const first = { storeGeneration: 0, missingVersions: 0, answeredAt: null, fault: null };
  let status: Following = { store: store.name, generation, ...first };
  const keep = async (): Promise<void> => {
    const temporary = join(snapshotsDir, `.tmp-${process.pid}-${REPLICA_STATUS_FILE}`);
    await writeFile(temporary, `${JSON.stringify({ ...status, writtenAt: effects.now().toISOString() })}\n`);
    await rename(temporary, join(snapshotsDir, REPLICA_STATUS_FILE));
  };
  // Also while a step brings gigabytes.
  const alive = setInterval(() => void keep().catch(() => undefined), ALIVE_MS);
  try {
    while (!signal.aborted) {
      status = await afterLook(replica, status, effects);
      await keep().catch(() => undefined);
      await delayed(PAUSE_LEAST_MS + Math.random() * PAUSE_SPREAD_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    clearInterval(alive);
  }
}

async function afterLook(replica: Replica, before: Following, effects: Effects): Promise<Following> {
  const now = (): string => effects.now().toISOString();
  try {
    const { generation, swapped, pointer, missing } = await replica.step();
    if (swapped !== null)
      effects.notice?.(`${swapped} is served from now on, as generation ${generation} of the store`);
    if (before.fault !== null) effects.notice?.('the store is followed again');
    const storeGeneration = pointer?.generation ?? 0;
    return { ...before, generation, storeGeneration, missingVersions: missing, answeredAt: now(), fault: null };
  } catch (error) {
    // Another command works here, such as a publication: the next look comes when it has ended.
    if (error instanceof PipelineLocked) return before;
    const message = error instanceof Error ? error.message : String(error);
    if (before.fault?.message !== message)
      effects.notice?.(`the store is not followed now, and what is served stays: ${message}`);
    return { ...before, fault: { since: before.fault?.since ?? now(), message } };
  }
}
