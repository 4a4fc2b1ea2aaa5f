import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delayed } from 'node:timers/promises';
import { CHANGES_FILE } from '../../snapshot/format/versions/change.ts';
import {
  quickDamage,
  readCurrent,
  readManifest,
  SnapshotFault,
  snapshotPath,
  versionsIn,
} from '../../snapshot/format/versions/current.ts';
import { MANIFEST_FILE } from '../../snapshot/format/versions/own-files.ts';
import { CHECKPOINTS_DIR } from '../../snapshot/format/versions/publication-log.ts';
import { REMOVAL_FILE, REMOVED_DIR, removedPath } from '../../snapshot/format/versions/removed.ts';
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
import { setCurrent, updateState } from '../publish/commit.ts';
import { sync } from '../publish/durable.ts';
import { discardVersion, removeVersion } from '../publish/retention/gc.ts';
import { bring, NotLogged, stagedLog, type Wanted } from '../pull/bring.ts';
import { type DownloadOptions, PullFault, StoreFault } from '../pull/downloader.ts';
import { gather, readListing, removeUnfinished } from '../pull/gather.ts';
import { type HeldVersion, type Pointer, type Release, type Store, wantedBy } from './store.ts';

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
  /** Older versions that are not brought, since the log of the store does not vouch for them. */
  refused: number;
}

/**
 * Brings a directory of snapshots to the release that the store's pointer names, one generation after the other and never back. Log,
 * version, CURRENT and generation are replaced in this order, each in one step. After a kill or a fault at any point CURRENT names the old
 * version or the new one, whole, and the next step goes on.
 */
export class Replica {
  readonly #options: ReplicaOptions;
  readonly #effects: Effects;
  /** The release that counts here, by its SHA-256. */
  #release: { sum: string; release: Release } | null = null;
  /** Older versions of that release that were refused. */
  readonly #refused = new Set<string>();

  constructor(options: ReplicaOptions, effects: Effects) {
    this.#options = options;
    this.#effects = effects;
  }

