import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, listValue } from '@duckdb/node-api';
import { payloadIndexOf } from '../../snapshot/sql/payload-places.ts';
import { mayHoldRegistration } from '../../snapshot/sql/tables.ts';
import type { DeclaredPublication, RegistrationKey } from './records.ts';
import { rowsOf, Turns } from './turns.ts';

/** Memory that DuckDB may use for it in the server. */
const MEMORY_LIMIT = '256MB';

interface Opened {
  instance: DuckDBInstance;
  turns: Turns;
}

/**
 * Reads from the Parquet tables what snapshots of before did not prepare for servers: the index of payloads, and publications by
 * registration. Its database is loaded when it is first asked; after a failure, the next question tries again.
 */
export class EarlierTables implements AsyncDisposable {
  #opened: Promise<Opened> | null = null;

  /** The index of the payloads in part files, from the checksums of all of them. Rejects where a part cannot be read. */
  async payloadIndex(files: readonly string[]): Promise<Buffer> {
    return this.#ask((connection) =>
      payloadIndexOf(
        {
          run: async (sql) => void (await connection.run(sql)),
          one: async (sql) => (await rowsOf(connection, sql, []))[0] ?? null,
        },
        files,
      ),
    );
  }

  /** Publications that the registrations list, by registration in the order asked, then by their place in the record. */
  async publications(
    directory: string,
    files: readonly { path: string }[],
    keys: readonly RegistrationKey[],
  ): Promise<DeclaredPublication[]> {
    const found: DeclaredPublication[] = [];
    for (const { registry, id } of keys) {
      const holding = files
        .filter(({ path }) => mayHoldRegistration(path, id))
        .map(({ path }) => join(directory, path));
      if (holding.length === 0) continue;
      const rows = await this.#ask((connection) =>
        rowsOf(
          connection,
          `SELECT registration_id AS registration, registry, kind, kind_raw AS "kindRaw", pmid, doi, url, citation,
             "year", retracted
           FROM read_parquet($1) WHERE registry = $2 AND registration_id = $3 ORDER BY ordinal`,
          [listValue(holding), registry, id],
        ),
      );
      found.push(...(rows as unknown as DeclaredPublication[]));
    }
    return found;
  }

  async #ask<Result>(work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    this.#opened ??= opened().catch((error: unknown) => {
      this.#opened = null;
      throw error;
    });
    return (await this.#opened).turns.take(work);
  }

  /** Closes after what was asked for. */
  async [Symbol.asyncDispose](): Promise<void> {
    const held = await this.#opened?.catch(() => null);
    await held?.turns[Symbol.asyncDispose]();
    held?.instance.closeSync();
  }
}

async function opened(): Promise<Opened> {
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: MEMORY_LIMIT,
    threads: '1',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  return { instance, turns: new Turns(await instance.connect()) };
}
