import { availableParallelism } from 'node:os';
import type { RegistryId } from '../../contract/ids.ts';
import { Moved, mapInOrder, WorkerPool } from '../../server-kit/threads/worker-pool.ts';
import type { RawRecord } from '../raw/fetch-log.ts';
import { normaliseCtgov } from './ctgov/ctgov.ts';
import { normaliseIsrctn } from './isrctn/isrctn.ts';
import type { PayloadSums } from './payload-sums.ts';
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

/** What was read in a payload; its row is among the lines of its batch. */
type Reading = RejectedRecord | { ok: true; id: string; faults: FieldFault[] };

/** A record of a raw set. */
export type SourceRecord =
  | { file: string; rejected: RejectedRecord }
  /** `read` is null where the payload is known and was not read. */
  | { file: string; payload: Buffer; sha256: string; receivedAt: string; read: Reading | null };

/** Records in their order, with the rows of those that were read as lines of JSON. */
export interface RecordBatch {
  records: SourceRecord[];
  lines: Uint8Array;
}

interface WorkerInput {
  source: Source;
  payloads: { bytes: Uint8Array<ArrayBuffer>; sha256: string; receivedAt: string }[];
}

interface WorkerOutput {
  readings: Reading[];
  lines: Uint8Array<ArrayBuffer>;
}

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
  readonly #known: PayloadSums;
  readonly #pool: WorkerPool<WorkerInput, WorkerOutput> | null;
  readonly #limit: number;

  /** `known`: hashes of payloads that are not read; those that are read are added, so that none is read twice. */
  constructor(source: Source, known: PayloadSums, threads: number) {
    this.#source = source;
    this.#known = known;
    this.#limit = Math.max(1, threads * BATCHES_A_THREAD);
    const options = { count: threads, inputs: BATCHES_A_THREAD };
    this.#pool = threads === 0 ? null : new WorkerPool(new URL(import.meta.url), 'readPayloads', options);
  }

  /** All records in their order, a batch at a time. */
  read(records: AsyncIterable<RawRecord>): AsyncGenerator<RecordBatch> {
    return mapInOrder(batchesOf(records), (batch) => this.#readBatch(batch), this.#limit);
  }

  async #readBatch(batch: readonly RawRecord[]): Promise<RecordBatch> {
    const input: WorkerInput = { source: this.#source, payloads: [] };
    const hashes = batch.map((record) => {
      if (!record.ok) return { sha256: '', isNew: false };
      const { payload, receivedAt } = record;
      const sha256 = payloadSha256(payload);
      const isNew = this.#known.add(sha256);
      // A copy that can be transferred: the payload may share its memory with a whole file.
      if (isNew) input.payloads.push({ bytes: new Uint8Array(payload), sha256, receivedAt });
      return { sha256, isNew };
    });
    const { readings, lines } = await this.#readNew(input);
    let next = 0;
    const records = batch.map((record, place): SourceRecord => {
      const { file } = record;
      if (!record.ok) {
        const { reason, detail, excerpt } = record;
        return { file, rejected: { ok: false, id: null, reason, detail, excerpt } };
      }
      const { sha256, isNew } = hashes[place]!;
      const { payload, receivedAt } = record;
      return { file, payload, sha256, receivedAt, read: isNew ? readings[next++]! : null };
    });
    return { records, lines };
  }

  async #readNew(input: WorkerInput): Promise<WorkerOutput> {
    const { payloads } = input;
    if (this.#pool === null || payloads.length === 0) return readPayloads(input).output;
    return this.#pool.run(input, { transfer: payloads.map(({ bytes }) => bytes.buffer) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool?.[Symbol.asyncDispose]();
  }
}

/** Runs in a worker too. */
export function readPayloads({ source: { registry, asOf }, payloads }: WorkerInput): Moved<WorkerOutput> {
  const lines: string[] = [];
  const readings = payloads.map(({ bytes, sha256, receivedAt }): Reading => {
    const context = { asOf, payloadSha256: sha256 };
    const record = NORMALISERS[registry](Buffer.from(bytes.buffer), receivedAt, context);
    if (!record.ok) return record;
    lines.push(lineOf(record));
    return { ok: true, id: record.registration.id, faults: record.faults };
  });
  const encoded = new TextEncoder().encode(lines.join(''));
  return new Moved({ readings, lines: encoded }, [encoded.buffer]);
}

/** A row of staged records as one line of JSON. */
function lineOf({ registration, identifiers, publications, updated, valid }: NormalisedRecord): string {
  return jsonLine({
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
