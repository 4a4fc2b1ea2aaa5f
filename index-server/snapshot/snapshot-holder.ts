import { readCurrent, readManifest, snapshotPath } from '../../snapshot-format/current.ts';
import type { Manifest } from '../../snapshot-format/manifest.ts';
import { type SignalIntegrity, verifySignals } from '../signals/integrity.ts';
import { openSnapshotImageBeside, type SnapshotImage } from './snapshot-image.ts';

/** The snapshot that one request reads. It stays open until released, whatever CURRENT names meanwhile. */
export interface SnapshotLease extends Disposable {
  readonly image: SnapshotImage;
  readonly manifest: Manifest;
  /** Settles when the signal files are hashed; hashing begins when the snapshot is opened. */
  readonly signalIntegrity: Promise<SignalIntegrity>;
}

interface ServedSnapshot {
  version: string;
  image: SnapshotImage;
  manifest: Manifest;
  signalIntegrity: Promise<SignalIntegrity>;
}

export interface SnapshotHolderOptions {
  /** Holds the snapshot directories and CURRENT. */
  snapshotsDir: string;
  /** Called for a snapshot that could not be opened; the previous one stays served. */
  onFault: (fault: SnapshotHolderFault) => void;
  onChange?: (version: string) => void;
  /**
   * Prepares a new snapshot before it replaces the served one, so that no request waits for it. Never rejects; ends
   * early when `isWanted` returns false.
   */
  prepare?: (image: SnapshotImage, isWanted: () => boolean) => Promise<void>;
}

/** Why the snapshot that CURRENT names is not served. */
export interface SnapshotHolderFault {
  /** The version that CURRENT names; null if CURRENT cannot be read. */
  version: string | null;
  error: Error;
}

const POLL_INTERVAL_MS = 1000;

/**
 * Serves the snapshot that CURRENT names and follows it without a restart. If a new snapshot cannot be opened, the old
 * one stays served and the new one is tried again at the next look at CURRENT. A request keeps the snapshot it began
 * with.
 */
export class SnapshotHolder implements AsyncDisposable {
  readonly #options: SnapshotHolderOptions;
  #served: ServedSnapshot | null = null;
  #fault: SnapshotHolderFault | null = null;
  #timer: NodeJS.Timeout | null = null;
  #checking: Promise<void> | null = null;
  #closed = false;

  constructor(options: SnapshotHolderOptions) {
    this.#options = options;
  }

  /** Version being served, or null before the first snapshot. */
  get version(): string | null {
    return this.#served?.version ?? null;
  }

  /** Why CURRENT is not being served; null when it is. */
  get fault(): SnapshotHolderFault | null {
    return this.#fault;
  }

  /**
   * A hold on the served snapshot; null if there is none yet. Release it (or use `using`) when the answer is copied
   * out.
   */
  acquire(): SnapshotLease | null {
    if (this.#served === null) return null;
    const { manifest, signalIntegrity } = this.#served;
    const image = this.#served.image.retain();
    let held = true;
    return {
      image,
      manifest,
      signalIntegrity,
      [Symbol.dispose]: () => {
        if (held) image.release();
        held = false;
      },
    };
  }

  /** Reads CURRENT and opens the version that it names if it is new. Never rejects: a fault is kept and reported. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  /** Checks at once, then every second until closed. */
  async start(): Promise<void> {
    await this.check();
    if (this.#closed || this.#timer !== null) return;
    this.#timer = setInterval(() => void this.check(), POLL_INTERVAL_MS);
    this.#timer.unref();
  }

  /** Stops following CURRENT and releases the holder's own hold; leases stay valid until released. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#checking;
    this.#served?.image.release();
    this.#served = null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #check(): Promise<void> {
    let version: string | null = null;
    try {
      version = await readCurrent(this.#options.snapshotsDir);
      if (version !== null && version !== this.#served?.version) await this.#open(version);
      this.#fault = null;
    } catch (error) {
      this.#report({ version, error: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  async #open(version: string): Promise<void> {
    const directory = snapshotPath(this.#options.snapshotsDir, version);
    const manifest = await readManifest(directory);
    const image = await openSnapshotImageBeside(directory);
    if (this.#served !== null) await this.#options.prepare?.(image, () => !this.#closed);
    if (this.#closed) {
      image.release();
      return;
    }
    const before = this.#served;
    this.#served = { version, image, manifest, signalIntegrity: verifySignals(directory, manifest) };
    before?.image.release();
    this.#options.onChange?.(version);
  }

  /** Reports a fault once, not at every check. */
  #report(fault: SnapshotHolderFault): void {
    const known = this.#fault;
    this.#fault = fault;
    if (known?.version !== fault.version || known.error.message !== fault.error.message) this.#options.onFault(fault);
  }
}
