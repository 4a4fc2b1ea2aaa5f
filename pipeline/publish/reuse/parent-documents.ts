import { WorkerThread } from '../../../server-kit/threads/worker-thread.ts';
import type { FileSum } from '../durable.ts';
import { DocumentWriter } from '../serving/document-writer.ts';
import { sumsBeside } from '../serving/file-sums.ts';
import type { RowTexts } from '../serving/present-trial.ts';
import { NotReusable, type ParentSnapshot, type ReusedDocuments } from '../serving/reused.ts';
import type { Run } from '../serving/row-gatherer.ts';
import { filesAhead, filesWhenAsked, type ParentFiles } from './parent-files.ts';
import { ParentDocuments } from './parent-parts.ts';

/** What the worker is started with. */
export interface DocumentWorkerData {
  parent: ParentSnapshot;
  outDir: string;
}

/** One step of the documents, in row order. */
export type DocumentStep = { texts: RowTexts[] } | { run: Run } | 'close';
/** The worker's answer to each step: null, or the sums after the last one; a text says why the parent cannot be used. */
export type DocumentAnswer = string | FileSum[] | null;

const PROGRAM = new URL('reuse-document-worker.ts', import.meta.url);
/** Trials in a message to the worker. */
const TEXTS_TOGETHER = 64;
/** Trials that the worker was sent and has not written; each has about 10 kB. */
const MOST_UNWRITTEN = 8192;

/** Writes the documents on the caller's thread: a small image is not worth a worker. */
export function documentsInLine({ parent, outDir }: DocumentWorkerData): ReusedDocuments {
  return new DocumentsInLine(filesWhenAsked(parent), new DocumentWriter(outDir));
}

/** Takes the steps one after the other, in the worker too; that reads the parent's files ahead. */
export function documentsInWorker({ parent, outDir }: DocumentWorkerData): ReusedDocuments {
  return new DocumentsInLine(filesAhead(parent), new DocumentWriter(outDir, sumsBeside()));
}

class DocumentsInLine implements ReusedDocuments {
  readonly #files: AsyncDisposable;
  readonly #copied: ParentDocuments;
  readonly #writer: DocumentWriter;

  constructor(files: ParentFiles, writer: DocumentWriter) {
    this.#files = files;
    this.#copied = new ParentDocuments(files);
    this.#writer = writer;
  }

  async add(texts: RowTexts): Promise<void> {
    await this.#writer.add(texts);
  }

  async copy(run: Run): Promise<void> {
    await this.#copied.copy(run, this.#writer);
  }

  close(): Promise<FileSum[]> {
    return this.#writer.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer[Symbol.asyncDispose]();
    await this.#files[Symbol.asyncDispose]();
  }
}

/** Writes the documents in a worker: gigabytes are copied, hashed and written while the caller makes the other files. */
export class DocumentsBeside implements ReusedDocuments {
  readonly #worker: WorkerThread<DocumentAnswer, DocumentStep>;
  #texts: RowTexts[] = [];
  #unwritten = 0;
  #failure: { error: unknown } | null = null;

  constructor({ parent: { dir, imageVersion, files }, outDir }: DocumentWorkerData) {
    const data: DocumentWorkerData = { parent: { dir, imageVersion, files }, outDir };
    this.#worker = new WorkerThread(PROGRAM, data);
  }

  async add(texts: RowTexts): Promise<void> {
    this.#refuseFailed();
    this.#texts.push(texts);
    if (this.#texts.length < TEXTS_TOGETHER) return;
    const written = this.#sendTexts();
    if (this.#unwritten > MOST_UNWRITTEN) await written;
  }

  async copy(run: Run): Promise<void> {
    this.#refuseFailed();
    this.#sendTexts();
    this.#send({ run });
  }

  async close(): Promise<FileSum[]> {
    this.#sendTexts();
    return (await this.#send('close')) as FileSum[];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.stop();
  }

  async #sendTexts(): Promise<void> {
    const texts = this.#texts;
    if (texts.length === 0) return;
    this.#texts = [];
    this.#unwritten += texts.length;
    await this.#send({ texts }).catch(() => undefined);
    this.#unwritten -= texts.length;
  }

  /** The first failure is thrown by the next step and by `close`; no promise is left unhandled. */
  #send(step: DocumentStep): Promise<DocumentAnswer> {
    const answer = this.#worker.ask(step).then((answered) => {
      if (typeof answered === 'string') throw new NotReusable(answered);
      return answered;
    });
    answer.catch((error: unknown) => {
      this.#failure ??= { error };
    });
    return answer;
  }

  #refuseFailed(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }
}
