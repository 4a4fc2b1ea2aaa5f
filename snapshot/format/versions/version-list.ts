import { hash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { parseManifest, readCurrent, readOwnTexts, SnapshotFault, snapshotPath, versionsIn } from './current.ts';
import type { Manifest, SnapshotFileSum } from './manifest.ts';
import { MANIFEST_FILE, OWN_FILES } from './own-files.ts';
import { REMOVED_DIR, readRemovedAt, removedPath } from './removed.ts';
import { type LastCheck, readLastCheck } from './state.ts';

/** A version as its manifest states it. */
interface StatedSnapshot {
  version: string;
  dir: string;
  manifest: Manifest;
  /** Files that no list names: its own. */
  unlisted: SnapshotFileSum[];
}

/** A version that is on disk with all its files. */
export interface KnownSnapshot extends StatedSnapshot {
  state: 'held';
}

/** A version that gc removed: its manifest alone is on disk. */
export interface RemovedSnapshot extends StatedSnapshot {
  state: 'removed';
  /** Null when the time was not recorded. */
  removedAt: string | null;
}

/** A version whose manifest this program cannot read. */
export interface UnreadableSnapshot {
  version: string;
  reason: Exclude<SnapshotFault['code'], 'missing'>;
}

/** The newest version of an identity: held, else removed, else none. */
export interface FoundIdentity {
  identity: string;
  version: string | null;
  state: 'held' | 'removed' | 'absent';
}

/** How many parsed manifests are kept; each takes about ten kilobytes. */
const KEPT = 400;

/**
 * The versions in the snapshots directory. A version never changes after it was published, but it may be removed at any
 * moment: each question looks at the disk, and only parsed manifests are kept.
 */
export class VersionList {
  readonly #snapshotsDir: string;
  readonly #parsed = new LRUCache<string, { changedAt: number; stated: StatedSnapshot }>({ max: KEPT });

  constructor(snapshotsDir: string) {
    this.#snapshotsDir = snapshotsDir;
  }

  /** Names of all versions, newest first. Rejects if the directory cannot be read. */
  async versions(): Promise<string[]> {
    const versions = await versionsIn(this.#snapshotsDir);
    if (versions.length === 0) await stat(this.#snapshotsDir);
    return versions;
  }

  /** Names of the versions whose manifests alone are kept, newest first. */
  removedVersions(): Promise<string[]> {
    return versionsIn(join(this.#snapshotsDir, REMOVED_DIR));
  }

  /** The version that CURRENT names; null if there is none. Rejects if it cannot be read. */
  current(): Promise<string | null> {
    return readCurrent(this.#snapshotsDir);
  }

  /** The last run that found the served version unchanged; null if there was none. */
  lastCheck(): Promise<LastCheck | null> {
    return readLastCheck(this.#snapshotsDir);
  }

  /** The version; null if it is not on disk, or not any more. */
  async find(version: string): Promise<KnownSnapshot | UnreadableSnapshot | null> {
    const found = await this.#read(version, snapshotPath(this.#snapshotsDir, version));
    return found === null || !isReadable(found) ? found : { ...found, state: 'held' };
  }

  /** What is kept of a version that gc removed; null if there is nothing. Ask `find` first: a killed gc leaves both. */
  async findRemoved(version: string): Promise<RemovedSnapshot | UnreadableSnapshot | null> {
    const dir = removedPath(this.#snapshotsDir, version);
    const found = await this.#read(version, dir);
    if (found === null || !isReadable(found)) return found;
    return { ...found, state: 'removed', removedAt: await readRemovedAt(dir) };
  }

  /**
   * Finds the newest version of an identity. A version's name ends with the first digits of its identity, so that few manifests are
   * read.
   */
  async finder(): Promise<(identity: string) => Promise<FoundIdentity>> {
    const [held, removed] = [await this.versions(), await this.removedVersions()];
    return async (identity) => {
      const isNamed = (version: string): boolean => version.endsWith(`-${identity.slice(0, 8)}`);
      const isOf = (found: StatedSnapshot | UnreadableSnapshot | null): boolean =>
        found !== null && isReadable(found) && found.manifest.identity === identity;
      for (const version of held.filter(isNamed))
        if (isOf(await this.find(version))) return { identity, version, state: 'held' };
      for (const version of removed.filter(isNamed))
        if (isOf(await this.findRemoved(version))) return { identity, version, state: 'removed' };
      return { identity, version: null, state: 'absent' };
    };
  }

  async #read(version: string, dir: string): Promise<StatedSnapshot | UnreadableSnapshot | null> {
    try {
      const { mtimeMs } = await stat(join(dir, MANIFEST_FILE));
      const kept = this.#parsed.get(dir);
      if (kept?.changedAt === mtimeMs) return kept.stated;
      const stated = await readStated(version, dir);
      this.#parsed.set(dir, { changedAt: mtimeMs, stated });
      return stated;
    } catch (error) {
      if (isGone(error)) return null;
      if (error instanceof SnapshotFault) return error.code === 'missing' ? null : { version, reason: error.code };
      throw error;
    }
  }
}

export function isReadable<Stated extends StatedSnapshot>(found: Stated | UnreadableSnapshot): found is Stated {
  return 'manifest' in found;
}

/** Whether the error says that a file, or a directory above it, does not exist. */
export function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}

async function readStated(version: string, dir: string): Promise<StatedSnapshot> {
  const texts = await readOwnTexts(dir);
  const unlisted = OWN_FILES.map((path) => {
    const content = texts[path];
    return { path, bytes: Buffer.byteLength(content), sha256: hash('sha256', content) };
  });
  return { version, dir, manifest: parseManifest(texts, dir), unlisted };
}
