import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RegistryId } from '../../contract/ids.ts';
import { payloadFormat } from '../../snapshot/format/payload-format.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import type { Effects } from '../effects.ts';
import { appendRows } from '../store/append-rows.ts';
import type { ChunkSource, Connection, Database } from '../store/database.ts';
import { writeDescribedParquet } from '../store/described-parquet.ts';

/** Payload bytes in one part file. */
const PART_BYTES = 64_000_000;
/**
 * Payload bytes in one row group; a group ends with the payload that reaches them. Reading one payload decompresses its whole group.
 * Groups of 1.5 MB would make the parts of real records a tenth smaller, and a read five times as dear.
 */
const GROUP_BYTES = 256_000;
/** The most rows that DuckDB takes in one chunk. */
const GROUP_ROWS = 2048;
/** The first and the last bytes of a Parquet file. */
const PARQUET_MARK = 'PAR1';

/** Directory of the part files, which hold each payload exactly as received. */
export function rawPartsDirectory(dataDir: string): string {
  return join(dataDir, 'work', 'raw-parts');
}

/** Parts that registrations name and that are not in the directory, or not whole. */
export async function lostParts(database: Connection, directory: string): Promise<string[]> {
  const lost: string[] = [];
  for (const part of await namedParts(database)) if (!(await isWhole(join(directory, part)))) lost.push(part);
  return lost;
}

async function namedParts(database: Connection): Promise<string[]> {
  const rows = await database.all('SELECT DISTINCT raw_part FROM registrations ORDER BY raw_part');
  return rows.map((row) => String(row.raw_part));
}

