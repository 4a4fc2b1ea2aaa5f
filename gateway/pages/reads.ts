import type { H3Event } from 'h3';
import type { Operation, OperationOutput } from '../../contract/operation.ts';
import type { ErrorBody } from '../../server-kit/problem.ts';
import type { Invoke } from '../invoke.ts';

/** The fields of `_meta` that pages use. */
export interface ReadMeta {
  generatedAt: string;
  snapshot?: string;
  /** SHA-256 of the snapshot's statement; null for a version without one. */
  identity?: string | null;
  degraded?: boolean;
  ignored?: string[];
  filters?: Record<string, unknown>;
  pagination?: Pagination;
  provenance?: Record<string, unknown> & { corpus?: string; worldwide?: boolean };
  freshness?: Record<string, unknown>[];
  /** How to read the answer, in its own words. */
  honesty: string[];
  /** What the caller may not have meant or known; a bare read has none. */
  notices?: string[];
  links?: Record<string, string>;
}

/** Trials are paged by number, the board by limit, offset and cursor. */
export interface Pagination {
  page?: number;
  pageSize?: number;
  totalItems?: number;
  limit?: number;
  offset?: number;
  returned: number;
  total?: number | null;
  hasMore: boolean | null;
  nextUrl?: string | null;
  nextCursor?: string | null;
}

export interface Answered<Data> {
  data: Data;
  meta: ReadMeta;
}

/** The answer of an operation, and the same where it may have failed. */
export type Answer<Read extends Operation> = Answered<OperationOutput<Read>>;
export type Asked<Read extends Operation> = Answer<Read> | FailedRead;

/** An operation that failed. The page says so, and never shows an empty list instead. */
export class FailedRead extends Error {
  readonly operation: Operation;
  readonly status: number;
  readonly error: ErrorBody['error'];
  constructor(operation: Operation, status: number, error: ErrorBody['error']) {
    super(error.message);
    this.name = 'FailedRead';
    this.operation = operation;
    this.status = status;
    this.error = error;
  }
}

/** Reads operations for one page: the answers of REST, parsed. */
export class Reads {
  readonly #invoke: Invoke;
  readonly #event: H3Event;
  readonly #metas: ReadMeta[];
  readonly #version: string | undefined;
  readonly #bare: boolean;

  constructor(
    invoke: Invoke,
    event: H3Event,
    version?: string,
    { metas = [], bare = false }: { metas?: ReadMeta[]; bare?: boolean } = {},
  ) {
    this.#invoke = invoke;
    this.#event = event;
    this.#version = version;
    this.#metas = metas;
    this.#bare = bare;
  }

  /**
   * Reads for the same page whose answers lack what it does not show: notices, how words were read, help, receipts and next calls.
   */
  get bare(): Reads {
    return new Reads(this.#invoke, this.#event, this.#version, { metas: this.#metas, bare: true });
  }

  /** Reads of this version instead of the served one, for what is made of one snapshot alone. */
  at(version: string | undefined): Reads {
    return new Reads(this.#invoke, this.#event, version);
  }

  /** The snapshot that an answer names, preferring one with its corpus: the board names only the snapshot. */
  get provenance(): Pick<ReadMeta, 'snapshot' | 'provenance' | 'degraded'> {
    const named = this.#metas.filter(({ snapshot }) => snapshot !== undefined);
    return named.find(({ provenance }) => provenance !== undefined) ?? named[0] ?? {};
  }

  /** Data and `_meta` of a successful answer; throws FailedRead. */
  async read<const Options extends Operation>(
    operation: Options,
    given: Record<string, unknown> = {},
  ): Promise<Answer<Options>> {
    const invoked = await this.#invoke(this.#event, operation, given, {
      version: this.#version,
      bare: this.#bare,
    });
    if (!invoked.ok) throw new FailedRead(operation, invoked.status, invoked.error);
    const sent = invoked.envelope._meta as unknown as Omit<ReadMeta, 'honesty'> & { honesty?: string | string[] };
    const meta = { ...sent, honesty: [sent.honesty ?? []].flat() };
    this.#metas.push(meta);
    return { data: invoked.envelope.data as OperationOutput<Options>, meta };
  }

  /** Like `read`, for a part that the page can do without: returns the failure, to be shown in its place. */
  async attempt<const Options extends Operation>(
    operation: Options,
    given: Record<string, unknown> = {},
  ): Promise<Asked<Options>> {
    try {
      return await this.read(operation, given);
    } catch (error) {
      if (error instanceof FailedRead) return error;
      throw error;
    }
  }
}
