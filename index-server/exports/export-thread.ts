import type { ErrorCode } from '../../contract/errors/errors.ts';
import type { FileAbout } from '../../server-kit/answer/file-about.ts';
import type { ProblemDetails } from '../../server-kit/problem.ts';
import { WorkerPool } from '../../server-kit/threads/worker-pool.ts';
import type { SearchQuery } from '../search/filters.ts';
import type { RowSet } from '../search/row-set.ts';
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

/** A query that a search would refuse too. */
interface Refused {
  refused: { code: ErrorCode; details: ProblemDetails };
}

export type ExportRequest = { begin: ExportJob; id: number } | { next: number } | { end: number };
export type ExportAnswer =
  | { begun: FileAbout }
  | Refused
  /** The next piece of a file; null after its last. */
  | { piece: Uint8Array<ArrayBuffer> | null };

/** Files that are made at once. Each holds the rows of its result, and a slow reader's stays open. */
const FILES_MAX = 32;
/** Of one group of addresses (/24 of IPv4, /48 of IPv6). */
const FILES_MAX_PER_ADDRESS = 4;
/** Bytes of rows are outside of the heap. */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };
/** At this priority, the thread of requests gets three times as much of a busy processor. */
const BESIDE_REQUESTS = 5;

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
  readonly #worker = new WorkerPool<ExportRequest, ExportAnswer>(
    new URL('./export-worker.ts', import.meta.url),
    'serveExport',
    { inputs: Number.POSITIVE_INFINITY, priority: BESIDE_REQUESTS, resourceLimits: HEAP_LIMITS },
  );
  #last = 0;

  /** Files that are being made. */
  get files(): number {
    return this.#open.size;
  }

  /** A file; or why it is not begun: its query is refused, or as many as may be are being made, for this address or for all. */
  async begin(job: ExportJob, address: string): Promise<BegunFile | Refused | { tooMany: 'own' | 'all' }> {
    const own = [...this.#open.values()].filter((one) => one === address).length;
    if (own >= FILES_MAX_PER_ADDRESS) return { tooMany: 'own' };
    if (this.#open.size >= FILES_MAX) return { tooMany: 'all' };
    const id = ++this.#last;
    this.#open.set(id, address);
    const end = (): void => {
      // A worker that is gone has nothing to end.
      if (this.#open.delete(id)) this.#worker.run({ end: id }).catch(() => {});
    };
    /** Ends the file with a fault, and after its last piece. */
    const asked = async (request: ExportRequest): Promise<ExportAnswer> => {
      try {
        return await this.#worker.run(request);
      } catch (error) {
        end();
        throw error;
      }
    };
    const answer = await asked({ begin: job, id });
    if (!('begun' in answer)) {
      end();
      return answer as Refused;
    }
    const next = async () => {
      const { piece } = (await asked({ next: id })) as Extract<ExportAnswer, { piece: unknown }>;
      if (piece === null) end();
      return piece;
    };
    return { about: answer.begun, next, end };
  }

  /** Ends the worker, which first unmaps what it holds: stopped from outside alone, it would leave its mappings behind. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Array.from(this.#open.keys(), (id) => this.#worker.run({ end: id }).catch(() => {})));
    await this.#worker[Symbol.asyncDispose]();
  }
}
