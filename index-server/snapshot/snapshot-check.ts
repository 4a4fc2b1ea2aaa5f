import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { WorkerPool } from '../../server-kit/threads/worker-pool.ts';
import { SIGNAL_FILES } from '../../snapshot/format/signals.ts';
import { manifestDamage, readManifest } from '../../snapshot/format/versions/current.ts';
import { MANIFEST_FILE, type Manifest, SUMS_FILE } from '../../snapshot/format/versions/manifest.ts';
import { type CheckJob, type Damage, damageByHash, damageBySize, type StatedFile, stampOf } from './file-sums.ts';
import type { PublicationTrust } from './publication-trust.ts';

/** A snapshot is not as it was published, so nothing of it is served. */
export class SnapshotDamage extends Error {
  readonly version: string;
  readonly damage: Damage;
  readonly #directory: string;
  readonly #paths: readonly string[];
  readonly #stamp: string;

  /** `stamp` is what the file system said of `paths` before they were read. */
  constructor(directory: string, damage: Damage, paths: readonly string[], stamp: string) {
    const version = basename(directory);
    const { path, found, expected } = damage;
    super(`${path} of ${version} is not as published: found ${found}, expected ${expected}`);
    this.name = 'SnapshotDamage';
    this.version = version;
    this.damage = damage;
    this.#directory = directory;
    this.#paths = paths;
    this.#stamp = stamp;
  }

  /** Whether no file was touched since, so that another look would find the same. */
  async stillHolds(): Promise<boolean> {
    return (await stampOf(this.#directory, this.#paths)) === this.#stamp;
  }
}

/**
 * At this priority, the threads of requests get nine tenths of a busy processor: 4 GB, which cost 4 s of it, are still
 * hashed within a minute.
 */
const BESIDE_REQUESTS = 10;
const OWN_FILES = [MANIFEST_FILE, SUMS_FILE];
/** Fewer bytes are hashed on the calling thread, which is faster than starting a worker. */
const THREAD_FROM_BYTES = 32 * 2 ** 20;

/**
 * Holds the files of a snapshot that a server maps, its serving image and its index of payloads, against its manifest. Signal files are left out: they have a check of
 * their own (signals/integrity.ts), because trials can be served without them.
 */
export class SnapshotCheck {
  readonly manifest: Manifest;
  readonly #directory: string;
  readonly #files: readonly StatedFile[];
  readonly #paths: readonly string[];
  readonly #threadFromBytes: number;

  private constructor(directory: string, manifest: Manifest, threadFromBytes: number) {
    this.manifest = manifest;
    this.#directory = directory;
    this.#files = [...manifest.serving.files.filter(({ path }) => !isSignalFile(path)), manifest.payloadIndex];
    this.#paths = [...OWN_FILES, ...this.#files.map(({ path }) => path)];
    this.#threadFromBytes = threadFromBytes;
  }

  /**
   * Reads the manifest, and compares it with its sum, its identity with what it states and with the version's name, and the length of
   * each file with it. Throws SnapshotFault, SnapshotDamage, or SnapshotDistrust where `trust` insists on keys and none vouches for it.
   */
  static async open(
    directory: string,
    threadFromBytes: number = THREAD_FROM_BYTES,
    trust: PublicationTrust | null = null,
  ): Promise<SnapshotCheck> {
    const stamp = await stampOf(directory, OWN_FILES);
    const manifest = await readManifest(directory);
    const fault = await manifestDamage(directory, manifest);
    if (fault !== null)
      throw new SnapshotDamage(directory, { path: MANIFEST_FILE, ...fault, isGone: false }, OWN_FILES, stamp);
    await trust?.refuseUntrusted(manifest);
    const check = new SnapshotCheck(directory, manifest, threadFromBytes);
    await check.refuseOtherSizes();
    return check;
  }

  /** Whether the files are hashed so quickly that a start can wait for it. */
  get isShort(): boolean {
    return this.#files.reduce((sum, { bytes }) => sum + bytes, 0) < this.#threadFromBytes;
  }

  /** Changes when a file is written, cut, replaced or removed; not when the disk loses bytes of it. */
  stamp(): Promise<string> {
    return stampOf(this.#directory, this.#paths);
  }

  /** Throws SnapshotDamage. */
  async refuseOtherSizes(): Promise<void> {
    await this.#refuse(() => damageBySize(this.#directory, this.#files));
  }

  /** Hashes all files. Throws SnapshotDamage; also when `signal` aborts or the thread fails, which says nothing of the files. */
  async refuseOtherHashes({ isAwaited, signal }: { isAwaited: boolean; signal: AbortSignal }): Promise<void> {
    await this.#refuse(() => (this.isShort ? this.#hashHere(signal) : this.#hashOnThread(isAwaited, signal)));
  }

  async #refuse(look: () => Promise<Damage | null>): Promise<void> {
    const stamp = await this.stamp();
    const damage = await look();
    if (damage !== null) throw new SnapshotDamage(this.#directory, damage, this.#paths, stamp);
  }

  /** Lets other work run between two pieces. */
  async #hashHere(signal: AbortSignal): Promise<Damage | null> {
    const reading = damageByHash(this.#directory, this.#files);
    for (;;) {
      const { done, value } = reading.next();
      if (done) return value;
      await setImmediate();
      signal.throwIfAborted();
    }
  }

  async #hashOnThread(isAwaited: boolean, signal: AbortSignal): Promise<Damage | null> {
    signal.throwIfAborted();
    const job: CheckJob = { directory: this.#directory, files: this.#files, isAwaited };
    const priority = isAwaited ? 0 : BESIDE_REQUESTS;
    const module = new URL('./file-sums.ts', import.meta.url);
    await using worker = new WorkerPool<CheckJob, Damage | null>(module, 'damageInWorker', { priority });
    return await worker.run(job, { signal });
  }
}

function isSignalFile(path: string): boolean {
  return (SIGNAL_FILES as readonly string[]).includes(basename(path));
}
