import PQueue from 'p-queue';
import { SnapshotCheck } from './snapshot-check.ts';
import { openSnapshotImageBeside, type SnapshotImage } from './snapshot-image.ts';

/** A held version cannot be opened: a file is missing, has another length or cannot be read. */
export class EarlierImageUnreadable extends Error {
  constructor(directory: string, cause: unknown) {
    super(`${directory} cannot be opened beside the served snapshot`, { cause });
    this.name = 'EarlierImageUnreadable';
  }
}

/** More requests than this do not wait: each may have to open another image. */
const WAITING_MAX = 16;
const IDLE_MS = 60_000;

/**
 * One image of a version that is not served, for requests that compare with it. At most one is open; requests take turns,
 * so none closes what another reads. It is closed when nobody asked for a while. The lengths of its files are held against
 * its manifest; hashing gigabytes is left to `verify`.
 */
export class EarlierImage implements AsyncDisposable {
  readonly #turns = new PQueue({ concurrency: 1 });
  readonly #idleMs: number;
  #open: SnapshotImage | null = null;
  #idle: NodeJS.Timeout | null = null;

  constructor({ idleMs = IDLE_MS }: { idleMs?: number } = {}) {
    this.#idleMs = idleMs;
  }

  /** The version that is open; null if there is none. */
  get version(): string | null {
    return this.#open?.version ?? null;
  }

  /** Runs the work on the image of a version's directory; null where too many wait. The image must not be kept. */
  async use<Result>(directory: string, work: (image: SnapshotImage) => Promise<Result>): Promise<Result | null> {
    if (this.#turns.size >= WAITING_MAX) return null;
    return this.#turns.add(async () => {
      if (this.#idle !== null) clearTimeout(this.#idle);
      try {
        return await work(await this.#opened(directory));
      } finally {
        this.#idle = setTimeout(() => void this.#turns.add(async () => this.#close()), this.#idleMs);
        this.#idle.unref();
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#turns.onIdle();
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#close();
  }

  async #opened(directory: string): Promise<SnapshotImage> {
    if (this.#open?.directory === directory) return this.#open;
    this.#close();
    try {
      await SnapshotCheck.open(directory);
      this.#open = await openSnapshotImageBeside(directory);
    } catch (cause) {
      throw new EarlierImageUnreadable(directory, cause);
    }
    return this.#open;
  }

  #close(): void {
    this.#open?.release();
    this.#open = null;
  }
}