  /** Looks once, and brings what is missing. Throws with what was served before still served. */
  async step(): Promise<Step> {
    const { store, snapshotsDir } = this.#options;
    const pointer = await store.pointer();
    let local = await generationOf(snapshotsDir);
    refuseOlder(store, pointer, local);
    let swapped: string | null = null;
    if (pointer !== null && pointer.generation > (local?.generation ?? 0)) {
      const named = local?.versions ?? [];
      await this.#locked(() => this.#follow(pointer, named));
      local = await generationOf(snapshotsDir);
      swapped = pointer.version;
    }
    const missing = local === null ? 0 : await this.#bringOlder(local);
    return { generation: local?.generation ?? 0, swapped, pointer, missing, refused: this.#refused.size };
  }

  #locked<T>(work: () => Promise<T>): Promise<T> {
    return withPipelineLock({ snapshotsDir: this.#options.snapshotsDir }, work, this.#effects);
  }

  #downloader(release: Release) {
    const { store, waitAfter } = this.#options;
    return store.downloader({ notice: this.#effects.notice, waitAfter }, release);
  }

  #wanted({ version, identity }: HeldVersion, { log }: Release): Wanted {
    const { snapshotsDir: into, trusted } = this.#options;
    const start = `${CHECKPOINTS_DIR}/`;
    const kept = Object.keys(log).filter((name) => name.startsWith(start));
    const checkpoints = kept.map((name) => Number(name.slice(start.length)));
    return { version, identity, into, trusted, checkpoints, isWanted: () => true };
  }

  /** `named` are the versions that the store named before. */
  async #follow({ generation, version, release: sum }: Pointer, named: readonly string[]): Promise<void> {
    const { snapshotsDir, store } = this.#options;
    const release = await store.release(sum);
    if (release.served.version !== version)
      throw new PullFault(`the store names ${version}, but its release is of ${release.served.version}`);
    const files = this.#downloader(release);
    const wanted = this.#wanted(release.served, release);
    if (await isInPlace(snapshotsDir, release.served)) {
      const manifest = await readManifest(snapshotPath(snapshotsDir, version));
      await (await stagedLog(files, { manifest }, wanted))(this.#effects);
    } else await bring(files, wanted, this.#effects);
    if ((await currentOf(snapshotsDir)) !== version) await setCurrent(snapshotsDir, version, this.#effects);
    const here = new Set(await versionsIn(snapshotsDir));
    const versions = [...new Set([...wantedBy(release), ...named.filter((one) => here.has(one))])];
    const kept = { store: store.name, generation, version, release: sum, versions };
    const lastCheck = release.lastCheck ?? undefined;
    await updateState(snapshotsDir, { generation: kept, lastCheck }, this.#effects);
    await removeUnwanted(snapshotsDir, named, release, this.#effects);
    await removeUnfinished(snapshotsDir);
  }

  /** Brings one of the older versions that the publisher holds, newest first. Returns how many are still missing. */
  async #bringOlder({ release: sum }: Generation): Promise<number> {
    const { snapshotsDir, store } = this.#options;
    if (this.#release?.sum !== sum) {
      const release = await store.release(sum);
      await this.#locked(() => this.#bringRemoved(release));
      this.#release = { sum, release };
      this.#refused.clear();
    }
    const { release } = this.#release;
    const here = new Set(await versionsIn(snapshotsDir));
    const [first, ...others] = release.held.filter(({ version }) => !here.has(version) && !this.#refused.has(version));
    if (first === undefined) return 0;
    const files = this.#downloader(release);
    try {
      await this.#locked(() => bring(files, this.#wanted(first, release), this.#effects));
    } catch (error) {
      if (!(error instanceof NotLogged)) throw error;
      this.#refused.add(first.version);
      this.#effects.notice?.(`${first.version} of the store is not brought: ${error.message}`);
    }
    return others.length;
  }

  /** Brings what is kept of versions that the publisher removed, each in one step, so that the chain of changes is whole here too. */
  async #bringRemoved(release: Release): Promise<void> {
    const { snapshotsDir } = this.#options;
    const files = this.#downloader(release);
    for (const { version, identity, removedAt } of release.removed) {
      const target = removedPath(snapshotsDir, version);
      if (existsSync(join(target, MANIFEST_FILE))) continue;
      const listing = await readListing(files, version, identity);
      const part = { into: snapshotsDir, isWanted: (path: string) => path === CHANGES_FILE };
      const { staging } = await gather(files, listing, part, this.#effects);
      const dir = join(staging, version);
      if (removedAt !== null) await writeFile(join(dir, REMOVAL_FILE), `${JSON.stringify({ removedAt })}\n`);
      if (removedAt !== null) await sync(join(dir, REMOVAL_FILE));
      await sync(dir);
      await mkdir(join(snapshotsDir, REMOVED_DIR), { recursive: true });
      await rm(target, { recursive: true, force: true });
      await rename(dir, target);
      await sync(join(snapshotsDir, REMOVED_DIR));
      await rm(staging, { recursive: true, force: true });
      this.#effects.checkpoint(`removed:${version}`);
    }
  }
}

/** A pointer that was restored from a copy, or that another store holds, must not bring an older state back. */
function refuseOlder({ pointerIn }: Store, pointer: Pointer | null, local: Generation | null): void {
  if (local === null) return;
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

async function generationOf(snapshotsDir: string): Promise<Generation | null> {
  return (await readState(snapshotsDir)).generation ?? null;
}

/** Whether the version is in its place with every length right; a server hashes it before it serves it. */
async function isInPlace(snapshotsDir: string, { version, identity }: HeldVersion): Promise<boolean> {
  const dir = snapshotPath(snapshotsDir, version);
  try {
    return (await quickDamage(dir)) === null && (await readManifest(dir)).identity === identity;
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
 * Removes versions that the store named before and names no more; never one that it did not bring, a pinned one or the served one. The
 * caller holds the pipeline lock.
 */
async function removeUnwanted(
  snapshotsDir: string,
  named: readonly string[],
  release: Release,
  effects: Effects,
): Promise<void> {
  const kept = new Set([...wantedBy(release), ...((await readState(snapshotsDir)).pins ?? [])]);
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
