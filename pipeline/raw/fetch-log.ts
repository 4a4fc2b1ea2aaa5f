import type { RegistryId } from '../../contract/ids.ts';

/**
 * A raw set is what one fetch of one registry received: files byte for byte (gzip around plain ones) and this log.
 * `data/raw/<registry>/<run>/ledger.json`, replaced atomically after each file, so that a killed run resumes behind
 * its last complete file. Only a set whose state is `complete` is read by later stages.
 */
export interface FetchLog {
  formatVersion: 1;
  registry: RegistryId;
  /** Directory name: UTC time in basic form and the kind, e.g. `20261121T031500Z-full`; sorts by time. */
  run: string;
  /** `full` replaces everything before it (ids it lacks are removed); `incremental` lies on top of `base`. */
  kind: 'full' | 'incremental';
  source: 'live' | 'dump' | 'sample';
  state: 'open' | 'complete';
  /** Run name of the full set that an incremental one lies on. */
  base: string | null;
  startedAt: string;
  finishedAt: string | null;
  /** Address of the registry, or the base name of the dump file or directory (never a path of this machine). */
  origin: string;
  /** The time that the registry states for its data (ClinicalTrials.gov /version), null where it states none. */
  dataTimestamp: string | null;
  /** True when `dataTimestamp` moved while the run was under way. */
  dataMoved: boolean;
  /** How many records the registry said there are; null where it does not say. */
  expectedRecords: number | null;
  /** Update window of an incremental set: ISO dates, `from` inclusive. */
  window: { from: string; to: string } | null;
  files: RawFile[];
  /** Files of a dump that are of another kind, by base name with the reason. */
  leftOut: { name: string; reason: string }[];
}

export interface RawFile {
  /** File name inside the set's directory. */
  name: string;
  /** `received`: as it came (zip, gz); `gzip`: plain bytes that were gzipped for keeping. */
  wrapping: 'received' | 'gzip';
  /** What the content is, once unwrapped. */
  format: RawFormat;
  /** SHA-256 and length of the bytes as received, before any wrapping of ours. */
  sha256: string;
  bytes: number;
  /** Records found in it; for a zip, its entries. */
  records: number;
  url: string | null;
  receivedAt: string;
  /** Where the next request continues (page token, window), as the fetcher of this registry keeps it. */
  position: string | null;
}

export type RawFormat =
  | 'ctgov-page'
  | 'ctgov-array'
  | 'ctgov-ndjson'
  | 'ctgov-study'
  | 'ctgov-zip'
  | 'isrctn-xml'
  | 'isrctn-trial';

/** One record of a raw set, or the reason why it could not be cut out of its file. */
export type RawRecord =
  | { ok: true; registry: RegistryId; payload: Buffer; file: string; receivedAt: string }
  | {
      ok: false;
      registry: RegistryId;
      reason: 'not-utf8' | 'not-json' | 'not-xml' | 'too-large' | 'too-deep';
      detail: string;
      excerpt: string;
      file: string;
    };

/** A fault of a whole source: stops the run before anything is published. */
export class SourceFault extends Error {
  readonly registry: RegistryId;
  readonly code:
    | 'truncated'
    | 'not-the-registry'
    | 'no-records'
    | 'checksum'
    | 'count-mismatch'
    | 'unreachable'
    | 'refused'
    | 'endless'
    | 'repeated-token'
    | 'window-limit'
    | 'incomplete-set';

  constructor(registry: RegistryId, code: SourceFault['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SourceFault';
    this.registry = registry;
    this.code = code;
  }
}
