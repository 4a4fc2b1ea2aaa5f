import { availableParallelism } from 'node:os';
import type { RegistryId } from '../../contract/ids.ts';
import { mapInOrder, WorkerPool } from '../../server-kit/threads/worker-pool.ts';
import type { RawRecord } from '../raw/fetch-log.ts';
import { normaliseCtgov } from './ctgov/ctgov.ts';
import { normaliseIsrctn } from './isrctn/isrctn.ts';
import {
  type FieldFault,
  NORMALISER_VERSION,
  type NormalisedRecord,
  type Normaliser,
  payloadSha256,
  type RejectedRecord,
} from './record.ts';
import { jsonLine } from './staging.ts';

/** Whose payloads are read, and the day (YYYY-MM-DD) on which statuses are derived from dates. */
export interface Source {
  registry: RegistryId;
  asOf: string;
}

/** A payload that was read. */
interface ReadPayload {
  ok: true;
  id: string;
  updated: string;
  faults: FieldFault[];
  /** Its row for the table of staged records, as JSON. */
  line: string;
}

/** A record of a raw set. */
export type SourceRecord =
  | { file: string; rejected: RejectedRecord }
  | {
      seq: number;
      payload: Buffer;
      sha256: string;
      receivedAt: string;
      /** Null where the payload is known and was not read. */
      read: ReadPayload | null;
    };

interface GivenPayload {
  bytes: Uint8Array<ArrayBuffer>;
  seq: number;
  sha256: string;
  receivedAt: string;
}

interface WorkerInput {
  source: Source;
  payloads: GivenPayload[];
}

type Reading = ReadPayload | RejectedRecord;

const NORMALISERS: Record<RegistryId, Normaliser> = { clinicaltrials_gov: normaliseCtgov, isrctn: normaliseIsrctn };

/** Limits of a batch: some tens of milliseconds of work, far more than the cost of a message to a worker. */
const BATCH_BYTES = 1_000_000;
const BATCH_RECORDS = 250;
/** Batches that a worker holds: the current one and the next, so that it never waits for the main thread. */
const BATCHES_A_THREAD = 2;
/** Below this many records workers cost more than they save. */
const RECORDS_WORTH_THREADS = 5000;
/** More workers would wait for the one thread that unpacks and writes. */
const MAX_THREADS = 4;

/** How many workers to use for this many records; 0 to read on the caller's thread. */
export function threadsFor(records: number): number {
  return records < RECORDS_WORTH_THREADS ? 0 : Math.min(MAX_THREADS, availableParallelism());
}

/** Reads records in batches, in workers or on the caller's thread, with equal results. */
export class RecordReader implements AsyncDisposable {
  readonly #source: Source;
  readonly #known: ReadonlyMap<string, unknown>;
  readonly #pool: WorkerPool<WorkerInput, Reading[]> | null;
  readonly #limit: number;

  /** `known`: payload hashes that are not read. */
  constructor(source: Source, known: ReadonlyMap<string, unknown>, threads: number) {
    this.#source = source;
    this.#known = known;
    this.#limit = Math.max(1, threads * BATCHES_A_THREAD);
    const options = { count: threads, inputs: BATCHES_A_THREAD };
    this.#pool = threads === 0 ? null : new WorkerPool(new URL(import.meta.url), 'readPayloads', options);
  }

  /** All records in their order, a batch at a time, numbered from `firstSeq`. */
  read(records: AsyncIterable<RawRecord>, firstSeq: number): AsyncGenerator<SourceRecord[]> {
    let seq = firstSeq;
    const work = (batch: RawRecord[]): Promise<SourceRecord[]> => {
      const first = seq;
      seq += batch.length;
      return this.#readBatch(batch, first);
    };
    return mapInOrder(batchesOf(records), work, this.#limit);
  }

  async #readBatch(batch: readonly RawRecord[], firstSeq: number): Promise<SourceRecord[]> {
    const unread: GivenPayload[] = [];
    const hashes = batch.map((record, place) => {
      if (!record.ok) return '';
      const sha256 = payloadSha256(record.payload);
      // A copy that can be transferred: the payload may share its memory with a whole file.
      const payload = { seq: firstSeq + place, sha256, receivedAt: record.receivedAt };
      if (!this.#known.has(sha256)) unread.push({ ...payload, bytes: new Uint8Array(record.payload) });
      return sha256;
    });
    const input = { source: this.#source, payloads: unread };
    const transfer = unread.map(({ bytes }) => bytes.buffer);
    const readings = await (this.#pool?.run(input, { transfer }) ?? readPayloads(input));
    let next = 0;
    return batch.map((record, place): SourceRecord => {
      const { file } = record;
      if (!record.ok) {
        const { reason, detail, excerpt } = record;
        return { file, rejected: { ok: false, id: null, reason, detail, excerpt } };
      }
      const sha256 = hashes[place] as string;
      const read = this.#known.has(sha256) ? null : (readings[next++] as Reading);
      if (read?.ok === false) return { file, rejected: read };
      return { seq: firstSeq + place, payload: record.payload, sha256, receivedAt: record.receivedAt, read };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool?.[Symbol.asyncDispose]();
  }
}

/** Runs in a worker too. */
export function readPayloads({ source: { registry, asOf }, payloads }: WorkerInput): Reading[] {
  return payloads.map(({ bytes, seq, sha256, receivedAt }) => {
    const context = { asOf, payloadSha256: sha256 };
    const record = NORMALISERS[registry](Buffer.from(bytes.buffer), receivedAt, context);
    if (!record.ok) return record;
    const { registration, updated, faults } = record;
    return { ok: true, id: registration.id, updated, faults, line: lineOf(seq, record) };
  });
}

/** A row of staged records as one line of JSON. */
function lineOf(seq: number, { registration, identifiers, publications, updated, valid }: NormalisedRecord): string {
  return jsonLine({
    seq,
    ...registration,
    updated,
    normaliser_version: NORMALISER_VERSION,
    valid_from: valid.from,
    valid_until: valid.until,
    identifiers: identifiers.map(({ rawValue, ...identifier }) => ({ ...identifier, raw_value: rawValue })),
    publications: publications.map(({ kindRaw, ...publication }) => ({ ...publication, kind_raw: kindRaw })),
  });
}

async function* batchesOf(records: AsyncIterable<RawRecord>): AsyncGenerator<RawRecord[]> {
  let batch: RawRecord[] = [];
  let bytes = 0;
  for await (const record of records) {
    batch.push(record);
    if (record.ok) bytes += record.payload.length;
    if (bytes < BATCH_BYTES && batch.length < BATCH_RECORDS) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  yield batch;
}
