import { hash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { payloadFormat } from '../../snapshot/format/payload-format.ts';
import { partAt } from './json-part.ts';
import { textInColumn } from './parquet-column.ts';
import type { PayloadAnswer, PayloadRead, PayloadRequest, ReadPayload } from './payload-thread.ts';
import { jsonString } from './raw-json.ts';

/** Worker of payload-thread.ts: one payload or fault for each read, in their order. It waits for the disk, so that answers keep it. */
parentPort?.on('message', (request: PayloadRequest) => {
  if ('closed' in request) return closeFiles(request.closed);
  let answer: PayloadAnswer;
  try {
    answer = payloadAt(request);
  } catch (fault) {
    answer = { fault };
  }
  parentPort?.postMessage(answer, 'json' in answer ? [answer.json.buffer] : []);
});

/** Descriptors by the number of their snapshot's files, then by path. */
const opened = new Map<number, Map<string, number>>();

/** Room for a column of nearly any row group; a longer one gets its own. */
const room = Buffer.allocUnsafeSlow(2 ** 20);

function payloadAt({ files, path, at, bytes, rows, row, sha256, registry, part }: PayloadRead) {
  const column = bytes <= room.length ? room.subarray(0, bytes) : Buffer.allocUnsafeSlow(bytes);
  const bytesRead = readSync(descriptor(files, path), column, 0, bytes, at);
  if (bytesRead < bytes) throw new Error(`${path} has ${bytesRead} bytes at ${at}, expected ${bytes}`);
  const payload = textIn(column, { row, rows }, `${path} is damaged in the row group at ${at}`);
  const found = hash('sha256', payload);
  if (found !== sha256) throw new Error(`a payload in ${path} has SHA-256 ${found}, expected ${sha256}`);
  const read = readOf(payload, payloadFormat(registry, payload), part);
  giveBack(payload.buffer as ArrayBuffer);
  return read;
}

function readOf(payload: Uint8Array, format: ReadPayload['format'], pointer: string | undefined) {
  if (pointer === undefined) return { format, json: jsonString(payload) };
  const part: Uint8Array | NonNullable<ReadPayload['noPart']> =
    format === 'json' ? partAt(payload, pointer) : 'not-json';
  if (part instanceof Uint8Array) return { format, json: jsonString(part) };
  return { format, json: jsonString(new Uint8Array()), noPart: part };
}

/** Frees a decompressed row group at once: left to the collector, they would have it run every hundred reads. */
function giveBack(group: ArrayBuffer): void {
  // Small buffers are pieces of one that Node shares among them.
  if (group !== room.buffer && group.byteLength > Buffer.poolSize) group.transfer(0);
}

function textIn(column: Uint8Array, place: { row: number; rows: number }, damaged: string): Uint8Array {
  try {
    return textInColumn(column, place);
  } catch (cause) {
    throw new Error(damaged, { cause });
  }
}

function descriptor(files: number, path: string): number {
  const ofSnapshot = opened.get(files) ?? new Map<string, number>();
  opened.set(files, ofSnapshot);
  const held = ofSnapshot.get(path) ?? openSync(path, 'r');
  ofSnapshot.set(path, held);
  return held;
}

function closeFiles(files: number): void {
  for (const held of opened.get(files)?.values() ?? []) closeSync(held);
  opened.delete(files);
}
