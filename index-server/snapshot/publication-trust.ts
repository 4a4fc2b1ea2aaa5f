import { stat } from 'node:fs/promises';
import { SnapshotFault } from '../../snapshot/format/versions/current.ts';
import { KeyFileFault, readTrustedKeys } from '../../snapshot/format/versions/key-files.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import {
  CHECKPOINT_FILE,
  checkpointFault,
  IDENTITIES_FILE,
  KEYS_FILE,
  logPath,
  manifestFault,
  type PublicationLog,
  readLog,
  signersOf,
} from '../../snapshot/format/versions/publication-log.ts';
import type { PublicKey } from '../../snapshot/proof/verify.mjs';

/** A manifest as answers show it: with whether a signed checkpoint of the log holds its snapshot. */
export type ServedManifest = Manifest & { signed: boolean };

/** Nothing that the operator trusts vouches for a snapshot, so nothing of it is served. */
export class SnapshotDistrust extends Error {
  /** Without what only an operator may see. */
  readonly reason: string;

  constructor(version: string, reason: string) {
    super(`nothing vouches for ${version}: ${reason}`);
    this.name = 'SnapshotDistrust';
    this.reason = reason;
  }
}

/** What the disk held at one moment. */
interface TrustBasis {
  /** Changes when one of the files is replaced or touched. */
  stamp: string;
  /** Null where `fault` says why nothing vouches for anything. */
  log: PublicationLog | null;
  /** One of these keys must have signed. */
  keys: readonly PublicKey[];
  fault: string | null;
  /** What was found of manifests since; null for one that is vouched for. */
  found: WeakMap<Manifest, string | null>;
}

/** Whether the log of publications vouches for a snapshot. Each question looks at the disk; files are read when they changed. */
export class PublicationTrust {
  readonly #snapshotsDir: string;
  readonly #trustedKeysFile: string | null;
  #basis: TrustBasis | null = null;

  constructor(snapshotsDir: string, trustedKeysFile: string | null = null) {
    this.#snapshotsDir = snapshotsDir;
    this.#trustedKeysFile = trustedKeysFile;
  }

  /**
   * Throws SnapshotDistrust for a snapshot that no trusted key vouches for; without trusted keys, for one that the log of publications
   * lacks, where there is a log. Each publication enters the log before it is served, so such a one was put in place by other means.
   */
  async refuseUntrusted(manifest: Manifest): Promise<void> {
    const fault = await this.distrusts(manifest);
    if (fault !== null) throw new SnapshotDistrust(manifest.version, fault);
  }

  /** Why nothing that is trusted vouches for a version, in the same way; null where something does. */
  async distrusts(manifest: Manifest): Promise<string | null> {
    return this.#trustedKeysFile === null ? await this.#missingFrom(manifest) : await this.#keyFault(manifest);
  }

  async #keyFault(manifest: Manifest): Promise<string | null> {
    const fault = await this.#faultOf(manifest);
    return fault === null ? null : `no key of TRUSTED_KEYS_FILE does: ${fault}`;
  }

  async #missingFrom({ identity }: Manifest): Promise<string | null> {
    const { log } = await this.#current();
    if (log === null || log.identities.length === 0) return null;
    return log.identities.includes(identity) ? null : 'its identity is not in the log of publications';
  }

  /** The log as it is, and the keys that count whose signature on its newest checkpoint holds. Rejects where it cannot be read. */
  async log(): Promise<{ log: PublicationLog; signers: PublicKey[] }> {
    const { log, keys, fault } = await this.#current();
    if (log === null) throw new Error(fault ?? 'the log of publications cannot be read');
    const { checkpoint, identities } = log;
    const isSound = checkpoint !== null && checkpointFault(checkpoint, identities) === null;
    return { log, signers: isSound ? (await signersOf(checkpoint, keys)).keys : [] };
  }

  /** Whether a trusted key, or where none is insisted on a key that the log lists, signed a checkpoint over the snapshot. */
  async isSigned(manifest: Manifest): Promise<boolean> {
    return (await this.#faultOf(manifest)) === null;
  }

  async #faultOf(manifest: Manifest): Promise<string | null> {
    const basis = await this.#current();
    const known = basis.found.get(manifest);
    if (known !== undefined) return known;
    const fault = await faultBy(basis, manifest);
    basis.found.set(manifest, fault);
    return fault;
  }

  async #current(): Promise<TrustBasis> {
    const names = [CHECKPOINT_FILE, IDENTITIES_FILE, KEYS_FILE].map((name) => logPath(this.#snapshotsDir, name));
    const stamp = await stampOf(this.#trustedKeysFile === null ? names : [...names, this.#trustedKeysFile]);
    if (this.#basis?.stamp !== stamp) this.#basis = { stamp, found: new WeakMap(), ...(await this.#read()) };
    return this.#basis;
  }

  async #read(): Promise<Pick<TrustBasis, 'log' | 'keys' | 'fault'>> {
    try {
      const trusted = this.#trustedKeysFile === null ? null : await readTrustedKeys(this.#trustedKeysFile);
      const log = await readLog(this.#snapshotsDir);
      return { log, keys: trusted ?? log.keys, fault: null };
    } catch (error) {
      if (error instanceof KeyFileFault) return { log: null, keys: [], fault: 'the trusted keys cannot be read' };
      // A log that cannot be read vouches for nothing, and takes nothing down where nobody insists on it.
      const why = error instanceof SnapshotFault ? error.message : 'the log of publications cannot be read';
      return { log: null, keys: [], fault: why };
    }
  }
}

async function faultBy({ log, keys, fault }: TrustBasis, manifest: Manifest): Promise<string | null> {
  return log === null ? fault : manifestFault(log, manifest, keys);
}

async function stampOf(paths: readonly string[]): Promise<string> {
  const stamps = paths.map((path) =>
    stat(path).then(
      ({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`,
      () => 'none',
    ),
  );
  return (await Promise.all(stamps)).join(',');
}
