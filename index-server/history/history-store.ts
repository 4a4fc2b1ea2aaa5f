import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { StoredChange } from '../../snapshot/format/versions/change.ts';
import { type ChainLink, chainFrom } from '../../snapshot/format/versions/change-chain.ts';
import { ChangePack, changeKey } from '../../snapshot/format/versions/change-pack.ts';
import { mapFile } from '../snapshot/mapped-file.ts';
import { type PublicationTrust, SnapshotDistrust } from '../snapshot/publication-trust.ts';
import {
  isGone,
  isReadable,
  type KnownSnapshot,
  type RemovedSnapshot,
  type VersionList,
} from '../snapshot/version-list.ts';

/** What changed in one version about one trial, or about the feed items. */
export interface HistoryEntry {
  version: string;
  /** When the version was published. */
  publishedAt: string;
  asOf: string;
  /** The version that it is compared with. */
  parent: string | null;
  /** In the order of `changes.parquet`; JSON texts as stored. */
  changes: StoredChange[];
}

/** Where a page goes on. */
export interface HistoryPlace {
  version: string;
  block: number;
}

export interface HistoryPage {
  /** Oldest first. */
  entries: HistoryEntry[];
  /** Null where nothing follows. */
  next: HistoryPlace | null;
}

export interface PageOf {
  /** At most this many entries. */
  limit: number;
  from?: HistoryPlace;
}

interface OldestVersion {
  version: string;
  /** When it was published; null where neither it nor its manifest is kept. */
  publishedAt: string | null;
  /** False where it is known to be the first that was ever published. */
  hasEarlier: boolean;
}

/** How far back the stored changes of the followed version lead. */
export interface HistoryReach {
  /** The version that the oldest stored changes are compared with; null before any is read. */
  start: string | null;
  /** The oldest version whose trials are known: `start`, or the followed one where no changes are kept; null before any is read. */
  oldest: OldestVersion | null;
  versions: number;
  /** Versions between whose changes are missing or damaged; their history is not told. */
  missing: string[];
}

type Stated = KnownSnapshot | RemovedSnapshot;

/** A version with its changes, mapped. */
export interface OpenVersion {
  version: string;
  publishedAt: string;
  asOf: string;
  parent: string | null;
  pack: ChangePack;
  release: () => void;
}

interface Link extends ChainLink {
  stated: Stated;
}

/** Which versions may be shown. */
type Trust = Pick<PublicationTrust, 'distrusts'>;
const TRUSTS_ALL: Trust = { distrusts: async () => null };

/**
 * The changes of the served version and of all that it comes from, held or removed, from the packs that publish leaves beside
 * `changes.parquet`. Each pack is read and checked once, then mapped: beside a few hundred bytes a version, the process holds
 * no memory of its own. A look-up halves the sorted keys of every version and reads only blocks that name the trial.
 */
export class HistoryStore implements Disposable {
  readonly #versionList: VersionList;
  readonly #log: Logger;
  readonly #trust: Trust;
  #open: readonly OpenVersion[] = [];
  #reach: HistoryReach = { start: null, oldest: null, versions: 0, missing: [] };
  #following: Promise<void> = Promise.resolve();
  /** The version that was followed last. */
  #asked: string | null = null;
  #closed = false;

  constructor(versionList: VersionList, log: Logger, trust: Trust = TRUSTS_ALL) {
    this.#versionList = versionList;
    this.#log = log;
    this.#trust = trust;
  }

