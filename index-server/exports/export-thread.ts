import type { ErrorCode } from '../../contract/errors/errors.ts';
import type { FileAbout } from '../../server-kit/answer/file-about.ts';
import type { ProblemDetails } from '../../server-kit/problem.ts';
import { WorkerPool } from '../../server-kit/threads/worker-pool.ts';
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
  | { piece: Uint8Array<ArrayBuffer> | null };

/** Files that are made at once. Each holds the rows of its result, and a slow reader's stays open. */
const FILES_MAX = 32;
/** Of one group of addresses (/24 of IPv4, /48 of IPv6). */
const FILES_MAX_PER_ADDRESS = 4;
/** Pieces that a file has ready before its reader takes them. */
const PIECES_AHEAD = 2;
/** Bytes of rows are outside of the heap. */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };
/** At this priority, the thread of requests gets three times as much of a busy processor. */
const BESIDE_REQUESTS = 5;

type Worker = WorkerPool<ExportRequest, ExportAnswer>;

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
  readonly #open = new Map<number, string>();
  readonly #worker: Worker = new WorkerPool(new URL('./export-worker.ts', import.meta.url), 'serveExport', {
    ...{ inputs: Number.POSITIVE_INFINITY, priority: BESIDE_REQUESTS, resourceLimits: HEAP_LIMITS },
  });
  #last = 0;
  #isUsed = false;

  /** Files that are being made. */
  get files(): number {
    return this.#open.size;
  }

  /** Rejects with RefusedExport, TooManyFiles, or what went wrong. */
  async begin(job: ExportJob, address: string): Promise<BegunFile> {
    const own = [...this.#open.values()].filter((one) => one === address).length;
    if (own >= FILES_MAX_PER_ADDRESS) throw new TooManyFiles(true);
    if (this.#open.size >= FILES_MAX) throw new TooManyFiles(false);
    const worker = this.#worker;
    this.#isUsed = true;
    const id = ++this.#last;
    this.#open.set(id, address);
    const end = (): void => {
      // A worker that is gone has nothing to end.
      if (this.#open.delete(id)) worker.run({ end: id }).catch(() => {});
    };
    try {
      const answer = await worker.run({ begin: job, id });
      if ('refused' in answer) throw new RefusedExport(answer.refused);
      if (!('begun' in answer)) throw new Error('the worker answered something else');
      return { about: answer.begun, next: piecesOf(worker, id, end), end };
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Ends the worker, which first unmaps what it holds: stopped from outside alone, it would leave its mappings behind. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isUsed) await this.#worker.run({ close: true }).catch(() => {});
    await this.#worker[Symbol.asyncDispose]();
  }
}

/**
 * Gives the pieces of a file one after the other. Some are requested before they are wanted: the worker then goes on while this thread
 * and the socket are busy, and does not wait for a turn of theirs after each.
 */
function piecesOf(worker: Worker, id: number, end: () => void): BegunFile['next'] {
  const requested: Promise<ExportAnswer>[] = [];
  const request = (): void => {
    const answer = worker.run({ next: id });
    // The reader of the piece hears of a fault; a file that was ended has no reader.
    answer.catch(() => {});
    requested.push(answer);
  };
  return async () => {
    while (requested.length <= PIECES_AHEAD) request();
    try {
      const answer = await requested.shift()!;
      if (!('piece' in answer)) throw new Error('the worker answered something else');
      if (answer.piece === null) end();
      return answer.piece;
    } catch (error) {
      end();
      throw error;
    }
  };
}
