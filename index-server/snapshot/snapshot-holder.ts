import { isDeepStrictEqual } from 'node:util';
import { readCurrent, SnapshotFault, snapshotPath, unusableCurrent } from '../../snapshot/format/versions/current.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { asChecked, readLastCheck } from '../../snapshot/format/versions/state.ts';
import { isReadable, type KnownSnapshot, VersionList } from '../../snapshot/format/versions/version-list.ts';
import { type SignalIntegrity, verifySignals } from '../signals/integrity.ts';
import { PublicationTrust, type ServedManifest } from './publication-trust.ts';
import { degradedBy, refusalOf } from './refusal.ts';
import { SnapshotCheck, SnapshotDamage } from './snapshot-check.ts';
import { openSnapshotImage, type SnapshotImage } from './snapshot-image.ts';

/** A snapshot that is open. */
interface OpenSnapshot {
  image: SnapshotImage;
  /** As published, with the registries and feeds of the last check. */
  manifest: ServedManifest;
  /** Settles when the signal files are hashed; hashing begins when the snapshot is opened. */
  signalIntegrity: Promise<SignalIntegrity>;
}

/**
 * The snapshot that one request reads. It stays open until released, whatever CURRENT names meanwhile. Its manifest says that
 * every registry is degraded where another snapshot is served than the one that CURRENT names.
 */
export interface SnapshotLease extends Readonly<OpenSnapshot>, Disposable {}

interface ServedSnapshot extends OpenSnapshot {
  check: SnapshotCheck;
  /** What the file system said of its files before they were last hashed. */
  stamp: string;
  /** When all files were last found to be as published; null until they are hashed. */
  checkedAt: Date | null;
  /** When they are hashed again, on the clock of performance.now(). */
  dueAt: number;
}

export interface SnapshotHolderOptions {
  /** Holds the snapshot directories and CURRENT. */
  snapshotsDir: string;
  /** Called once for each fault of a snapshot, which is then not served. */
  onFault: (fault: SnapshotHolderFault) => void;
  onChange?: (version: string) => void;
  /**
   * Prepares a new snapshot before it replaces the served one, so that no request waits for it. Never rejects; ends
   * early when `isWanted` returns false.
   */
  prepare?: (image: SnapshotImage, isWanted: () => boolean) => Promise<void>;
  /** Public keys, one a line; one of them must vouch for a snapshot before it is served. Null asks for none. */
  trustedKeysFile?: string | null;
  /** Time between two hashings of the served files. */
  recheckMs?: number;
  /** Images of fewer bytes are hashed before they are served, also at the start. */
  threadFromBytes?: number;
}

/** Why a snapshot, first of all the one that CURRENT names, is not served. */
export interface SnapshotHolderFault {
  /** The version; null if CURRENT cannot be read. */
  version: string | null;
  error: Error;
}

const POLL_INTERVAL_MS = 1000;
const HOUR_MS = 3_600_000;
const RECHECK_MS = 24 * HOUR_MS;
/** After a check that could not be carried out. */
const RETRY_MS = HOUR_MS;
/** A version that is not served stays open for this time after its last request. */
const EARLIER_IDLE_MS = 60_000;

/**
 * Serves the snapshot that CURRENT names and follows it without a restart. Its files are held against its manifest: their
 * sizes before it is opened, their hashes before it replaces another one, during the first answers of a start, whenever a
 * file was touched, and once a day. A snapshot that is not as published is refused: the served one stays, or the newest
 * sound one before it is opened. A request keeps the snapshot it began with.
 */
export class SnapshotHolder implements AsyncDisposable {
  /** Whether the log of publications vouches for a snapshot. */
  readonly trust: PublicationTrust;
  readonly #options: SnapshotHolderOptions;
  readonly #versionList: VersionList;
  readonly #ending = new AbortController();
  /** The last fault of each version. One that is damaged is not hashed again until a file of it was touched. */
  readonly #faults = new Map<string | null, Error>();
  #served: ServedSnapshot | null = null;
  /** The last version that was opened for a request without being served. */
  #earlier: OpenSnapshot | null = null;
  #earlierIdle: NodeJS.Timeout | undefined;
  #fault: SnapshotHolderFault | null = null;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | null = null;
  #hashing: Promise<void> | null = null;

  constructor(options: SnapshotHolderOptions) {
    this.#options = options;
    this.#versionList = new VersionList(options.snapshotsDir);
    this.trust = new PublicationTrust(options.snapshotsDir, options.trustedKeysFile ?? null);
  }

  /** Version being served; null while there is none. */
  get version(): string | null {
    return this.#served?.image.version ?? null;
  }

  /** Why CURRENT is not being served; null when it is. */
  get fault(): SnapshotHolderFault | null {
    return this.#fault;
  }

