import { setTimeout as delayed } from 'node:timers/promises';
import type { SnapshotFileSum } from '../../snapshot/format/versions/manifest.ts';
import { RETRIED_STATUS, waitAfter } from '../raw/http-client.ts';
import type { PartialFile } from './partial-file.ts';

/** The source does not give what it promises, or cannot be reached. The message names the file. */
export class PullFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PullFault';
  }
}

/** A try that may succeed when it is made again. */
export class Passing extends Error {
  /** How long the source asks to wait; null when it does not say. */
  readonly waitMs: number | null;

  constructor(message: string, waitMs: number | null, options?: ErrorOptions) {
    super(message, options);
    this.waitMs = waitMs;
  }
}

export interface Answer {
  /** 200, 206 or 404; a source makes each other status an error by `refusal`. */
  status: number;
  etag?: string | undefined;
  /** Content-Range. */
  range?: string | undefined;
  length?: number | undefined;
  chunks: AsyncIterable<Uint8Array>;
}

/** The end of a file that is asked for: from this byte on, if the file still has this SHA-256. */
export interface Part {
  from: number;
  sha256: string;
}

/** Where files come from, by their paths in a directory of snapshots: `<version>/<file>` and `log/<name>`. */
export interface Source {
  /** The address of a path, for messages. */
  address(path: string): string;
  open(path: string, part: Part | null): Promise<Answer>;
}

export interface DownloadOptions {
  /** Receives a sentence before each wait. */
  notice?: (text: string) => void;
  /** Ends every request and wait. */
  signal?: AbortSignal;
  /** Tries of a request that bring nothing; default 6. */
  attempts?: number;
  /** Milliseconds before the second try of a request, doubled for each later one; default as for the registries. */
  waitAfter?: (attempt: number) => number;
}

const ATTEMPTS = 6;
/** A try that brought so much may be followed by as many tries again. */
const PROGRESS_BYTES = 1 << 20;
/** When the source asks for a longer pause, the download stops. */
const MAX_RETRY_AFTER_MS = 600_000;
/** Characters of a message that is repeated in ours. */
const SAID_CHARACTERS = 300;
const REMEDY = 'run the same command again later: it goes on where it stopped';

/** Reads files of a source that is not trusted: of each at most as many bytes as it may have. */
export class Downloader {
  readonly #source: Source;
  readonly #options: DownloadOptions;

  constructor(source: Source, options: DownloadOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** A small file; null where the source has none. */
  async small(path: string, maxBytes: number): Promise<Buffer | null> {
    return this.#repeated(path, async () => {
      const { status, chunks } = await this.#source.open(path, null);
      if (status === 404) return null;
      const parts: Uint8Array[] = [];
      let bytes = 0;
      for await (const chunk of chunks) {
        this.#options.signal?.throwIfAborted();
        bytes += chunk.length;
        if (bytes > maxBytes) throw new PullFault(`${this.#source.address(path)} has more than ${maxBytes} bytes`);
        parts.push(chunk);
      }
      return Buffer.concat(parts);
    });
  }

  /**
   * Adds what is missing to a file, and goes on where a try stopped. `partial` then has as many bytes as `file` states, whose hash
   * is still to be compared.
   */
  async complete(path: string, file: SnapshotFileSum, partial: PartialFile): Promise<void> {
    await this.#repeated(
      path,
      () => this.#continue(path, file, partial),
      () => partial.received,
    );
  }

  async #continue(path: string, file: SnapshotFileSum, partial: PartialFile): Promise<void> {
    const from = partial.bytes;
    if (from === file.bytes) return;
    const part = from === 0 ? null : { from, sha256: file.sha256 };
    const { status, etag, range, length = 0, chunks } = await this.#source.open(path, part);
    const address = this.#source.address(path);
    if (status === 404) throw new PullFault(`${address}: the service has no such file any more`);
    const stated = /^(?:W\/)?"([0-9a-f]{64})"$/.exec(etag ?? '')?.[1];
    if (stated !== undefined && stated !== file.sha256)
      throw new PullFault(`${address} has the SHA-256 ${stated}, but the manifest states ${file.sha256}`);
    const expected = `bytes ${from}-${file.bytes - 1}/${file.bytes}`;
    // A service, or a proxy before it, may send the whole file in place of a range.
    if (status !== 206) await partial.restart();
    else if (range !== expected)
      throw new PullFault(
        `${address}: the service answers with another part than was asked for (${clean(range ?? 'none named')}, expected ${expected})`,
      );
    const assertFits = (bytes: number): void => {
      if (bytes <= file.bytes) return;
      throw new PullFault(
        `${address}: the service sends ${bytes} bytes or more, but the manifest states ${file.bytes}`,
      );
    };
    assertFits(partial.bytes + length);
    for await (const chunk of chunks) {
      this.#options.signal?.throwIfAborted();
      assertFits(partial.bytes + chunk.length);
      await partial.append(chunk);
    }
    if (partial.bytes < file.bytes)
      throw new Passing(`the answer ended after ${partial.bytes} of ${file.bytes} bytes`, null);
  }

  /** Tries until `attempt` succeeds, or too many tries brought nothing. `received` counts the bytes that tries brought. */
  async #repeated<T>(path: string, attempt: () => Promise<T>, received: () => number = () => 0): Promise<T> {
    const { attempts = ATTEMPTS, waitAfter: pause = waitAfter, notice, signal } = this.#options;
    let [tries, counted] = [0, received()];
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof Passing)) throw error;
        if (received() - counted >= PROGRESS_BYTES) [tries, counted] = [0, received()];
        tries += 1;
        const what = `${this.#source.address(path)}: ${error.message}`;
        if (tries >= attempts) throw new PullFault(`${what}, after ${tries} tries; ${REMEDY}`, { cause: error.cause });
        const waitMs = error.waitMs ?? pause(tries);
        notice?.(`${what}; trying again in ${Math.ceil(waitMs / 1000)} s`);
        await delayed(waitMs, undefined, signal && { signal });
      }
    }
  }
}

/** The error of an answer that brings no file. `said` is the message of the source, as it came. */
export function refusal(address: string, status: number, said: string, waitMs: number | null): Error {
  const what = `HTTP ${status}${said === '' ? '' : ` (${clean(said)})`}`;
  if (!RETRIED_STATUS.has(status)) return new PullFault(`${address}: ${what}`);
  if (waitMs === null || waitMs <= MAX_RETRY_AFTER_MS) return new Passing(what, waitMs);
  return new PullFault(
    `${address}: ${what} asks to wait ${Math.ceil(waitMs / 1000)} s; run the same command after that`,
  );
}

/** Text of a source for a terminal. */
export function clean(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, SAID_CHARACTERS);
}
