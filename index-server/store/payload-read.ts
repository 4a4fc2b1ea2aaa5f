import { hash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import type { RegistryId } from '../../contract/ids.ts';
import { Moved, WorkerPool } from '../../server-kit/threads/worker-pool.ts';
import { payloadFormat } from '../../snapshot/format/payload-format.ts';
import type { PayloadPlace } from '../../snapshot/format/payload-index.ts';
import { partAt } from './json-part.ts';
import { textInColumn } from './parquet-column.ts';
import { jsonString } from './raw-json.ts';
import type { RawPayload } from './records.ts';

/** A payload to read: its place, and the SHA-256 that it must have. */
export interface PayloadRead extends Omit<PayloadPlace, 'part'> {
  path: string;
  sha256: string;
  registry: RegistryId;
  /** JSON pointer of the part that is wanted; the whole without it. */
  part?: string | undefined;
}

/** A payload as answers show it. */
export type ReadPayload = Pick<RawPayload, 'format' | 'noPart'> & { json: Uint8Array<ArrayBuffer> };

/** Reads that may wait: about a second of work. */
const MAX_WAITING = 1024;
/** Bytes outside the heap are most of what a read takes, and are not counted in this. */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };

/**
 * The worker that reads payloads and writes their JSON. A read decompresses a whole row group to give one payload of it. In the thread
 * of requests that garbage would have the whole heap of the server collected every few dozen reads; the worker's own heap is small.
 */
export function payloadReader(): WorkerPool<PayloadRead, ReadPayload> {
  const options = { inputs: 2, maxWaiting: MAX_WAITING, resourceLimits: HEAP_LIMITS };
  return new WorkerPool(new URL(import.meta.url), 'readPayload', options);
}

/** Room for a column of nearly any row group; a longer one gets its own. */
let room: Buffer | undefined;
const ROOM_BYTES = 2 ** 20;

/** Runs in the worker. Files are read and not mapped: one that was cut is a failed read, not the end of the process. */
export function readPayload({ path, at, bytes, rows, row, sha256, registry, part }: PayloadRead): Moved<ReadPayload> {
  room ??= Buffer.allocUnsafeSlow(ROOM_BYTES);
  const column = bytes <= room.length ? room.subarray(0, bytes) : Buffer.allocUnsafeSlow(bytes);
  const file = openSync(path, 'r');
  try {
    const bytesRead = readSync(file, column, 0, bytes, at);
    if (bytesRead < bytes) throw new Error(`${path} has ${bytesRead} bytes at ${at}, expected ${bytes}`);
  } finally {
    closeSync(file);
  }
  const payload = textIn(column, { row, rows }, `${path} is damaged in the row group at ${at}`);
  const found = hash('sha256', payload);
  if (found !== sha256) throw new Error(`a payload in ${path} has SHA-256 ${found}, expected ${sha256}`);
  const read = readOf(payload, payloadFormat(registry, payload), part);
  // Frees a decompressed row group at once: left to the collector, they would have it run every hundred reads.
  // Small buffers are pieces of one that Node shares among them.
  const group = payload.buffer as ArrayBuffer;
  if (group !== room.buffer && group.byteLength > Buffer.poolSize) group.transfer(0);
  return new Moved(read, [read.json.buffer]);
}

function readOf(payload: Uint8Array, format: ReadPayload['format'], pointer: string | undefined): ReadPayload {
  if (pointer === undefined) return { format, json: jsonString(payload) };
  const part: Uint8Array | NonNullable<ReadPayload['noPart']> =
    format === 'json' ? partAt(payload, pointer) : 'not-json';
  if (part instanceof Uint8Array) return { format, json: jsonString(part) };
  return { format, json: jsonString(new Uint8Array()), noPart: part };
}

function textIn(column: Uint8Array, place: { row: number; rows: number }, damaged: string): Uint8Array {
  try {
    return textInColumn(column, place);
  } catch (cause) {
    throw new Error(damaged, { cause });
  }
}
