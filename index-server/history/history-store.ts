import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Logger } from 'pino';
import type { StoredChange } from '../../snapshot/format/versions/change.ts';
import { removedPath } from '../../snapshot/format/versions/removed.ts';
import {
  isReadable,
  type KnownSnapshot,
  type RemovedSnapshot,
  type VersionList,
} from '../../snapshot/format/versions/version-list.ts';
import { CHANGE_KEY } from '../../snapshot/sql/compare.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import { columnList } from '../../snapshot/sql/tables.ts';
import { type PublicationTrust, SnapshotDistrust } from '../snapshot/publication-trust.ts';
import { LazyDatabase, rowsOf } from '../store/turns.ts';

/** A version whose changes can be read. */
export interface OpenVersion {
  version: string;
  publishedAt: string;
  /** The version that it is compared with. */
  parent: string | null;
  /** Where its `changes.parquet` may be, whose bytes were as the manifest states: gc moves it. */
  paths: string[];
}

/** What changed in one version about one trial. */
export interface HistoryEntry extends Omit<OpenVersion, 'paths'> {
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

/** The stored changes of a version that is served and of all that it comes from. */
export interface KeptHistory {
  served: string;
  /** Those whose changes can be read, oldest first. */
  versions: readonly OpenVersion[];
  /** The version that the oldest stored changes are compared with; null where none are kept. */
  start: string | null;
  /** The oldest version whose trials are known: `start`, or the served one where no changes are kept. */
  oldest: {
    version: string;
    /** When it was published; null where neither it nor its manifest is kept. */
    publishedAt: string | null;
    /** False where it is known to be the first that was ever published. */
    hasEarlier: boolean;
  };
  /** Versions between whose changes are missing or damaged. */
  missing: string[];
}

/** Which versions may be shown. */
type Trust = Pick<PublicationTrust, 'distrusts'>;
const TRUSTS_ALL: Trust = { distrusts: async () => null };

/** What one look-up may hold in memory. */
const MEMORY_LIMIT = '256MB';

/**
 * The changes of the served version and of all that it comes from, held or removed: SQL over each `changes.parquet`. A file is checked
 * once for each served version. Changes are sorted by trial, so that DuckDB reads few row groups of a trial; ids alone are read of all.
 */
export class HistoryStore implements AsyncDisposable {
  readonly #versionList: VersionList;
  readonly #log: Logger;
  readonly #trust: Trust;
  readonly #database = new LazyDatabase(MEMORY_LIMIT);
  #last: { served: string; kept: Promise<KeptHistory> } | null = null;

  constructor(versionList: VersionList, log: Logger, trust: Trust = TRUSTS_ALL) {
    this.#versionList = versionList;
    this.#log = log;
    this.#trust = trust;
  }

  /** The history of a version that is served; it is read once. */
  of(served: string): Promise<KeptHistory> {
    if (this.#last?.served === served) return this.#last.kept;
    const kept = this.#read(served);
    this.#last = { served, kept };
    kept.catch((err: unknown) => {
      this.#log.error({ version: served, err }, 'the history of the snapshot cannot be read');
      if (this.#last?.kept === kept) this.#last = null;
    });
    return kept;
  }

  /** Changes that name one of the ids, oldest first: give a trial's id with its aliases. */
  ofTrial({ versions }: KeptHistory, ids: readonly string[]): Promise<HistoryEntry[]> {
    const list = ids.map(sqlLiteral).join(', ');
    const names = `canonical_id IN (${list}) OR list_has_any(related, [${list}])`;
    return this.#database.take((connection) => entriesWhere(connection, versions, names));
  }

  /** The trials that a registration's changes belong to, the latest first. */
  async trialsOf({ versions }: KeptHistory, registrationId: string): Promise<string[]> {
    if (versions.length === 0) return [];
    const sql = `SELECT canonical_id FROM ${sourceOf(versions)} WHERE registration_id = $1 AND canonical_id IS NOT NULL
      GROUP BY canonical_id ORDER BY max(place) DESC, canonical_id DESC`;
    const rows = await this.#database.take((connection) => rowsOf(connection, sql, [registrationId]));
    return rows.map(({ canonical_id }) => String(canonical_id));
  }

  /** A page of what changed in these versions, by version and trial, from a place on. `isWanted` is called with canonical ids. */
  async page(
    versions: readonly OpenVersion[],
    { limit, from }: { limit: number; from?: HistoryPlace },
    isWanted: ((canonicalId: string) => boolean) | null,
  ): Promise<HistoryPage> {
    const start = from === undefined ? 0 : versions.findIndex(({ version }) => version === from.version);
    const left = start < 0 ? [] : versions.slice(start);
    return this.#database.take(async (connection) => {
      const found = await placesFrom(connection, left, { limit: limit + 1, from: from?.canonicalId }, isWanted);
      const [shown, next] = [found.slice(0, limit), found[limit]];
      const places = shown.map(([place, id]) => `(${place}, ${sqlLiteral(id)})`).join(', ');
      const ids = shown.map(([, id]) => sqlLiteral(id)).join(', ');
      const isShown = `canonical_id IN (${ids}) AND (place, canonical_id) IN (${places})`;
      // No version after the last one shown is read.
      const read = left.slice(0, (shown.at(-1)?.[0] ?? -1) + 1);
      return {
        entries: await entriesWhere(connection, read, isShown),
        next: next === undefined ? null : { version: left[next[0]]!.version, canonicalId: next[1] },
      };
    });
  }

