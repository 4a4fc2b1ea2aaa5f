import type { RegistryId } from '../../contract/ids.ts';
import { WorkerThread } from '../../server-kit/threads/worker-thread.ts';
import type { PayloadPlace } from '../../snapshot/format/payload-index.ts';
import type { RawPayload } from './records.ts';

/** A payload to read: where it lies, and the SHA-256 that it must have. */
export interface PayloadRead extends Omit<PayloadPlace, 'part'> {
  /** Number of the snapshot's files: those of each snapshot are opened and closed together. */
  files: number;
  path: string;
  sha256: string;
  registry: RegistryId;
  /** JSON pointer of the part that is wanted; the whole without it. */
  part?: string | undefined;
}
/** A payload as answers show it. */
export type ReadPayload = Pick<RawPayload, 'format' | 'json' | 'noPart'>;
export type PayloadRequest = PayloadRead | { closed: number };
/** Faults arrive as copies: with their name, message and causes, without any other property. */
export type PayloadAnswer = (ReadPayload & { json: Uint8Array<ArrayBuffer> }) | { fault: unknown };

const PROGRAM = new URL('./payload-worker.ts', import.meta.url);

/** Reads that may wait: about a second of work. */
const MAX_WAITING = 1024;
/** Bytes outside the heap are most of what a read takes, and are not counted in this. */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };

/**
 * Reads payloads in a worker, and writes their JSON there. A read decompresses a whole row group to give one payload of it. In the thread
 * of requests that garbage would have the whole heap of the server collected every few dozen reads; the worker's own heap is small and soon
 * collected. A read starts it where none runs, also after one died.
 */
export class PayloadThread implements AsyncDisposable {
  readonly #program: URL;
  #worker: WorkerThread<PayloadAnswer, PayloadRequest> | null = null;
  /** Answers come in the order of the reads, so that after this one none is awaited. */
  #last: Promise<unknown> | null = null;
  #closed = false;

  constructor(program: URL = PROGRAM) {
    this.#program = program;
  }

  /** Starts the worker, so that the first read does not wait for it. */
  start(): void {
    this.#started();
  }

  /** Rejects with the fault of this read, or for all reads that are under way when the worker dies. */
  async read(read: PayloadRead): Promise<ReadPayload> {
    const worker = this.#started();
    if (worker.awaited >= MAX_WAITING) throw new Error(`${MAX_WAITING} reads of payloads wait already`);
    // An idle worker does not keep the process alive.
    if (worker.awaited === 0) worker.holdProcess(true);
    const asked = worker.ask(read);
    this.#last = asked;
    try {
      const answer = await asked;
      if ('fault' in answer) throw answer.fault;
      return answer;
    } finally {
      if (worker.awaited === 0) worker.holdProcess(false);
    }
  }

  /** Closes the files of this number after the reads that were asked for. */
  closeFiles(files: number): void {
    this.#worker?.tell({ closed: files });
  }

  #started(): WorkerThread<PayloadAnswer, PayloadRequest> {
    if (this.#closed) throw new Error('the reader of payloads is closed');
    if (this.#worker !== null && !this.#worker.hasFailed) return this.#worker;
    this.#worker = new WorkerThread<PayloadAnswer, PayloadRequest>(this.#program, undefined, HEAP_LIMITS);
    this.#worker.holdProcess(false);
    return this.#worker;
  }

  /** Ends the worker after the reads that were asked for. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#last?.catch(() => undefined);
    await this.#worker?.stop();
  }
}
