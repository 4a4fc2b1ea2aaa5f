import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
import { CHECKPOINTS_DIR, LOG_DIR, readLog } from '../../snapshot/format/versions/publication-log.ts';
import {
  GENERATION_FILE,
  type Generation,
  REPLICA_STATUS_FILE,
  type ReplicaStatus,
  readGeneration,
} from '../../snapshot/format/versions/replica-status.ts';
import { manifestFault } from '../../snapshot/format/versions/vouched.ts';
import type { VerifierKey } from '../../snapshot/proof/note.ts';
import type { Effects } from '../effects.ts';
import { withPipelineLock } from '../lock.ts';
import { checkLog } from '../publish/checks/check-log.ts';
import { setCurrent } from '../publish/commit.ts';
import { replaceFile, sumFile } from '../publish/durable.ts';
import { type Gathered, gather } from '../pull/gather.ts';
import { readListing } from '../pull/listing.ts';
import { place } from '../pull/place.ts';
import { placeLog, stageLog } from '../pull/pull-log.ts';
import { PullFault } from '../pull/service-client.ts';
import { stagingPath, unfinishedPulls } from '../pull/staging.ts';
import { bringRemoved, removeUnwanted } from './held-versions.ts';
import {
  type Candidate,
  type Pointer,
  type PointerState,
  type Release,
  type VersionListing,
  wantedBy,
} from './layout.ts';
import type { S3Client } from './s3-client.ts';
import { StoreFault } from './store-fault.ts';
import type { StorePointer } from './store-pointer.ts';
import { StoreReader } from './store-source.ts';

export interface ReplicaOptions {
  client: S3Client;
  pointers: StorePointer;
  snapshotsDir: string;
  /** Keys, one of which must have signed the log; null insists on none. */
  trusted: readonly VerifierKey[] | null;
  /** Milliseconds before the second try of a download, doubled for each later one. */
  waitAfter?: (attempt: number) => number;
}

/** What one look at the store changed. */
export interface Step {
  generation: number;
  /** The version that counts from now on; null where it is the one before. */
  swapped: string | null;
  /** SHA-256 of the release that lies ready or is served. */
  staged: string | null;
  stagedVersion: string | null;
  /** What the store names. */
  state: PointerState;
  /** Older versions that are still to be brought. */
  missing: number;
  /** Older versions that are not brought, since no trusted key vouches for them. */
  refused: number;
}

/**
 * Brings a directory of snapshots to what the store's pointer names, one generation after the other and never back. Everything is
 * downloaded beside, held against its SHA-256 and made durable; then the log, the version, CURRENT and the generation are replaced in this
 * order, each in one step. After a kill or a fault at any point CURRENT names the old version or the new one, whole, and the next step goes on.
 */
