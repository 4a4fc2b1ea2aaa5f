import { createHash, type Hash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RegistryId } from '../../contract/ids.ts';
import { sqlLiteral } from '../../snapshot-sql/connection.ts';
import type { Effects } from '../effects.ts';
import type { Database, SecondConnection } from '../store/database.ts';

/** Payload bytes in one part file. */
const PART_BYTES = 64_000_000;
/** DuckDB's vector size: the smallest row group, so that reading one payload decompresses few others. */
const ROW_GROUP_ROWS = 2048;

/** What a registry sends. */
const FORMAT = "CASE registry WHEN 'isrctn' THEN 'xml' ELSE 'json' END";

/** Directory of the part files, which hold each payload exactly as received. */
export function rawPartsDirectory(dataDir: string): string {
  return join(dataDir, 'work', 'raw-parts');
}

export interface Payload {
  /** Number of the record in this run. */
  seq: number;
  registry: RegistryId;
  id: string;
  sha256: string;
  /** As received; UTF-8. */
  bytes: Buffer;
}

/** One part in the making, on a connection of its own, so that it is compressed while the next one fills. */
class PartBuffer {
  readonly #connection: SecondConnection;
  #payloads: Payload[] = [];
  #bytes = 0;

  private constructor(connection: SecondConnection) {
    this.#connection = connection;
  }

  static async open(database: Database): Promise<PartBuffer> {
    const connection = await database.secondConnection();
    await connection.run(
      'CREATE TEMP TABLE payload_buffer (registry VARCHAR, id VARCHAR, payload_sha256 VARCHAR, payload BLOB)',
    );
    return new PartBuffer(connection);
  }

  get isFull(): boolean {
    return this.#bytes >= PART_BYTES;
  }

  add(payload: Payload): void {
    this.#payloads.push(payload);
    this.#bytes += payload.bytes.length;
  }

