import { readCurrent, snapshotPath } from '../../snapshot/format/versions/current.ts';

interface SnapshotFollowerOptions<Part> {
  /** Holds the snapshot directories and CURRENT. */
  snapshotsDir: string;
  /** Reads the part of one snapshot that the follower holds; null for a snapshot without it. */
  open: (snapshotDir: string, version: string) => Promise<Part | null>;
  /** Called once for each fault; the previous part stays in use. */
  onFault: (error: Error) => void;
}

const POLL_INTERVAL_MS = 1000;

/** Follows CURRENT as the index does, and holds one part of the snapshot that it names. */
export class SnapshotFollower<Part> implements Disposable {
  readonly #options: SnapshotFollowerOptions<Part>;
  #part: Part | null = null;
  #snapshot: string | null = null;
  #fault: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #checking: Promise<void> | null = null;

  constructor(options: SnapshotFollowerOptions<Part>) {
    this.#options = options;
  }

  /** Checks now and then once a second until disposed. */
  static async follow<Part>(options: SnapshotFollowerOptions<Part>): Promise<SnapshotFollower<Part>> {
    const holder = new SnapshotFollower(options);
    await holder.check();
    holder.#timer = setInterval(() => void holder.check(), POLL_INTERVAL_MS);
    holder.#timer.unref();
    return holder;
  }

  /** Null before the first snapshot, and for a snapshot without the part. */
  get current(): Part | null {
    return this.#part;
  }

  /** Never rejects: a fault is reported. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    const { snapshotsDir, open, onFault } = this.#options;
    try {
      const version = await readCurrent(snapshotsDir);
      if (version !== null && version !== this.#snapshot) {
        this.#part = await open(snapshotPath(snapshotsDir, version), version);
        this.#snapshot = version;
      }
      this.#fault = null;
    } catch (error) {
      const fault = error instanceof Error ? error : new Error(String(error));
      if (fault.message !== this.#fault) onFault(fault);
      this.#fault = fault.message;
    }
  }
}