  /** Takes up a version that is served now, and lets go of those that it does not come from. Never rejects. */
  follow(version: string): Promise<void> {
    this.#asked = version;
    this.#following = this.#following.then(() =>
      this.#take(version).catch((err: unknown) =>
        this.#log.error({ version, err }, 'the history of the snapshot cannot be read'),
      ),
    );
    return this.#following;
  }

  /** How far back it reaches, once the version that was followed last is taken up. */
  async reach(): Promise<HistoryReach> {
    await this.#following;
    return this.#reach;
  }

  /** Changes that name one of the ids, oldest first: give a trial's id with its aliases. */
  async ofTrial(ids: readonly string[], { limit, from }: PageOf): Promise<HistoryPage> {
    await this.#following;
    const wanted = new Set(ids);
    const keys = [...wanted].map(changeKey);
    const names = ({ canonicalId, related }: StoredChange): boolean =>
      (canonicalId !== null && wanted.has(canonicalId)) || related.some((id) => wanted.has(id));
    const blocksOf = ({ pack }: OpenVersion): number[] =>
      [...new Set(keys.flatMap((key) => pack.blocksOf(key)))].sort((a, b) => a - b);
    return pageOfChanges(this.#open, blocksOf, (changes) => changes.filter(names), { limit, ...(from && { from }) });
  }

  /** The versions whose changes are open, oldest first. Read them before the next await: a later version may close some. */
  async versions(): Promise<readonly OpenVersion[]> {
    await this.#following;
    return this.#open;
  }

  /** Waits until the history of the version is taken up, and takes it up now where nothing has asked for it yet. */
  async upTo(version: string): Promise<void> {
    if (this.#asked !== version) await this.follow(version);
    else await this.#following;
  }

  async #take(version: string): Promise<void> {
    const chain = await chainFrom(version, (name) => this.#find(name));
    const held = new Map(this.#open.map((one) => [one.version, one]));
    const open: OpenVersion[] = [];
    const missing: string[] = [];
    for (const link of chain.filter(({ hasChanges }) => hasChanges).reverse()) {
      const one = held.get(link.version) ?? (await this.#opened(link));
      if (this.#closed) return one?.release();
      if (one === null) missing.push(link.version);
      else open.push(one);
    }
    const gone = this.#open.filter((one) => !open.includes(one));
    this.#open = open;
    const start = chain.findLast(({ hasChanges }) => hasChanges)?.parent ?? null;
    const oldest = await this.#oldest(start ?? version);
    this.#reach = { start, oldest, versions: open.length, missing };
    for (const { release } of gone) release();
  }

  async #oldest(version: string): Promise<OldestVersion> {
    const found = await this.#find(version);
    const publishedAt = found?.stated.manifest.createdAt ?? null;
    return { version, publishedAt, hasEarlier: found === null || found.parent !== null };
  }

  async #find(version: string): Promise<Link | null> {
    const held = await this.#versionList.find(version);
    const stated = held ?? (await this.#versionList.findRemoved(version));
    if (stated === null || !isReadable<Stated>(stated)) return null;
    const { parent, storedChanges } = stated.manifest;
    return { version, parent, hasChanges: Boolean(storedChanges), stated };
  }

  /** A version with its pack checked against the manifest; null where that is damaged or missing, which is logged. */
  async #opened({ version, stated }: Link): Promise<OpenVersion | null> {
    try {
      const { createdAt, asOf, parent } = stated.manifest;
      const fault = await this.#trust.distrusts(stated.manifest);
      if (fault !== null) throw new SnapshotDistrust(version, fault);
      const file = mapFile(await this.#soundPack(stated));
      const release = (): void => file.release();
      return { version, publishedAt: createdAt, asOf, parent, pack: new ChangePack(file), release };
    } catch (err) {
      this.#log.error({ version, err }, 'the changes of a version are left out of the history; restore its files');
      return null;
    }
  }

  /** Path of the pack, whose bytes are as the manifest states; in the folder of removed versions where gc has just moved it. */
  async #soundPack({ state, version, dir, manifest }: Stated): Promise<string> {
    const { path: name, sha256 } = manifest.storedChanges!.pack;
    const path = join(dir, name);
    const bytes = await readFile(path).catch((error: unknown) => {
      if (state === 'held' && isGone(error)) return null;
      throw error;
    });
    if (bytes === null) {
      const removed = await this.#versionList.findRemoved(version);
      if (removed === null || !isReadable<Stated>(removed)) throw new Error(`${path} is missing`);
      return this.#soundPack(removed);
    }
    const sum = createHash('sha256').update(bytes).digest('hex');
    if (sum !== sha256) throw new Error(`${path} has SHA-256 ${sum}, the manifest states ${sha256}`);
    return path;
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    for (const { release } of this.#open) release();
    this.#open = [];
  }
}

/** Entries of the blocks of versions in order, from a place on; `wanted` takes from each block the changes that are shown. */
export function pageOfChanges(
  versions: readonly OpenVersion[],
  blocksOf: (version: OpenVersion) => Iterable<number>,
  wanted: (changes: StoredChange[]) => StoredChange[],
  { limit, from }: PageOf,
): HistoryPage {
  const entries: HistoryEntry[] = [];
  const start = from === undefined ? 0 : versions.findIndex(({ version }) => version === from.version);
  for (const one of start < 0 ? [] : versions.slice(start)) {
    const { version, publishedAt, asOf, parent, pack } = one;
    for (const block of blocksOf(one)) {
      if (version === from?.version && block < from.block) continue;
      const changes = wanted(pack.read(block));
      if (changes.length === 0) continue;
      if (entries.length === limit) return { entries, next: { version, block } };
      entries.push({ version, publishedAt, asOf, parent, changes });
    }
  }
  return { entries, next: null };
}