  /** Writes what is held as a file of the directory; null when nothing is held. */
  async write(directory: string): Promise<{ part: string; seqs: number[] } | null> {
    if (this.#payloads.length === 0) return null;
    const payloads = this.#payloads;
    this.#payloads = [];
    this.#bytes = 0;
    const hash = createHash('sha256');
    for (const { registry, id, sha256 } of payloads) hash.update(`${registry} ${id} ${sha256}\n`);
    const part = partName(hash);
    await this.#append(payloads.toSorted(byKey));
    // A single row group of the buffer, which is read in the order in which it was appended.
    const query = `SELECT registry, id, payload_sha256, ${FORMAT} AS format, decode(payload) AS payload FROM payload_buffer`;
    await writePart(this.#connection, directory, part, query);
    await this.#connection.run('DELETE FROM payload_buffer');
    return { part, seqs: payloads.map(({ seq }) => seq) };
  }

  close(): void {
    this.#connection.close();
  }

  /** Sorted before they are handed over: sorting short keys costs nothing, moving payloads in the database does. */
  async #append(payloads: readonly Payload[]): Promise<void> {
    const appender = await this.#connection.appender('payload_buffer');
    for (const { registry, id, sha256, bytes } of payloads) {
      appender.appendVarchar(registry);
      appender.appendVarchar(id);
      appender.appendVarchar(sha256);
      appender.appendBlob(bytes);
      appender.endRow();
    }
    appender.closeSync();
  }
}

/** The order in which one payload is found by the ranges of its row groups. */
function byKey(a: Payload, b: Payload): number {
  return compareAscii(a.registry, b.registry) || compareAscii(a.id, b.id) || compareAscii(a.sha256, b.sha256);
}

function compareAscii(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function partName(hash: Hash): string {
  return `${hash.digest('hex').slice(0, 32)}.parquet`;
}

async function writePart(
  connection: Pick<Database, 'run'> | SecondConnection,
  directory: string,
  part: string,
  query: string,
): Promise<void> {
  const unfinished = join(directory, `${part}.tmp`);
  await connection.run(
    `COPY (${query}) TO ${sqlLiteral(unfinished)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP_ROWS})`,
  );
  const file = await open(unfinished, 'r+');
  await file.sync();
  await file.close();
  await rename(unfinished, join(directory, part));
}

/**
 * Writes payloads into immutable Parquet files named by a hash of what they hold (registry, id and payload hash of
 * each row in order). Which record went where is kept in the temporary table `staged_parts` (seq, raw_part).
 */
export class PayloadParts implements AsyncDisposable {
  written = 0;
  rewritten = 0;
  readonly #database: Database;
  readonly #directory: string;
  readonly #effects: Effects;
  #filling: PartBuffer;
  #writing: PartBuffer;
  #written: Promise<unknown> = Promise.resolve();
  /** Kept here until the end: the main connection may be in the middle of a result when a part is done. */
  #done: { part: string; seqs: number[] }[] = [];

  private constructor(database: Database, directory: string, effects: Effects, buffers: [PartBuffer, PartBuffer]) {
    this.#database = database;
    this.#directory = directory;
    this.#effects = effects;
    [this.#filling, this.#writing] = buffers;
  }

  /** Makes the directory and the temporary tables, and removes files that no registration refers to. */
  static async open(database: Database, dataDir: string, effects: Effects): Promise<PayloadParts> {
    const directory = rawPartsDirectory(dataDir);
    await mkdir(directory, { recursive: true });
    await database.run(`
      CREATE OR REPLACE TEMP TABLE staged_parts (seq BIGINT, raw_part VARCHAR);
      CREATE OR REPLACE TEMP TABLE moved_parts (raw_part VARCHAR, moved_to VARCHAR)`);
    const buffers: [PartBuffer, PartBuffer] = [await PartBuffer.open(database), await PartBuffer.open(database)];
    const parts = new PayloadParts(database, directory, effects, buffers);
    await parts.removeUnreferenced();
    return parts;
  }

  async add(payload: Payload): Promise<void> {
    this.#filling.add(payload);
    if (this.#filling.isFull) await this.#turn();
  }

  /** Writes what is held; all parts are on disk and in `staged_parts` afterwards. */
  async flush(): Promise<void> {
    await this.#turn();
    await this.#written;
    const appender = await this.#database.appender('staged_parts');
    for (const { part, seqs } of this.#done) {
      for (const seq of seqs) {
        appender.appendBigInt(BigInt(seq));
        appender.appendVarchar(part);
        appender.endRow();
      }
    }
    appender.closeSync();
    this.#done = [];
  }

  /** Waits for the part that is being written, then begins to write the filled one. */
  async #turn(): Promise<void> {
    await this.#written;
    [this.#filling, this.#writing] = [this.#writing, this.#filling];
    this.#written = this.#write(this.#writing);
    // Whoever awaits it next meets the failure; until then it must not count as unhandled.
    this.#written.catch(() => undefined);
  }

  async #write(buffer: PartBuffer): Promise<void> {
    const done = await buffer.write(this.#directory);
    if (done === null) return;
    this.#done.push(done);
    this.written++;
    this.#effects.checkpoint('normalise:part-written');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#written.catch(() => undefined);
    this.#filling.close();
    this.#writing.close();
  }

  /**
   * Copies the live rows of parts that are more than half dead into new parts. `live_payloads` (registry, id,
   * payload_sha256, raw_part) says what is live; `moved_parts` then maps old parts to new ones.
   */
  async rewriteMostlyDead(): Promise<void> {
    for (const group of await this.#groupsToRewrite()) {
      const files = group.map((part) => sqlLiteral(join(this.#directory, part))).join(', ');
      const query = `SELECT p.registry, p.id, p.payload_sha256, p.format, p.payload FROM read_parquet([${files}]) p
        SEMI JOIN (SELECT * FROM live_payloads WHERE raw_part IN (${group.map(sqlLiteral).join(', ')})) l
        USING (registry, id, payload_sha256)`;
      const keys = this.#database.stream(
        `SELECT registry || ' ' || id || ' ' || payload_sha256 AS key FROM (${query}) ORDER BY key`,
      );
      const hash = createHash('sha256');
      for await (const rows of keys) for (const row of rows) hash.update(`${row.key}\n`);
      const part = partName(hash);
      await writePart(this.#database, this.#directory, part, `${query} ORDER BY registry, id, payload_sha256`);
      const moves = group.map((old) => `(${sqlLiteral(old)}, ${sqlLiteral(part)})`);
      await this.#database.run(`INSERT INTO moved_parts VALUES ${moves.join(', ')}`);
      this.rewritten += group.length;
      this.#effects.checkpoint('normalise:part-rewritten');
    }
  }

  /** Parts with some, but less than half, live rows, in groups that make one part each. */
  async #groupsToRewrite(): Promise<string[][]> {
    const files = await this.#files();
    if (files.length === 0) return [];
    const list = files.map((file) => sqlLiteral(join(this.#directory, file))).join(', ');
    const dying = await this.#database.all(`
      SELECT l.raw_part, CAST(l.live AS DOUBLE) / m.num_rows * m.bytes AS live_bytes
      FROM (SELECT raw_part, count(*) AS live FROM live_payloads GROUP BY raw_part) l
      JOIN (SELECT parse_filename(file_name) AS raw_part, sum(row_group_num_rows) AS num_rows,
                   sum(total_uncompressed_size) AS bytes
            FROM parquet_metadata([${list}]) WHERE path_in_schema = 'payload' GROUP BY file_name) m USING (raw_part)
      WHERE l.live * 2 < m.num_rows ORDER BY l.raw_part`);
    const groups: string[][] = [];
    let bytes = Number.POSITIVE_INFINITY;
    for (const row of dying) {
      const liveBytes = Number(row.live_bytes);
      if (bytes + liveBytes > PART_BYTES) {
        groups.push([]);
        bytes = 0;
      }
      groups.at(-1)?.push(String(row.raw_part));
      bytes += liveBytes;
    }
    return groups;
  }

  async #files(): Promise<string[]> {
    return (await readdir(this.#directory)).filter((name) => name.endsWith('.parquet')).sort();
  }

  /** Removes files that the committed table does not refer to; returns how many. */
  async removeUnreferenced(): Promise<number> {
    const rows = await this.#database.all('SELECT DISTINCT raw_part FROM registrations');
    const referenced = new Set(rows.map((row) => String(row.raw_part)));
    const orphans = (await readdir(this.#directory)).filter((name) => !referenced.has(name));
    for (const name of orphans) await rm(join(this.#directory, name));
    return orphans.length;
  }
}
