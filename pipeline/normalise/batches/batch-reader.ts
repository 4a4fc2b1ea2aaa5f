import { availableParallelism } from 'node:os';
import { Moved, mapInOrder, WorkerPool } from '../../../server-kit/threads/worker-pool.ts';
import type { RawRecord } from '../../raw/fetch-log.ts';
import type { RejectedRecord } from '../record.ts';
import { mayHold, sharedHashes } from './known-payloads.ts';
import {
  type BatchSource,
  type PayloadBatch,
  type ReadBatch,
  type ReadRecord,
  readBatch,
  readRecordsOf,
} from './read-batch.ts';

/** Input of a worker. */
interface WorkerBatch {
  from: BatchSource;
  batch: PayloadBatch;
  /** Hashes of payloads that need not be read, as `sharedHashes` gives them. */
  known: BigUint64Array;
}

/** Upper limits of a batch. */
interface BatchLimits {
  /** Bytes of payloads. */
  bytes: number;
  records: number;
}

/** Limits of a worker's batch: some tens of milliseconds of work, far more than the cost of handing it over. */
const THREAD_BATCH: BatchLimits = { bytes: 1_000_000, records: 250 };
/** Limits without workers. */
const BATCH: BatchLimits = { bytes: 16_000_000, records: 1000 };
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

/** A record as its raw set gave it, without its payload. */
interface BatchRecord {
  file: string;
  /** Null when it has no payload. */
  receivedAt: string | null;
  /** Why the record could not be cut out of its file; null when it has a payload. */
  rejected: RejectedRecord | null;
}

/** Records in order, and the payloads of those that have one, in the same order. */
interface Batch {
  records: BatchRecord[];
  payloads: PayloadBatch;
}

/** A record of a raw set with the result of reading it. */
export type SourceRecord = Omit<BatchRecord, 'rejected'> &
  (ReadRecord | { kind: 'rejected'; rejected: RejectedRecord });

/** Reads records in batches, in workers or on the caller's thread, with equal results. */
export class BatchReader implements AsyncDisposable {
  readonly #from: BatchSource;
  readonly #known: ReadonlyMap<string, unknown>;
  readonly #pool: WorkerPool<WorkerBatch, ReadBatch> | null;
  /** Hashes of `#known`, shared with the workers. */
  readonly #hashes: BigUint64Array;
  readonly #limit: number;

  /** `known`: payload hashes that are not read. */
  constructor(from: BatchSource, known: ReadonlyMap<string, unknown>, threads: number) {
    this.#from = from;
    this.#known = known;
    this.#limit = Math.max(1, threads * BATCHES_A_THREAD);
    this.#hashes = threads === 0 ? new BigUint64Array() : sharedHashes(known.keys(), known.size);
    const options = { count: threads, inputs: BATCHES_A_THREAD };
    this.#pool = threads === 0 ? null : new WorkerPool(new URL(import.meta.url), 'readInWorker', options);
  }

  /** All records in their order, a batch at a time, numbered from `firstSeq`. A fault of the source comes last. */
  read(source: AsyncIterable<RawRecord>, firstSeq: number): AsyncGenerator<SourceRecord[]> {
    const work = async ({ records, payloads }: Batch) => joined(records, await this.#readPayloads(payloads));
    const limits = this.#pool === null ? BATCH : THREAD_BATCH;
    return mapInOrder(batchesOf(source, firstSeq, limits), work, this.#limit);
  }

  async #readPayloads(payloads: PayloadBatch): Promise<ReadBatch> {
    const isKnown = (sha256: string): boolean => this.#known.has(sha256);
    if (this.#pool === null) return readBatch(this.#from, payloads, isKnown);
    const input = { from: this.#from, batch: payloads, known: this.#hashes };
    const read = await this.#pool.run(input, { transfer: [payloads.bytes.buffer] });
    // Workers know only shortened hashes.
    const mistaken = read.readings.some(({ reading }) => reading.kind === 'known' && !isKnown(reading.sha256));
    return mistaken ? readBatch(this.#from, read, isKnown) : read;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool?.[Symbol.asyncDispose]();
  }
}

/** Runs in a worker. */
export function readInWorker({ from, batch, known }: WorkerBatch): Moved<ReadBatch> {
  const read = readBatch(from, batch, (sha256) => mayHold(known, sha256));
  return new Moved(read, [read.bytes.buffer, read.lines.buffer]);
}

function joined(records: readonly BatchRecord[], batch: ReadBatch): SourceRecord[] {
  const read = readRecordsOf(batch);
  return records.map(({ rejected, ...from }) => {
    if (rejected !== null) return { ...from, kind: 'rejected', rejected };
    return { ...from, ...(read.next().value as ReadRecord) };
  });
}

/** An error of the source is thrown after a batch of the records before it. */
async function* batchesOf(
  source: AsyncIterable<RawRecord>,
  firstSeq: number,
  limits: BatchLimits,
): AsyncGenerator<Batch> {
  let seq = firstSeq;
  let filling = new FillingBatch();
  try {
    for await (const record of source) {
      filling.add(seq++, record);
      if (!filling.holds(limits)) continue;
      yield filling.take();
      filling = new FillingBatch();
    }
  } catch (error) {
    yield filling.take();
    throw error;
  }
  yield filling.take();
}

class FillingBatch {
  readonly #records: BatchRecord[] = [];
  readonly #payloads: Buffer[] = [];
  readonly #places: PayloadBatch['records'] = [];
  #bytes = 0;

  /** True when the batch is full. */
  holds({ bytes, records }: BatchLimits): boolean {
    return this.#bytes >= bytes || this.#records.length >= records;
  }

  add(seq: number, record: RawRecord): void {
    const { file } = record;
    if (!record.ok) {
      const { reason, detail, excerpt } = record;
      this.#records.push({ file, receivedAt: null, rejected: { ok: false, id: null, reason, detail, excerpt } });
      return;
    }
    this.#records.push({ file, receivedAt: record.receivedAt, rejected: null });
    this.#payloads.push(record.payload);
    this.#bytes += record.payload.length;
    this.#places.push({ seq, receivedAt: record.receivedAt, end: this.#bytes });
  }

  take(): Batch {
    // Memory of Node's shared pool cannot be transferred.
    const bytes = Buffer.allocUnsafeSlow(this.#bytes);
    let at = 0;
    for (const payload of this.#payloads) at += payload.copy(bytes, at);
    return { records: this.#records, payloads: { bytes, records: this.#places } };
  }
}