  async #read(served: string): Promise<KeptHistory> {
    const versions: OpenVersion[] = [];
    const missing: string[] = [];
    let start: string | null = null;
    let at = await this.#find(served);
    while (at?.manifest.storedChanges) {
      const one = await this.#opened(at);
      if (one === null) missing.unshift(at.version);
      else versions.unshift(one);
      const isNewer = (at.manifest.parent ?? '') >= at.version;
      start = at.manifest.parent;
      // A parent is older by its name, so no ring goes on for ever.
      at = start === null || isNewer ? null : await this.#find(start);
    }
    const publishedAt = at?.manifest.createdAt ?? null;
    const oldest = { version: start ?? served, publishedAt, hasEarlier: at === null || at.manifest.parent !== null };
    return { served, versions, start, oldest, missing };
  }

  /** A version, held or removed; null where nothing of it can be read. */
  async #find(version: string): Promise<KnownSnapshot | RemovedSnapshot | null> {
    const found = (await this.#versionList.find(version)) ?? (await this.#versionList.findRemoved(version));
    return found !== null && isReadable<KnownSnapshot | RemovedSnapshot>(found) ? found : null;
  }

  /** A version with its changes checked against the manifest; null where that is damaged or missing, which is logged. */
  async #opened({ version, dir, state, manifest }: KnownSnapshot | RemovedSnapshot): Promise<OpenVersion | null> {
    try {
      const fault = await this.#trust.distrusts(manifest);
      if (fault !== null) throw new SnapshotDistrust(version, fault);
      const { path, sha256 } = manifest.storedChanges!.files[0]!;
      const dirs = state === 'held' ? [dir, removedPath(dirname(dir), version)] : [dir];
      const paths = dirs.map((one) => join(one, path));
      const hash = createHash('sha256');
      await pipeline(createReadStream(thereOf(paths)), hash);
      const sum = hash.digest('hex');
      if (sum !== sha256) throw new Error(`${path} has SHA-256 ${sum}, the manifest states ${sha256}`);
      return { version, publishedAt: manifest.createdAt, parent: manifest.parent, paths };
    } catch (err) {
      this.#log.error({ version, err }, 'the changes of a version are left out of the history; restore its files');
      return null;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last?.kept.catch(() => null);
    await this.#database[Symbol.asyncDispose]();
  }
}

function thereOf(paths: readonly string[]): string {
  return paths.find((path) => existsSync(path)) ?? paths[0]!;
}

/** SQL of the changes of versions, each with its version's place in the list. */
function sourceOf(versions: readonly OpenVersion[]): string {
  const files = versions.map(({ paths }) => sqlLiteral(thereOf(paths)));
  return `(SELECT *, file_index AS place FROM read_parquet([${files.join(', ')}]))`;
}

/** Places of versions with the ids of trials that changed there, in order, from an id of the first version on. */
async function placesFrom(
  connection: DuckDBConnection,
  versions: readonly OpenVersion[],
  { limit, from = '' }: { limit: number; from: string | undefined },
  isWanted: ((canonicalId: string) => boolean) | null,
): Promise<[place: number, canonicalId: string][]> {
  const found: [number, string][] = [];
  if (versions.length === 0) return found;
  const result = await connection.stream(
    `SELECT DISTINCT place, canonical_id AS id FROM ${sourceOf(versions)}
     WHERE canonical_id IS NOT NULL AND (place > 0 OR canonical_id >= $1) ORDER BY place, id`,
    [from],
  );
  for await (const rows of result.yieldRowObjectJson()) {
    for (const { place, id } of rows) {
      if (found.length === limit) return found;
      if (isWanted === null || isWanted(String(id))) found.push([Number(place), String(id)]);
    }
  }
  return found;
}

/** The changes that meet a condition, by version and trial, oldest first. */
async function entriesWhere(
  connection: DuckDBConnection,
  versions: readonly OpenVersion[],
  condition: string,
): Promise<HistoryEntry[]> {
  if (versions.length === 0) return [];
  const rows = await rowsOf(
    connection,
    `SELECT place, canonical_id AS "canonicalId", kind, registry, registration_id AS "registrationId", item, field, "old", "new",
       title, related
     FROM ${sourceOf(versions)} WHERE canonical_id IS NOT NULL AND (${condition})
     ORDER BY place, ${columnList(CHANGE_KEY)}`,
    [],
  );
  const byTrial = Map.groupBy(rows, ({ place, canonicalId }) => `${Number(place)} ${String(canonicalId)}`);
  return Array.from(byTrial.values(), (found) => {
    const { version, publishedAt, parent } = versions[Number(found[0]!.place)]!;
    const changes = found.map(({ place: _, ...change }) => change as unknown as StoredChange);
    return { version, publishedAt, parent, changes };
  });
}
