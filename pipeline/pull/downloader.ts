import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as delayed } from 'node:timers/promises';
import type { SnapshotFileSum } from '../../snapshot/format/versions/manifest.ts';
import { sumFile, sync } from '../publish/durable.ts';
import { RETRIED_STATUS, waitAfter } from '../raw/http-client.ts';

/** The source does not give what it promises, or cannot be reached. The message names the file. */
export class PullFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PullFault';
  }
}

/** The shared store of snapshots cannot be used, or another publisher was faster. The message says what to do. */
export class StoreFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreFault';
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
  notice?: ((text: string) => void) | undefined;
  /** Tries of a request that bring nothing; default 6. */
  attempts?: number | undefined;
  /** Milliseconds before the second try of a request, doubled for each later one; default as for the registries. */
  waitAfter?: ((attempt: number) => number) | undefined;
}

/** Ends the name of a file whose bytes are not all there, or were not compared yet. */
export const PARTIAL_END = '.partial';
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
  /** Ends every request and wait, once one file could not be brought. */
  readonly stop: AbortController;
  readonly #source: Source;
  readonly #options: DownloadOptions;

  constructor(source: Source, options: DownloadOptions, stop: AbortController = new AbortController()) {
    this.#source = source;
    this.#options = options;
    this.stop = stop;
  }

  /** A small file; null where the source has none. */
  async small(path: string, maxBytes: number): Promise<Buffer | null> {
    return this.#repeated(path, async () => {
      const { status, chunks } = await this.#source.open(path, null);
      if (status === 404) return null;
      const parts: Uint8Array[] = [];
      let bytes = 0;
      for await (const chunk of chunks) {
        this.stop.signal.throwIfAborted();
        bytes += chunk.length;
        if (bytes > maxBytes) throw new PullFault(`${this.#source.address(path)} has more than ${maxBytes} bytes`);
        parts.push(chunk);
      }
      return Buffer.concat(parts);
    });
  }

  /**
   * Brings a file to `target`, where it is only once its hash is right. Before that it is at `target.partial`, which stays after a kill or a fault, so
   * that the next call goes on from there. Returns how many bytes were sent; `onBytes` gets each number as it comes.
   */
  async file(path: string, file: SnapshotFileSum, target: string, onBytes: (bytes: number) => void): Promise<number> {
    const partial = `${target}${PARTIAL_END}`;
    let received = 0;
    const count = (bytes: number): void => {
      received += bytes;
      onBytes(bytes);
    };
    const bring = async (): Promise<string> => {
      await this.#repeated(
        path,
        () => this.#goOn(path, file, partial, count),
        () => received,
      );
      return (await sumFile(dirname(partial), basename(partial))).sha256;
    };
    const before = await bytesOf(partial);
    onBytes(Math.min(before, file.bytes));
    let found = await bring();
    // What an earlier pull left may have been damaged by a power cut, so that such a file gets a second chance from its beginning.
    if (found !== file.sha256 && before > 0) {
      await rm(partial);
      found = await bring();
    }
    if (found !== file.sha256) {
      await rm(partial);
      throw differs(file.path, found, file.sha256);
    }
    await sync(partial);
    await rename(partial, target);
    return received;
  }

  /** Adds what is missing to a file. */
  async #goOn(path: string, file: SnapshotFileSum, partial: string, count: (bytes: number) => void): Promise<void> {
    await using handle = await open(partial, 'a');
    let { size } = await handle.stat();
    const restart = async (): Promise<void> => {
      await handle.truncate(0);
      size = 0;
    };
    if (size > file.bytes) await restart();
    if (size === file.bytes) return;
    const part = size === 0 ? null : { from: size, sha256: file.sha256 };
    const { status, etag, range, length = 0, chunks } = await this.#source.open(path, part);
    const address = this.#source.address(path);
    if (status === 404) throw new PullFault(`${address}: the service has no such file any more`);
    const stated = /^(?:W\/)?"([0-9a-f]{64})"$/.exec(etag ?? '')?.[1];
    if (stated !== undefined && stated !== file.sha256)
      throw new PullFault(`${address} has the SHA-256 ${stated}, but the manifest states ${file.sha256}`);
    const expected = `bytes ${size}-${file.bytes - 1}/${file.bytes}`;
    // A service, or a proxy before it, may send the whole file in place of a range.
    if (status !== 206) await restart();
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
    assertFits(size + length);
    for await (const chunk of chunks) {
      this.stop.signal.throwIfAborted();
      assertFits(size + chunk.length);
      await handle.appendFile(chunk);
      size += chunk.length;
      count(chunk.length);
    }
    if (size < file.bytes) throw new Passing(`the answer ended after ${size} of ${file.bytes} bytes`, null);
  }

  /** Tries until `attempt` succeeds, or too many tries brought nothing. `received` counts the bytes that tries brought. */
  async #repeated<T>(path: string, attempt: () => Promise<T>, received: () => number = () => 0): Promise<T> {
    const { attempts = ATTEMPTS, waitAfter: pause = waitAfter, notice } = this.#options;
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
        await delayed(waitMs, undefined, { signal: this.stop.signal });
      }
    }
  }
}

/** Length of a file; 0 where there is none. */
export async function bytesOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** The error of a file that is not the one that was stated. */
export function differs(path: string, found: string, expected: string): PullFault {
  return new PullFault(`${path} has the SHA-256 ${found}, expected ${expected}`);
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
