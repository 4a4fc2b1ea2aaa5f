import { createHash, type Hash, hash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RegistryId } from '../../../contract/ids.ts';
import { payloadFormat } from '../../../snapshot/format/payload-format.ts';
import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import type { Effects } from '../../effects.ts';
import type { ChunkSource, Connection, Database, JsonRow, SecondConnection } from '../../store/database.ts';
import { writeDescribedParquet } from '../../store/described-parquet.ts';

/** Payload bytes in one part file. */
const PART_BYTES = 64_000_000;
/**
 * Payload bytes in one row group; a group ends with the payload that reaches them. Reading one payload decompresses its whole group.
 * Groups of 1.5 MB would make the parts of real records a tenth smaller, and a read five times as dear.
 */
const GROUP_BYTES = 256_000;
/** The most rows that DuckDB takes in one chunk. */
const GROUP_ROWS = 2048;

/** Directory of the part files, which hold each payload exactly as received. */
export function rawPartsDirectory(dataDir: string): string {
  return join(dataDir, 'work', 'raw-parts');
}

/** What a Parquet file begins and ends with. */
const PARQUET_MARK = 'PAR1';

/** Parts that registrations name and that are not in the directory, or not whole. */
export async function lostParts(database: Connection, directory: string): Promise<string[]> {
  const named = await database.all('SELECT DISTINCT raw_part AS part FROM registrations ORDER BY part');
  const lost: string[] = [];
  for (const { part } of named) if (!(await isWhole(join(directory, String(part))))) lost.push(String(part));
  return lost;
}

/** Parts are renamed into place when they are on disk, so that only what was cut or removed later lacks its end. */
async function isWhole(path: string): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  try {
    const { size } = await file.stat();
    if (size < 2 * PARQUET_MARK.length) return false;
    const { buffer } = await file.read(Buffer.alloc(PARQUET_MARK.length), 0, PARQUET_MARK.length, size - 4);
    return buffer.toString('latin1') === PARQUET_MARK;
  } finally {
    await file.close();
  }
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

/** A part that is being filled. It has its own connection, so that it is compressed while the next part fills. */
class PartBuffer {
  readonly #database: Database;
  readonly #connection: SecondConnection;
  #payloads: Payload[] = [];
  #bytes = 0;

  private constructor(database: Database, connection: SecondConnection) {
    this.#database = database;
    this.#connection = connection;
  }

  static async open(database: Database): Promise<PartBuffer> {
    return new PartBuffer(database, await database.secondConnection());
  }

  get isFull(): boolean {
    return this.#bytes >= PART_BYTES;
  }

  add(payload: Payload): void {
    this.#payloads.push(payload);
    this.#bytes += payload.bytes.length;
  }

  /** Writes the held payloads to a file of the directory; null when there are none. */
  async write(directory: string): Promise<{ part: string; seqs: number[] } | null> {
    if (this.#payloads.length === 0) return null;
    const payloads = this.#payloads;
    this.#payloads = [];
    this.#bytes = 0;
    const named = createHash('sha256');
    for (const { registry, id, sha256 } of payloads) named.update(`${registry} ${id} ${sha256}\n`);
    const part = partName(named);
    await this.#copy(directory, part, payloads.toSorted(byKey));
    return { part, seqs: payloads.map(({ seq }) => seq) };
  }

  close(): void {
    this.#connection.close();
  }

  async #copy(directory: string, part: string, payloads: readonly Payload[]): Promise<void> {
    const unfinished = join(directory, `${part}.tmp`);
    // A limit of one byte closes the group after each chunk.
    await this.#database.givingChunks(part, payloadGroups(payloads), () =>
      writeDescribedParquet(this.#connection, {
        table: 'raw',
        rows: `SELECT registry, id, payload_sha256, format, decode(payload) AS payload
          FROM given_chunks(${sqlLiteral(part)})`,
        path: unfinished,
        options: 'ROW_GROUP_SIZE_BYTES 1',
      }),
    );
    const file = await open(unfinished, 'r+');
    await file.sync();
    await file.close();
    await rename(unfinished, join(directory, part));
  }
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

/** The order of rows. A reader finds one payload by the key ranges of the row groups. */
function byKey(a: Payload, b: Payload): number {
  return compareAscii(a.registry, b.registry) || compareAscii(a.id, b.id) || compareAscii(a.sha256, b.sha256);
}

/** A payload read from a part. Throws when its bytes do not have the stated hash. */
function asStored(row: JsonRow): Payload {
  const [id, stated] = [String(row.id), String(row.payload_sha256)];
  const bytes = Buffer.from(String(row.payload));
  if (hash('sha256', bytes, 'hex') !== stated) throw new Error(`the payload of ${id} in the raw parts is damaged`);
  return { seq: 0, registry: row.registry as RegistryId, id, sha256: stated, bytes };
}

