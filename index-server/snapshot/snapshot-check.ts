import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delayed } from 'node:timers/promises';
import { SIGNAL_FILES } from '../../snapshot/format/signals.ts';
import { manifestDamage, readManifest } from '../../snapshot/format/versions/current.ts';
import type { Manifest, SnapshotFileSum } from '../../snapshot/format/versions/manifest.ts';
import { MANIFEST_FILE, OWN_FILES } from '../../snapshot/format/versions/own-files.ts';
import type { PublicationTrust } from './publication-trust.ts';

/** A file that is not as published, in words for the log. */
interface Damage {
  path: string;
  found: string;
  expected: string;
  /** A mapping of it, made before, still has its bytes. */
  isGone: boolean;
}

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

/** A start waits for the hashes of fewer bytes. */
const SHORT_BYTES = 32 * 2 ** 20;
/** Hashed in a millisecond, after which requests are answered. */
const PIECE_BYTES = 2 ** 20;
/** Where nothing waits for the result: 4 GB, both registries, take 20 s, and a fifth of a processor. */
const BYTES_PER_SECOND = 200e6;
const GONE = ['ENOENT', 'ENOTDIR'];
/** Faults of the file itself. Any other, such as too many open files, says nothing of it and is thrown. */
const FAULTS_OF_FILE = [...GONE, 'EACCES', 'EIO', 'EISDIR'];

/**
 * Compares the files of a snapshot that a server maps, its serving image and its index of payloads, with its manifest. Signal files are left out: they have a check of
 * their own (signals/integrity.ts), because trials can be served without them. Files are read as other programs do and not through a
 * mapping: a file that becomes shorter is damage, not the end of the process.
 */
export class SnapshotCheck {
  readonly manifest: Manifest;
  /** Whether the files are hashed so quickly that a start can wait for it. */
  readonly isShort: boolean;
  readonly #directory: string;
  readonly #files: readonly SnapshotFileSum[];
  readonly #paths: readonly string[];

  private constructor(directory: string, manifest: Manifest, shortBytes: number) {
    this.manifest = manifest;
    this.#directory = directory;
    this.#files = [...manifest.serving.files.filter(({ path }) => !isSignalFile(path)), manifest.payloadIndex];
    this.#paths = [...OWN_FILES, ...this.#files.map(({ path }) => path)];
    this.isShort = this.#files.reduce((sum, { bytes }) => sum + bytes, 0) < shortBytes;
  }

  /**
   * Reads the manifest, and compares its identity with the version's name, and the length of each file with it. Throws SnapshotFault, SnapshotDamage, or SnapshotDistrust where `trust` insists on keys and none vouches for it.
   */
  static async open(
    directory: string,
    shortBytes: number = SHORT_BYTES,
    trust: PublicationTrust | null = null,
  ): Promise<SnapshotCheck> {
    const stamp = await stampOf(directory, OWN_FILES);
    const manifest = await readManifest(directory);
    const fault = manifestDamage(directory, manifest);
    if (fault !== null)
      throw new SnapshotDamage(directory, { path: MANIFEST_FILE, ...fault, isGone: false }, OWN_FILES, stamp);
    await trust?.refuseUntrusted(manifest);
    const check = new SnapshotCheck(directory, manifest, shortBytes);
    await check.refuseOtherSizes();
    return check;
  }

  /** Changes when a file is written, cut, replaced or removed; not when the disk loses bytes of it. */
  stamp(): Promise<string> {
    return stampOf(this.#directory, this.#paths);
  }

  /** Throws SnapshotDamage. */
  async refuseOtherSizes(): Promise<void> {
    await this.#refuse(async ({ path, bytes }) => {
      const { size } = await stat(join(this.#directory, path));
      return [`${size} bytes`, `${bytes} bytes`];
    });
  }

  /**
   * Hashes all files, slowly where nothing waits for the result. Throws SnapshotDamage; also when `signal` aborts, which says nothing of
   * the files.
   */
  async refuseOtherHashes({ isAwaited, signal }: { isAwaited: boolean; signal: AbortSignal }): Promise<void> {
    const start = performance.now();
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    let bytes = 0;
    await this.#refuse(async ({ path, sha256 }) => {
      const hash = createHash('sha256');
      await using file = await open(join(this.#directory, path), 'r');
      for (;;) {
        const { bytesRead } = await file.read(piece, 0, piece.length, null);
        signal.throwIfAborted();
        if (bytesRead === 0) break;
        hash.update(piece.subarray(0, bytesRead));
        bytes += bytesRead;
        const ahead = start + (bytes / BYTES_PER_SECOND) * 1000 - performance.now();
        if (!isAwaited && ahead > 1) await delayed(ahead, undefined, { signal });
      }
      return [`SHA-256 ${hash.digest('hex')}`, `SHA-256 ${sha256}`];
    });
  }

  /** Throws SnapshotDamage for the first file of which `look` finds something else than is expected. */
  async #refuse(look: (file: SnapshotFileSum) => Promise<[found: string, expected: string]>): Promise<void> {
    const stamp = await this.stamp();
    for (const file of this.#files) {
      const { path, sha256 } = file;
      const [found, expected, isGone = false] = await look(file).catch((error: NodeJS.ErrnoException) => {
        const { code = '' } = error;
        if (!FAULTS_OF_FILE.includes(code)) throw error;
        const isGone = GONE.includes(code);
        return [isGone ? 'no file' : `a file that cannot be read (${code})`, `SHA-256 ${sha256}`, isGone] as const;
      });
      if (found !== expected)
        throw new SnapshotDamage(this.#directory, { path, found, expected, isGone }, this.#paths, stamp);
    }
  }
}

function isSignalFile(path: string): boolean {
  return (SIGNAL_FILES as readonly string[]).includes(basename(path));
}

/** What the file system says about the files: changes when one of them is written, cut, replaced or removed. */
async function stampOf(directory: string, paths: readonly string[]): Promise<string> {
  const stamps = paths.map((path) =>
    stat(join(directory, path)).then(
      ({ ino, size, ctimeMs }) => `${ino}:${size}:${ctimeMs}`,
      () => 'none',
    ),
  );
  return (await Promise.all(stamps)).join(' ');
}