/** Parts are renamed into place when they are on disk, so that only what was cut or removed later lacks its end. */
async function isWhole(path: string): Promise<boolean> {
  try {
    await using file = await open(path, 'r');
    const { size } = await file.stat();
    const end = Buffer.alloc(PARQUET_MARK.length);
    await file.read(end, 0, end.length, Math.max(0, size - end.length));
    return size >= 2 * end.length && end.toString('latin1') === PARQUET_MARK;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

interface Payload {
  registry: RegistryId;
  id: string;
  sha256: string;
  /** As received; UTF-8. */
  bytes: Buffer;
}

/** The payloads as chunks of about GROUP_BYTES. */
function payloadGroups(payloads: readonly Payload[]): ChunkSource {
  let at = 0;
  return {
    columns: { registry: 'text', id: 'text', payload_sha256: 'text', format: 'text', payload: 'bytes' },
    next() {
      if (at === payloads.length) return null;
      const from = at;
      for (let bytes = 0; at < payloads.length && bytes < GROUP_BYTES && at - from < GROUP_ROWS; at++) {
        bytes += (payloads[at] as Payload).bytes.length;
      }
      const group = payloads.slice(from, at);
      return [
        group.map(({ registry }) => registry),
        group.map(({ id }) => id),
        group.map(({ sha256 }) => sha256),
        group.map(({ registry, bytes }) => payloadFormat(registry, bytes)),
        group.map(({ bytes }) => bytes),
      ];
    },
  };
}

/**
 * Writes payloads into immutable Parquet files, sorted by registry, id and hash: a reader finds one payload by the key
 * ranges of the row groups. A file's name is a hash over the registry, id and payload hash of its records. The
 * temporary table `staged_parts` says which file holds which payload.
 */
export class PayloadParts implements AsyncDisposable {
  written = 0;
  /** Parts whose records are read again, so that this run writes their payloads to new parts. */
  readonly renewed: readonly string[];
  readonly #database: Database;
  readonly #directory: string;
  readonly #effects: Effects;
  #payloads: Payload[] = [];
  #bytes = 0;
  #writing: Promise<void> = Promise.resolve();
  /** Kept until `flush`: when a part is finished, the main connection may still be reading a result. */
  #done: [registry: string, sha256: string, part: string][] = [];

  private constructor(database: Database, directory: string, effects: Effects, renewed: readonly string[]) {
    this.#database = database;
    this.#directory = directory;
    this.#effects = effects;
    this.renewed = renewed;
  }

  /** Makes the directory and the temporary table, and removes files that no registration refers to. */
  static async open(database: Database, dataDir: string, effects: Effects): Promise<PayloadParts> {
    const directory = rawPartsDirectory(dataDir);
    await mkdir(directory, { recursive: true });
    await removeUnreferenced(database, directory);
    await database.run(
      'CREATE OR REPLACE TEMP TABLE staged_parts (registry VARCHAR, payload_sha256 VARCHAR, raw_part VARCHAR)',
    );
    const lost = await lostParts(database, directory);
    const renewed = [...lost, ...(await mostlyDead(database, directory, lost))];
    return new PayloadParts(database, directory, effects, renewed);
  }

  async add(payload: Payload): Promise<void> {
    this.#payloads.push(payload);
    this.#bytes += payload.bytes.length;
    if (this.#bytes >= PART_BYTES) await this.#beginPart();
  }

  /** Writes the held payloads; all parts are then on disk and in `staged_parts`. */
  async flush(): Promise<void> {
    await this.#beginPart();
    await this.#writing;
    await appendRows(this.#database, 'staged_parts', this.#done);
    this.#done = [];
  }

  /** Waits for the part that is being written, then begins to write the held payloads while the next ones are read. */
  async #beginPart(): Promise<void> {
    await this.#writing;
    const payloads = this.#payloads;
    this.#payloads = [];
    this.#bytes = 0;
    if (payloads.length === 0) return;
    this.#writing = this.#write(payloads);
    // The next caller awaits it and gets the failure; until then Node must not report it as unhandled.
    this.#writing.catch(() => undefined);
  }

  async #write(payloads: readonly Payload[]): Promise<void> {
    const named = createHash('sha256');
    for (const { registry, id, sha256 } of payloads) named.update(`${registry} ${id} ${sha256}\n`);
    const part = `${named.digest('hex').slice(0, 32)}.parquet`;
    const unfinished = join(this.#directory, `${part}.tmp`);
    // Its own connection, so that it is compressed while the main one goes on.
    const connection = await this.#database.secondConnection();
    try {
      // A limit of one byte closes the group after each chunk.
      await this.#database.givingChunks(part, payloadGroups(payloads.toSorted(byKey)), () =>
        writeDescribedParquet(connection, {
          table: 'raw',
          rows: `SELECT registry, id, payload_sha256, format, decode(payload) AS payload
            FROM given_chunks(${sqlLiteral(part)})`,
          path: unfinished,
          options: 'ROW_GROUP_SIZE_BYTES 1',
        }),
      );
    } finally {
      connection.close();
    }
    await using file = await open(unfinished, 'r+');
    await file.sync();
    await rename(unfinished, join(this.#directory, part));
    for (const { registry, sha256 } of payloads) this.#done.push([registry, sha256, part]);
    this.written++;
    this.#effects.checkpoint('normalise:part-written');
  }

  /** Removes files that no committed registration refers to; returns how many. */
  removeUnreferenced(): Promise<number> {
    return removeUnreferenced(this.#database, this.#directory);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writing.catch(() => undefined);
  }
}

function byKey(a: Payload, b: Payload): number {
  const [left, right] = [a, b].map(({ registry, id, sha256 }) => `${registry} ${id} ${sha256}`) as [string, string];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Parts of which less than half of the payloads are those of a registration. */
async function mostlyDead(database: Database, directory: string, lost: readonly string[]): Promise<string[]> {
  const whole = (await namedParts(database)).filter((part) => !lost.includes(part));
  if (whole.length === 0) return [];
  const rows = await database.all(
    `SELECT raw_part FROM (SELECT raw_part, count(*) AS live FROM registrations GROUP BY raw_part)
     JOIN (SELECT parse_filename(file_name) AS raw_part, num_rows
           FROM parquet_file_metadata([${whole.map((part) => sqlLiteral(join(directory, part))).join(', ')}])) USING (raw_part)
     WHERE live * 2 < num_rows ORDER BY raw_part`,
  );
  return rows.map((row) => String(row.raw_part));
}

async function removeUnreferenced(database: Database, directory: string): Promise<number> {
  const named = await namedParts(database);
  const orphans = (await readdir(directory)).filter((name) => !named.includes(name));
  for (const name of orphans) await rm(join(directory, name));
  return orphans.length;
}