function compareAscii(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function partName(hash: Hash): string {
  return `${hash.digest('hex').slice(0, 32)}.parquet`;
}

async function forgetRecordsOf(lost: readonly string[], database: Database): Promise<void> {
  if (lost.length === 0) return;
  await database.transaction(() =>
    database.run(`
      DELETE FROM normalised_payloads n USING registrations r
        WHERE n.registry = r.registry AND n.id = r.id AND r.raw_part IN (${lost.map(sqlLiteral).join(', ')});
      DELETE FROM stage_state WHERE stage = 'normalise'`),
  );
}

/**
 * Writes payloads into immutable Parquet files. A file's name is a hash over the registry, id and payload hash of each
 * row in order. The temporary table `staged_parts` (seq, raw_part) says which file holds which record.
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
  /** Kept until `flush`: when a part is finished, the main connection may still be reading a result. */
  #done: { part: string; seqs: number[] }[] = [];

  private constructor(database: Database, directory: string, effects: Effects, buffers: [PartBuffer, PartBuffer]) {
    this.#database = database;
    this.#directory = directory;
    this.#effects = effects;
    [this.#filling, this.#writing] = buffers;
  }

  /**
   * Makes the directory and the temporary tables, and removes files that no registration refers to. Records of lost parts
   * are forgotten, and the raw sets are read again, so that this run writes their payloads anew.
   */
  static async open(database: Database, dataDir: string, effects: Effects): Promise<PayloadParts> {
    const directory = rawPartsDirectory(dataDir);
    await mkdir(directory, { recursive: true });
    await forgetRecordsOf(await lostParts(database, directory), database);
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

  /** Writes the held payloads; all parts are then on disk and in `staged_parts`. */
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
    // The next caller awaits it and gets the failure; until then Node must not report it as unhandled.
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
   * Copies the live rows of parts with less than half live rows into new parts. The table `live_payloads` (registry, id,
   * payload_sha256, raw_part) lists the live rows; `moved_parts` then maps old parts to new ones.
   */
  async rewriteMostlyDead(): Promise<void> {
    for (const group of await this.#groupsToRewrite()) {
      const query = `SELECT p.registry, p.id, p.payload_sha256, p.payload FROM read_parquet(${this.#listed(group)}) p
        SEMI JOIN (SELECT * FROM live_payloads WHERE raw_part IN (${group.map(sqlLiteral).join(', ')})) l
        USING (registry, id, payload_sha256)`;
      for await (const rows of this.#database.stream(`${query} ORDER BY registry, id, payload_sha256`)) {
        for (const row of rows) this.#filling.add(asStored(row));
      }
      const rewritten = await this.#filling.write(this.#directory);
      if (rewritten === null)
        throw new Error(`${group.join(', ')} hold no live payload, but live payloads were counted`);
      const { part } = rewritten;
      const moves = group.map((old) => `(${sqlLiteral(old)}, ${sqlLiteral(part)})`);
      await this.#database.run(`INSERT INTO moved_parts VALUES ${moves.join(', ')}`);
      this.rewritten += group.length;
      this.#effects.checkpoint('normalise:part-rewritten');
    }
  }

  /** Parts with some live rows, but less than half. The live rows of each group fit into one new part. */
  async #groupsToRewrite(): Promise<string[][]> {
    const files = await this.#files();
    if (files.length === 0) return [];
    const dying = await this.#database.all(`
      SELECT l.raw_part, CAST(l.live AS DOUBLE) / m.num_rows AS share
      FROM (SELECT raw_part, count(*) AS live FROM live_payloads GROUP BY raw_part) l
      JOIN (SELECT parse_filename(file_name) AS raw_part, num_rows
            FROM parquet_file_metadata(${this.#listed(files)})) m USING (raw_part)
      WHERE l.live * 2 < m.num_rows ORDER BY l.raw_part`);
    if (dying.length === 0) return [];
    const bytesOf = await this.#payloadBytes(dying.map((row) => String(row.raw_part)));
    const groups: string[][] = [];
    let bytes = Number.POSITIVE_INFINITY;
    for (const row of dying) {
      const liveBytes = Number(row.share) * (bytesOf.get(String(row.raw_part)) as number);
      if (bytes + liveBytes > PART_BYTES) {
        groups.push([]);
        bytes = 0;
      }
      groups.at(-1)?.push(String(row.raw_part));
      bytes += liveBytes;
    }
    return groups;
  }

  /** Bytes of each part's payloads. Only the row groups state them, while a part's rows are counted in one place. */
  async #payloadBytes(parts: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.#database.all(`
      SELECT parse_filename(file_name) AS raw_part, CAST(sum(total_uncompressed_size) AS DOUBLE) AS bytes
      FROM parquet_metadata(${this.#listed(parts)}) WHERE path_in_schema = 'payload' GROUP BY file_name`);
    return new Map(rows.map((row) => [String(row.raw_part), Number(row.bytes)]));
  }

  #listed(parts: readonly string[]): string {
    return `[${parts.map((part) => sqlLiteral(join(this.#directory, part))).join(', ')}]`;
  }

  async #files(): Promise<string[]> {
    return (await readdir(this.#directory)).filter((name) => name.endsWith('.parquet')).sort();
  }

  /** Removes files that no committed registration refers to; returns how many. */
  async removeUnreferenced(): Promise<number> {
    const rows = await this.#database.all('SELECT DISTINCT raw_part FROM registrations');
    const referenced = new Set(rows.map((row) => String(row.raw_part)));
    const orphans = (await readdir(this.#directory)).filter((name) => !referenced.has(name));
    for (const name of orphans) await rm(join(this.#directory, name));
    return orphans.length;
  }
}
