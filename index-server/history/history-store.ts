import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { Logger } from 'pino';
import type { StoredChange } from '../../snapshot/format/versions/change.ts';
import { type ChainLink, chainFrom } from '../../snapshot/format/versions/change-chain.ts';
import {
  isGone,
  isReadable,
  type KnownSnapshot,
  type RemovedSnapshot,
  type VersionList,
} from '../../snapshot/format/versions/version-list.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import { CHANGE_KEY } from '../../snapshot/sql/stored-changes.ts';
import { type PublicationTrust, SnapshotDistrust } from '../snapshot/publication-trust.ts';
import { LazyDatabase, rowsOf } from '../store/turns.ts';

/** What changed in one version about one trial. */
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

/** Where a page goes on: the changes of a trial in a version. */
export interface HistoryPlace {
  version: string;
  canonicalId: string;
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

/** A version whose changes can be read. */
export interface OpenVersion {
  version: string;
  publishedAt: string;
  asOf: string;
  parent: string | null;
  /** Its `changes.parquet`, whose bytes were as the manifest states. */
  path: string;
}

interface Link extends ChainLink {
  stated: Stated;
}

/** Which versions may be shown. */
type Trust = Pick<PublicationTrust, 'distrusts'>;
const TRUSTS_ALL: Trust = { distrusts: async () => null };

/** What one look-up may hold in memory. */
const MEMORY_LIMIT = '256MB';
/** Most entries whose whole changes are read by one statement. */
const ENTRIES_PER_READ = 500;

/**
 * The changes of the served version and of all that it comes from, held or removed: SQL over each `changes.parquet`. A file is checked
 * once. Changes are sorted by trial, so that DuckDB reads few row groups of a trial; ids alone are read of all.
 */
export class HistoryStore implements AsyncDisposable {
  readonly #versionList: VersionList;
  readonly #log: Logger;
  readonly #trust: Trust;
  #open: readonly OpenVersion[] = [];
  #reach: HistoryReach = { start: null, oldest: null, versions: 0, missing: [] };
  #following: Promise<void> = Promise.resolve();
  /** The version that was followed last. */
  #asked: string | null = null;
  #closed = false;
  readonly #database = new LazyDatabase(MEMORY_LIMIT);

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
  async ofTrial(ids: readonly string[], limit: number): Promise<HistoryEntry[]> {
    await this.#following;
    const list = ids.map(sqlLiteral).join(', ');
    const names = `canonical_id IN (${list}) OR list_has_any(related, [${list}])`;
    return this.#reading(this.#open, async (read) => read.entries(await read.pairs(names, [], limit), names));
  }

  /** The trials that a registration's changes belong to, the latest first. */
  async trialsOf(registrationId: string): Promise<string[]> {
    await this.#following;
    const rows = await this.#reading(this.#open, (read) =>
      read.pairs('registration_id = $1', [registrationId], Number.MAX_SAFE_INTEGER),
    );
    return [...new Set(rows.reverse().map(({ canonicalId }) => canonicalId))];
  }

