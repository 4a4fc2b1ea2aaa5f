import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, listValue } from '@duckdb/node-api';
import type { RegistryId } from '../../contract/ids.ts';
import type { Manifest, SnapshotTable } from '../../snapshot-format/manifest.ts';
import { mayHoldRegistration } from '../../snapshot-sql/tables.ts';
import { PayloadIndex } from './payload-index.ts';
import { rowsOf, Turns } from './turns.ts';

export interface RegistrationKey {
  registry: RegistryId;
  id: string;
}

/** A registration of a snapshot with the payload that it was read from, as `sha256:` and its digest. */
export interface PayloadKey extends RegistrationKey {
  checksum: string;
}

export interface RawPayload {
  registration: string;
  checksum: string;
  format: 'json' | 'xml' | 'csv';
  payload: string;
}

export interface DeclaredPublication {
  registration: string;
  registry: RegistryId;
  kind: 'results' | 'background' | 'derived' | 'protocol' | 'other';
  kindRaw: string | null;
  pmid: string | null;
  doi: string | null;
  url: string | null;
  citation: string | null;
  year: number | null;
  retracted: boolean;
}

/** A snapshot that the store reads: its directory and what its manifest says it holds. */
export interface SnapshotFiles {
  directory: string;
  manifest: Manifest;
}

/** Memory that DuckDB may use in the server; a look-up reads a few row groups. */
const MEMORY_LIMIT = '256MB';

/**
 * Reads by key what only the Parquet tables have: raw payloads and publications. Rejects when a file cannot be read, as
 * when a snapshot is removed during a long request; the caller answers that as a failed read.
 */
export class ParquetStore implements AsyncDisposable {
  readonly #instance: DuckDBInstance;
  readonly #turns: Turns;
  readonly #payloads: PayloadIndex;

  private constructor(instance: DuckDBInstance, turns: Turns) {
    this.#instance = instance;
    this.#turns = turns;
    this.#payloads = new PayloadIndex(instance);
  }

  static async open(): Promise<ParquetStore> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: MEMORY_LIMIT,
      threads: '1',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    return new ParquetStore(instance, new Turns(await instance.connect()));
  }

  /**
   * Payloads of a trial's registrations, in the order asked. Each is found by the row-group ranges of (registry, id) in
   * the part that the index names, or in all parts until the index is ready. Snapshots share part files, which may hold
   * other payloads of the same record: the checksum identifies the right one. Rejects for one that has not this checksum.
   */
  async rawPayloads(snapshot: SnapshotFiles, keys: readonly PayloadKey[]): Promise<RawPayload[]> {
    const found: RawPayload[] = [];
    const parts = { directory: snapshot.directory, files: tableFiles(snapshot, 'raw') };
    for (const key of keys) {
      const sha256 = key.checksum.replace('sha256:', '');
      // The index is asked when the look-up's turn comes: it may have become ready meanwhile.
      const rows = await this.#turns.take(async (connection) =>
        fileRows(
          connection,
          `SELECT id AS registration, 'sha256:' || payload_sha256 AS checksum, format, payload
           FROM read_parquet($1) WHERE registry = $2 AND id = $3 AND payload_sha256 = $4 LIMIT 1`,
          [await this.#payloads.filesOf(parts, sha256, connection), key.registry, key.id, sha256],
        ),
      );
      const raw = rows[0] as unknown as RawPayload | undefined;
      if (raw === undefined) throw new Error(`snapshot ${snapshot.manifest.version} holds no payload of ${key.id}`);
      const sum = createHash('sha256').update(raw.payload).digest('hex');
      if (sum !== sha256) throw new Error(`the payload of ${key.id} has SHA-256 ${sum}, expected ${sha256}`);
      found.push(raw);
    }
    return found;
  }

  /** Resolves when the index of payloads is ready. The first look-up begins to make it and does not wait for it. */
  async indexed(snapshot: SnapshotFiles): Promise<void> {
    await this.#payloads.indexed({ directory: snapshot.directory, files: tableFiles(snapshot, 'raw') });
  }

  /**
   * Publications that the registrations list, by registration in the order asked, then by their place in the record.
   */
  async publications(snapshot: SnapshotFiles, keys: readonly RegistrationKey[]): Promise<DeclaredPublication[]> {
    const found: DeclaredPublication[] = [];
    for (const key of keys) {
      const files = tableFiles(snapshot, 'publications', key);
      const rows = await this.#turns.take((connection) =>
        fileRows(
          connection,
          `SELECT registration_id AS registration, registry, kind, kind_raw AS "kindRaw", pmid, doi, url, citation,
             "year", retracted
           FROM read_parquet($1) WHERE registry = $2 AND registration_id = $3 ORDER BY ordinal`,
          [files, key.registry, key.id],
        ),
      );
      found.push(...(rows as unknown as DeclaredPublication[]));
    }
    return found;
  }

  /** Closes after the look-ups that were asked for. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#turns[Symbol.asyncDispose]();
    await this.#payloads[Symbol.asyncDispose]();
    this.#instance.closeSync();
  }
}

async function fileRows(
  connection: DuckDBConnection,
  sql: string,
  [files, ...values]: [string[], ...string[]],
): Promise<Record<string, unknown>[]> {
  return files.length === 0 ? [] : rowsOf(connection, sql, [listValue(files), ...values]);
}

/** Files of a table; with a key, only the files that may hold its rows. */
function tableFiles(snapshot: SnapshotFiles, table: SnapshotTable, key?: RegistrationKey): string[] {
  return snapshot.manifest.tables[table].files
    .filter(({ path }) => key === undefined || mayHoldRegistration(path, key.id))
    .map(({ path }) => join(snapshot.directory, path));
}