export class Replica {
  readonly #options: ReplicaOptions;
  readonly #effects: Effects;
  /** The candidate whose files lie ready; `gathered` is null where the version is in its place already. */
  #ready: { release: string; version: string; gathered: Gathered | null } | null = null;
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
    const state = await pointers.state();
    let local = await readGeneration(snapshotsDir);
    this.#refuseOlder(state.pointer, local);
    let swapped: string | null = null;
    if (state.pointer !== null && state.pointer.generation > (local?.generation ?? 0)) {
      const { pointer } = state;
      try {
        const before = local;
        await this.#locked(() => this.#follow(pointer, before));
      } finally {
        // What lay ready was used, or may be what failed.
        this.#ready = null;
      }
      local = await readGeneration(snapshotsDir);
      swapped = state.pointer.version;
    }
    const { candidate } = state;
    if (candidate !== null && candidate.release !== this.#ready?.release)
      await this.#locked(() => this.#makeReady(candidate));
    if (candidate === null) this.#ready = null;
    // What others wait for comes first.
    const missing = local === null ? 0 : await this.#bringOlder(local);
    return {
      generation: local?.generation ?? 0,
      swapped,
      staged: this.#ready?.release ?? local?.release ?? null,
      stagedVersion: this.#ready?.version ?? null,
      state,
      missing,
      refused: this.#refused.size,
    };
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

  async #makeReady({ release: sum, version }: Candidate): Promise<void> {
    const { release, listing } = await this.#read(sum, version);
    this.#ready = null;
    const isHere = await isInPlace(this.#options.snapshotsDir, listing);
    this.#ready = { release: sum, version, gathered: isHere ? null : await this.#gather(release, listing) };
    this.#effects.checkpoint('replica:ready');
  }

  async #follow(pointer: Pointer, local: Generation | null): Promise<void> {
    const { snapshotsDir, client } = this.#options;
    const { reader, release, listing } = await this.#read(pointer.release, pointer.version);
    const named = local?.versions ?? [];
    // First, so that its room is there for what comes.
    await removeUnwanted(snapshotsDir, { named, release, served: await currentOf(snapshotsDir) }, this.#effects);
    const isHere = await isInPlace(snapshotsDir, listing);
    const ready = this.#ready?.release === pointer.release ? this.#ready.gathered : null;
    const gathered = isHere ? null : (ready ?? (await this.#gather(release, listing)));
    const staging = gathered?.staging ?? stagingPath(snapshotsDir, pointer.version);
    const manifest = gathered?.listing.manifest ?? (await readManifest(snapshotPath(snapshotsDir, pointer.version)));
    await this.#placeLog(reader, { release, listing, manifest }, staging);
    if (gathered !== null) await place(gathered, snapshotsDir, pointer.version, this.#effects);
    await this.#placeLastCheck(reader, release);
    if ((await currentOf(snapshotsDir)) !== pointer.version)
      await setCurrent(snapshotsDir, pointer.version, this.#effects);
    const { generation, version, release: sum } = pointer;
    const here = new Set(await versionsIn(snapshotsDir));
    const versions = [...new Set([...wantedBy(release), ...named.filter((one) => here.has(one))])];
    await keepGeneration(
      snapshotsDir,
      { store: client.name, generation, version, release: sum, versions },
      this.#effects,
    );
    await removeUnwanted(snapshotsDir, { named, release, served: version }, this.#effects);
    for (const name of await unfinishedPulls(snapshotsDir)) await rm(join(snapshotsDir, name), { recursive: true });
  }

  /** Brings one of the older versions that the publisher holds, newest first. Returns how many are still missing. */
  async #bringOlder({ release: sum }: Generation): Promise<number> {
    const { snapshotsDir } = this.#options;
    const reader = this.#reader(new AbortController());
    if (this.#release?.sum !== sum) {
      const release = await reader.release(sum);
      await this.#locked(() => bringRemoved(reader, snapshotsDir, release, this.#effects));
      this.#release = { sum, release };
      this.#refused.clear();
    }
    const { release } = this.#release;
    const here = new Set(await versionsIn(snapshotsDir));
    const [first, ...others] = release.held.filter(({ version }) => !here.has(version) && !this.#refused.has(version));
    if (first === undefined) return 0;
    const listing = await reader.listing(first.listing);
    // Before gigabytes are asked for.
    const { manifest } = await readListing(reader.sourceOf(listing, release), first.version);
    const fault = await this.#distrust(manifest, snapshotsDir);
    if (fault !== null) {
      this.#refused.add(first.version);
      this.#effects.notice?.(`${first.version} of the store is not brought: no trusted key vouches for it: ${fault}`);
      return others.length;
    }
    await this.#locked(async () => {
      const gathered = await this.#gather(release, listing);
      await place(gathered, snapshotsDir, first.version, this.#effects);
    });
    return others.length;
  }

  /** Why the log of a directory does not vouch for a version under a trusted key; null where it does, or where no key is insisted on. */
  async #distrust(manifest: Manifest, logIn: string): Promise<string | null> {
    const { trusted } = this.#options;
    return trusted === null ? null : manifestFault(await readLog(logIn), manifest, trusted);
  }

  async #read(
    sum: string,
    version: string,
  ): Promise<{ reader: StoreReader; release: Release; listing: VersionListing }> {
    const reader = this.#reader(new AbortController());
    const release = await reader.release(sum);
    const listing = await reader.listing(release.listing);
    if (release.version !== version || listing.version !== version)
      throw new PullFault(
        `the store names ${version}, but its release and its list are of ${release.version} and ${listing.version}`,
      );
    return { reader, release, listing };
  }

  #reader(stop: AbortController): StoreReader {
    const { client, waitAfter } = this.#options;
    const { notice } = this.#effects;
    const options = {
      now: this.#effects.now,
      signal: stop.signal,
      ...(notice && { notice }),
      ...(waitAfter && { waitAfter }),
    };
    return new StoreReader(client.reader(options));
  }

  async #gather(release: Release, listing: VersionListing): Promise<Gathered> {
    const { snapshotsDir: into } = this.#options;
    const stop = new AbortController();
    const source = this.#reader(stop).sourceOf(listing, release);
    return gather({ source, stop }, { version: listing.version, into, tablesOnly: false }, this.#effects);
  }

  /** Checks the log of the release against what was kept of it here, and its signatures, before it takes its place. */
  async #placeLog(
    reader: StoreReader,
    { release, listing, manifest }: { release: Release; listing: VersionListing; manifest: Manifest },
    staging: string,
  ): Promise<void> {
    const { snapshotsDir, trusted } = this.#options;
    const start = `${LOG_DIR}/${CHECKPOINTS_DIR}/`;
    const sizes = release.beside
      .filter(({ path }) => path.startsWith(start))
      .map(({ path }) => Number(path.slice(start.length)));
    const isTheirs = await stageLog(reader.sourceOf(listing, release), snapshotsDir, staging, sizes);
    const { problems } = await checkLog(staging, trusted);
    const [first] = problems;
    if (first !== undefined)
      throw new PullFault(`the log of the store is not taken over: ${first.file} ${first.message}`);
    const fault = await this.#distrust(manifest, staging);
    if (fault !== null)
      throw new PullFault(`${release.version} of the store is not taken over: no trusted key vouches for it: ${fault}`);
    if (isTheirs) await placeLog(staging, snapshotsDir, this.#effects);
    await rm(join(staging, LOG_DIR), { recursive: true, force: true });
  }

  async #placeLastCheck(reader: StoreReader, { beside }: Release): Promise<void> {
    const { snapshotsDir } = this.#options;
    const check = beside.find(({ path }) => path === LAST_CHECK_FILE);
    if (check === undefined) return;
    const text = (await reader.object(check.sha256)).toString('utf8');
    const temporary = join(snapshotsDir, `.tmp-${process.pid}-${LAST_CHECK_FILE}`);
    await replaceFile(join(snapshotsDir, LAST_CHECK_FILE), temporary, text, this.#effects, 'last-check');
  }
}

/** Whether the version lies in its place with the manifest that is listed and every length right; a server hashes it before it serves it. */
async function isInPlace(snapshotsDir: string, { version, files }: VersionListing): Promise<boolean> {
  const dir = snapshotPath(snapshotsDir, version);
  const manifest = files.find(({ path }) => path === MANIFEST_FILE);
  try {
    if ((await quickDamage(dir)) !== null) return false;
    return (await sumFile(dir, MANIFEST_FILE)).sha256 === manifest?.sha256;
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

/** Notes which generation the directory has, so that it never goes back from it. The caller holds the lock. */
export async function keepGeneration(snapshotsDir: string, generation: Generation, effects: Effects): Promise<void> {
  const temporary = join(snapshotsDir, `.tmp-${process.pid}-${GENERATION_FILE}`);
  await replaceFile(
    join(snapshotsDir, GENERATION_FILE),
    temporary,
    `${JSON.stringify(generation)}\n`,
    effects,
    'generation',
  );
}

/** Tells servers and operators how the following stands. */
export async function keepStatus(snapshotsDir: string, status: ReplicaStatus): Promise<void> {
  const temporary = join(snapshotsDir, `.tmp-${process.pid}-${REPLICA_STATUS_FILE}`);
  await writeFile(temporary, `${JSON.stringify(status)}\n`);
  await rename(temporary, join(snapshotsDir, REPLICA_STATUS_FILE));
}
