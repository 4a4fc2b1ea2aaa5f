import type { ErrorCode } from '../../contract/errors/errors.ts';
import type { FileAbout } from '../../server-kit/answer/file-about.ts';
import type { ProblemDetails } from '../../server-kit/problem.ts';
import { WorkerThread } from '../../server-kit/threads/worker-thread.ts';
import type { RowSet } from '../search/row-set.ts';
import type { SearchQuery } from '../search/search-query.ts';
import type { ServedManifest } from '../snapshot/publication-trust.ts';
import type { TrialFileOptions } from './trial-file.ts';

/** What a file is made of. It is sent to the worker, so it is plain data. */
export interface ExportJob {
  /** Folder of the version, which the worker maps for itself. */
  directory: string;
  manifest: ServedManifest;
  query: Omit<SearchQuery, 'page' | 'pageSize'>;
  /** Rows with the asked modality, which this process has inferred; null without that filter. */
  within: RowSet | null;
  options: TrialFileOptions;
  /** Without what only the worker finds out. */
  about: Omit<FileAbout, 'rows' | 'readAs'>;
}

export type ExportRequest = { begin: ExportJob; id: number } | { next: number } | { end: number } | { close: true };
export type ExportAnswer =
  | { begun: FileAbout }
  | { refused: { code: ErrorCode; details: ProblemDetails } }
  /** The next piece of a file; null after its last. */
  | { piece: Uint8Array<ArrayBuffer> | null }
  | { fault: unknown };

const PROGRAM = new URL('./export-worker.ts', import.meta.url);

/** Files that are made at once. Each holds the rows of its result, and a slow reader's stays open. */
const FILES_MAX = 32;
/** Of one group of addresses (/24 of IPv4, /48 of IPv6). */
const FILES_MAX_PER_ADDRESS = 4;
/** Pieces that a file has ready before its reader takes them. */
const PIECES_AHEAD = 2;
/** Bytes of rows are outside of the heap. */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

/** Why a file is not begun: as many as may be are being made, for this address or for all. */
export class TooManyFiles extends Error {
  readonly own: boolean;
  constructor(own: boolean) {
    super(own ? `${FILES_MAX_PER_ADDRESS} files of one address` : `${FILES_MAX} files`);
    this.own = own;
  }
}

/** A query that a search would refuse too. */
export class RefusedExport extends Error {
  readonly code: ErrorCode;
  readonly details: ProblemDetails;
  constructor({ code, details }: { code: ErrorCode; details: ProblemDetails }) {
    super(details.message);
    this.code = code;
    this.details = details;
  }
}

export interface BegunFile {
  about: FileAbout;
  /** The next piece, or null after the last. Rejects if the file cannot be read on. */
  next(): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Ends the work, wherever it is. May be called again. */
  end(): void;
}

/**
 * Makes files of whole results in a worker of its own, piece by piece as their readers take them, so that no request waits for a file
 * and a slow reader holds a few pieces. Pieces of several files take turns.
 */
export class ExportThread implements AsyncDisposable {
  readonly #program: URL;
  readonly #open = new Map<number, string>();
  #worker: WorkerThread<ExportAnswer, ExportRequest> | null = null;
  #last = 0;
  #closed = false;

  constructor(program: URL = PROGRAM) {
    this.#program = program;
  }

  /** Files that are being made. */
  get files(): number {
    return this.#open.size;
  }

  /** Rejects with RefusedExport, TooManyFiles, or what went wrong. */
  async begin(job: ExportJob, address: string): Promise<BegunFile> {
    const own = [...this.#open.values()].filter((one) => one === address).length;
    if (own >= FILES_MAX_PER_ADDRESS) throw new TooManyFiles(true);
    if (this.#open.size >= FILES_MAX) throw new TooManyFiles(false);
    const worker = this.#started();
    const id = ++this.#last;
    this.#open.set(id, address);
    const end = (): void => {
      if (this.#open.delete(id)) worker.tell({ end: id });
      if (this.#open.size === 0) worker.holdProcess(false);
    };
    worker.holdProcess(true);
    try {
      const answer = await worker.ask({ begin: job, id });
      if ('refused' in answer) throw new RefusedExport(answer.refused);
      if ('fault' in answer) throw answer.fault;
      if (!('begun' in answer)) throw new Error('the worker answered something else');
      return { about: answer.begun, next: piecesOf(worker, id, end), end };
    } catch (error) {
      end();
      throw error;
    }
  }

  #started(): WorkerThread<ExportAnswer, ExportRequest> {
    if (this.#closed) throw new Error('no more files are made');
    if (this.#worker !== null && !this.#worker.hasFailed) return this.#worker;
    this.#worker = new WorkerThread<ExportAnswer, ExportRequest>(this.#program, undefined, HEAP_LIMITS);
    return this.#worker;
  }

  /** Ends the worker, which unmaps what it holds: stopped from outside, it would leave its mappings behind. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    if (worker === null || worker.hasFailed) return;
    worker.holdProcess(true);
    worker.tell({ close: true });
    await worker.ended;
  }
}

/**
 * Gives the pieces of a file one after the other. Some are asked for before they are wanted: the worker then goes on while this thread and
 * the socket are busy, and does not wait for a turn of theirs after each.
 */
function piecesOf(worker: WorkerThread<ExportAnswer, ExportRequest>, id: number, end: () => void): BegunFile['next'] {
  const asked: Promise<ExportAnswer>[] = [];
  const ask = (): void => {
    const answer = worker.ask({ next: id });
    // Whoever wants the piece hears of a fault; of a file that was ended nobody does.
    answer.catch(() => {});
    asked.push(answer);
  };
  return async () => {
    while (asked.length <= PIECES_AHEAD) ask();
    try {
      const answer = await asked.shift()!;
      if ('fault' in answer) throw answer.fault;
      if (!('piece' in answer)) throw new Error('the worker answered something else');
      if (answer.piece === null) end();
      return answer.piece;
    } catch (error) {
      end();
      throw error;
    }
  };
}