  /** `fault` as answers may show it. */
  get refused(): string | null {
    return this.#fault === null ? null : refusalOf(this.#fault);
  }

  /** When all files of the served snapshot were last found to be as published; null until then. */
  get checkedAt(): Date | null {
    return this.#served?.checkedAt ?? null;
  }

  /** Settles when the hashing that is under way is done. */
  get hashed(): Promise<void> {
    return this.#hashing ?? Promise.resolve();
  }

  /**
   * A hold on the served snapshot; null if there is none yet. Release it (or use `using`) when the answer is copied
   * out.
   */
  acquire(): SnapshotLease | null {
    if (this.#served === null) return null;
    const { refused } = this;
    const { manifest } = this.#served;
    return leaseOf({ ...this.#served, manifest: refused === null ? manifest : degradedBy(manifest, refused) });
  }

  /**
   * A hold on a version that may not be served. The last one stays open for a while, so that the next request need not open it again.
   * The lengths of its files are held against its manifest; hashing gigabytes is left to `verify`. Rejects where it cannot be opened.
   */
  async acquireVersion({ version, dir, manifest }: KnownSnapshot): Promise<SnapshotLease> {
    if (this.version === version && this.#served !== null) return leaseOf(this.#served);
    if (this.#earlier?.image.directory !== dir) {
      await SnapshotCheck.open(dir);
      const signed = await this.trust.isSigned(manifest);
      const image = openSnapshotImage(dir);
      this.#closeEarlier();
      this.#earlier = { image, manifest: { ...manifest, signed }, signalIntegrity: verifySignals(dir, manifest) };
    }
    clearTimeout(this.#earlierIdle);
    this.#earlierIdle = setTimeout(() => this.#closeEarlier(), EARLIER_IDLE_MS).unref();
    return leaseOf(this.#earlier);
  }

  /**
   * Looks whether the served files were touched, reads CURRENT, and opens the version that it names if it is new. Never
   * rejects: a fault is kept and reported.
   */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  /** Checks at once, then every second until closed. */
  async start(): Promise<void> {
    await this.check();
    if (this.#closed) return;
    this.#timer ??= setInterval(() => void this.check(), POLL_INTERVAL_MS).unref();
  }

  /** Stops following CURRENT and releases the holder's own holds; leases stay valid until released. */
  async close(): Promise<void> {
    this.#ending.abort();
    clearInterval(this.#timer);
    await this.#checking;
    await this.#hashing;
    this.#closeEarlier();
    this.#served?.image.release();
    this.#served = null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  get #closed(): boolean {
    return this.#ending.signal.aborted;
  }

  #closeEarlier(): void {
    clearTimeout(this.#earlierIdle);
    this.#earlier?.image.release();
    this.#earlier = null;
  }

  async #check(): Promise<void> {
    await this.#watchServed();
    let version: string | null = null;
    try {
      version = await readCurrent(this.#options.snapshotsDir);
      if (version !== null && version !== this.version) await this.#take(version);
      await this.#noteLater();
      if (this.#fault !== null) this.#faults.clear();
      this.#fault = null;
    } catch (error) {
      this.#setFault({ version, error: await this.#explained(version, error) });
      if (version !== null && this.#served === null) await this.#fallBack(version);
    }
    if (this.#closed || this.#served === null || this.#hashing !== null) return;
    if (performance.now() >= this.#served.dueAt) this.#hash(this.#served);
  }

  /** A version that CURRENT names and that is not on disk is a fault of CURRENT, which names the way out. */
  async #explained(version: string | null, error: unknown): Promise<Error> {
    if (version !== null && error instanceof SnapshotFault && error.code === 'missing') {
      return unusableCurrent(this.#options.snapshotsDir, version, error);
    }
    return error instanceof Error ? error : new Error(String(error));
  }

  /** Refuses the served snapshot at once where a file has another length, and has it hashed where a file was touched. */
  async #watchServed(): Promise<void> {
    const served = this.#served;
    if (served === null) return;
    const stamp = await served.check.stamp();
    if (stamp === served.stamp) return;
    served.stamp = stamp;
    served.dueAt = 0;
    await served.check.refuseOtherSizes().catch((error: Error) => this.#drop(served, error));
  }

  #hash(served: ServedSnapshot): void {
    served.dueAt = performance.now() + (this.#options.recheckMs ?? RECHECK_MS);
    this.#hashing = served.check
      .refuseOtherHashes({ isAwaited: false, signal: this.#ending.signal })
      .then(() => {
        served.checkedAt = new Date();
        served.signalIntegrity = verifySignals(served.image.directory, served.manifest);
      })
      .catch((error: Error) => this.#drop(served, error))
      .finally(() => {
        this.#hashing = null;
      });
  }

  /** Ends the serving of a snapshot that is damaged. Where the error says nothing of its files, it is checked again later. */
  #drop(served: ServedSnapshot, error: Error): void {
    if (this.#closed || this.#served !== served) return;
    const fault = { version: served.image.version, error };
    // The mapping outlives a removal; a service that clears old versions away must not lose the one it serves.
    if (!(error instanceof SnapshotDamage) || error.damage.isGone) {
      served.dueAt = performance.now() + RETRY_MS;
      this.#report(fault);
      return;
    }
    // At once: without snapshot and fault it would look as if none had been published yet.
    this.#setFault(fault);
    this.#served = null;
    served.image.release();
    // A check that is under way may be past its look at CURRENT.
    void Promise.resolve(this.#checking).then(() => (this.#closed ? undefined : this.check()));
  }

  /** Opens the newest sound version before `named`, which is refused. Never a later one: the operator may have gone back. */
  async #fallBack(named: string): Promise<void> {
    // Synthetic data must not take the place of real data, whatever happened to the manifest.
    const corpus = (await this.#corpusOf(named)) ?? 'registries';
    const versions = await this.#versionList.versions().catch(() => []);
    for (const version of versions.filter((one) => one < named)) {
      if (this.#closed || this.#served !== null) return;
      if ((await this.#corpusOf(version)) !== corpus) continue;
      await this.#take(version).catch((error: Error) => this.#report({ version, error }));
    }
  }

  async #corpusOf(version: string): Promise<Manifest['corpus'] | null> {
    const found = await this.#versionList.find(version).catch(() => null);
    return found !== null && isReadable(found) ? found.manifest.corpus : null;
  }

  /** Opens a version and serves it. Rejects, also without a look where it is known to be damaged. */
  async #take(version: string): Promise<void> {
    const known = this.#faults.get(version);
    if (known instanceof SnapshotDamage && (await known.stillHolds())) throw known;
    const { snapshotsDir, threadFromBytes, prepare, onChange, recheckMs = RECHECK_MS } = this.#options;
    const directory = snapshotPath(snapshotsDir, version);
    const check = await SnapshotCheck.open(directory, threadFromBytes, this.trust);
    const stamp = await check.stamp();
    // Only at a start is there nothing else to serve meanwhile, and no damage that gives reason to doubt.
    const isDoubtful = [...this.#faults.values()].some((fault) => fault instanceof SnapshotDamage);
    const isHashedLater = !check.isShort && this.#served === null && !isDoubtful;
    const { signal } = this.#ending;
    if (!isHashedLater) await check.refuseOtherHashes({ isAwaited: this.#served === null, signal });
    const image = openSnapshotImage(directory);
    const manifest = { ...check.manifest, signed: await this.trust.isSigned(check.manifest) };
    if (this.#served !== null) await prepare?.(image, () => !this.#closed);
    if (this.#closed) return image.release();
    const before = this.#served;
    this.#served = {
      ...{ image, manifest },
      signalIntegrity: verifySignals(directory, manifest),
      check,
      stamp,
      checkedAt: isHashedLater ? null : new Date(),
      dueAt: isHashedLater ? 0 : performance.now() + recheckMs,
    };
    before?.image.release();
    this.#faults.delete(version);
    onChange?.(version);
  }

  /**
   * Reads what a run that published nothing left: the ages of the served version go by its check, and it may have signed the log with a
   * key that is new.
   */
  async #noteLater(): Promise<void> {
    const served = this.#served;
    if (served === null) return;
    const check = await readLastCheck(this.#options.snapshotsDir, served.image.version);
    const signed = await this.trust.isSigned(served.check.manifest);
    const manifest = { ...asChecked(served.check.manifest, check), signed };
    // What was made of a manifest is kept as long as it is the same object.
    if (!isDeepStrictEqual(manifest, served.manifest)) served.manifest = manifest;
  }

  #setFault(fault: SnapshotHolderFault): void {
    this.#fault = fault;
    this.#report(fault);
  }

  /** Reports a fault once, not at every check. */
  #report(fault: SnapshotHolderFault): void {
    const { version, error } = fault;
    if (this.#closed) return;
    const isKnown = this.#faults.get(version)?.message === error.message;
    this.#faults.set(version, error);
    if (!isKnown) this.#options.onFault(fault);
  }
}

function leaseOf({ image, manifest, signalIntegrity }: OpenSnapshot): SnapshotLease {
  image.retain();
  let isHeld = true;
  const release = (): void => {
    if (isHeld) image.release();
    isHeld = false;
  };
  return { image, manifest, signalIntegrity, [Symbol.dispose]: release };
}