  /** A page of what changed in versions that are open, by version and trial. `isWanted` is called with canonical ids. */
  async page(
    versions: readonly OpenVersion[],
    { limit, from }: PageOf,
    isWanted: ((canonicalId: string) => boolean) | null,
  ): Promise<HistoryPage> {
    const start = from === undefined ? 0 : versions.findIndex(({ version }) => version === from.version);
    if (start < 0) return { entries: [], next: null };
    return this.#reading(versions.slice(start), async (read) => {
      const after = from === undefined ? 'true' : '(place > 0 OR canonical_id >= $1)';
      const values = from === undefined ? [] : [from.canonicalId];
      const found = await read.pairs(after, values, limit + 1, isWanted);
      const entries = await read.entries(found.slice(0, limit), 'true');
      return { entries, next: found[limit] ?? null };
    });
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
      const known = held.get(link.version);
      const one = known?.path === pathOf(link.stated) ? known : await this.#opened(link);
      if (this.#closed) return;
      if (one === null) missing.push(link.version);
      else open.push(one);
    }
    this.#open = open;
    const start = chain.findLast(({ hasChanges }) => hasChanges)?.parent ?? null;
    const oldest = await this.#oldest(start ?? version);
    this.#reach = { start, oldest, versions: open.length, missing };
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

  /** A version with its changes checked against the manifest; null where that is damaged or missing, which is logged. */
  async #opened({ version, stated }: Link): Promise<OpenVersion | null> {
    try {
      const { createdAt, asOf, parent } = stated.manifest;
      const fault = await this.#trust.distrusts(stated.manifest);
      if (fault !== null) throw new SnapshotDistrust(version, fault);
      return { version, publishedAt: createdAt, asOf, parent, path: await this.#soundFile(stated) };
    } catch (err) {
      this.#log.error({ version, err }, 'the changes of a version are left out of the history; restore its files');
      return null;
    }
  }

  /** Path of the changes, whose bytes are as the manifest states; in the folder of removed versions where gc has just moved it. */
  async #soundFile(stated: Stated): Promise<string> {
    const path = pathOf(stated);
    const sum = await sha256Of(path).catch((error: unknown) => {
      if (stated.state === 'held' && isGone(error)) return null;
      throw error;
    });
    if (sum === null) {
      const removed = await this.#versionList.findRemoved(stated.version);
      if (removed === null || !isReadable<Stated>(removed)) throw new Error(`${path} is missing`);
      return this.#soundFile(removed);
    }
    const { sha256 } = stated.manifest.storedChanges!.files[0]!;
    if (sum !== sha256) throw new Error(`${path} has SHA-256 ${sum}, the manifest states ${sha256}`);
    return path;
  }

  /** Reads the changes of versions; once more where gc has moved a file since it was found. */
  async #reading<Result>(
    versions: readonly OpenVersion[],
    work: (read: ChangeReader) => Promise<Result>,
  ): Promise<Result> {
    const read = async (): Promise<Result> => {
      const now = new Map(this.#open.map((one) => [one.version, one]));
      const found = versions.map((one) => now.get(one.version) ?? one);
      return this.#database.take((connection) => work(new ChangeReader(connection, found)));
    };
    try {
      return await read();
    } catch (error) {
      const paths = this.#open.map(({ path }) => path);
      if (this.#closed || this.#asked === null || paths.every((path) => existsSync(path))) throw error;
      await this.follow(this.#asked);
      return read();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#open = [];
    await this.#database[Symbol.asyncDispose]();
  }
}

function pathOf({ dir, manifest }: Stated): string {
  return join(dir, manifest.storedChanges!.files[0]!.path);
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part as Buffer);
  return hash.digest('hex');
}

/** SQL of the changes of versions, each with its version's place in the list. */
function sourceOf(versions: readonly OpenVersion[]): string {
  return `(SELECT *, file_index AS place FROM read_parquet([${versions.map(({ path }) => sqlLiteral(path)).join(', ')}]))`;
}

/** Reads the changes of versions, which come oldest first. */
class ChangeReader {
  readonly #connection: DuckDBConnection;
  readonly #versions: readonly OpenVersion[];

  constructor(connection: DuckDBConnection, versions: readonly OpenVersion[]) {
    this.#connection = connection;
    this.#versions = versions;
  }

  /** The first versions and trials of which a change meets the condition and `isWanted` takes the trial, in order. */
  async pairs(
    condition: string,
    values: DuckDBValue[],
    limit: number,
    isWanted: ((canonicalId: string) => boolean) | null = null,
  ): Promise<HistoryPlace[]> {
    const found: HistoryPlace[] = [];
    if (this.#versions.length === 0) return found;
    const result = await this.#connection.stream(
      `SELECT DISTINCT place, canonical_id FROM ${sourceOf(this.#versions)}
       WHERE canonical_id IS NOT NULL AND (${condition}) ORDER BY place, canonical_id`,
      values,
    );
    for await (const rows of result.yieldRowObjectJson()) {
      for (const { place, canonical_id } of rows) {
        if (found.length === limit) return found;
        const canonicalId = String(canonical_id);
        if (isWanted !== null && !isWanted(canonicalId)) continue;
        found.push({ version: this.#versions[Number(place)]!.version, canonicalId });
      }
    }
    return found;
  }

  /** The changes of these trials in these versions, of each those that meet the condition. */
  async entries(places: readonly HistoryPlace[], condition: string): Promise<HistoryEntry[]> {
    const entries: HistoryEntry[] = [];
    for (let at = 0; at < places.length; at += ENTRIES_PER_READ) {
      const some = places.slice(at, at + ENTRIES_PER_READ);
      const named = new Set(some.map(({ version }) => version));
      const versions = this.#versions.filter(({ version }) => named.has(version));
      const ids = [...new Set(some.map(({ canonicalId }) => sqlLiteral(canonicalId)))];
      const rows = await rowsOf(
        this.#connection,
        `SELECT place, canonical_id AS "canonicalId", kind, registry, registration_id AS "registrationId", item, field, "old", "new",
           title, related
         FROM ${sourceOf(versions)} WHERE canonical_id IN (${ids.join(', ')}) AND (${condition})
         ORDER BY place, ${CHANGE_KEY.map((column) => `"${column}"`).join(', ')}`,
        [],
      );
      const changesOf = Map.groupBy(rows, ({ place, canonicalId }) => `${Number(place)} ${String(canonicalId)}`);
      for (const { version, canonicalId } of some) {
        const place = versions.findIndex((one) => one.version === version);
        const { publishedAt, asOf, parent } = versions[place]!;
        const changes = (changesOf.get(`${place} ${canonicalId}`) ?? []).map(({ place: _, ...change }) => change);
        entries.push({ version, publishedAt, asOf, parent, changes: changes as unknown as StoredChange[] });
      }
    }
    return entries;
  }
}
