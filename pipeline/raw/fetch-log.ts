import type { RegistryId } from '../../contract/ids.ts';

/**
 * A raw set is what one fetch of one registry received: files byte for byte (plain ones gzipped) and this log. The log is
 * `data/raw/<registry>/<run>/ledger.json` and is replaced atomically after each file, so that a killed run resumes after
 * its last complete file. Later stages read only a set whose state is `complete`.
 */
export interface FetchLog {
  formatVersion: 1;
  registry: RegistryId;
  /** Directory name: UTC time in basic form and the kind, e.g. `20261121T031500Z-full`; sorts by time. */
  run: string;
  /** `full` replaces everything before it (ids it lacks are removed); `incremental` extends `base`. */
  kind: 'full' | 'incremental';
  source: 'live' | 'dump' | 'sample';
  state: 'open' | 'complete';
  /** Run name of the full set that an incremental one extends; null for a full set. */
  base: string | null;
  startedAt: string;
  finishedAt: string | null;
  /** Address of the registry, or the base name of the dump file or directory (never a path of this machine). */
  origin: string;
  /** The time that the registry states for its data (ClinicalTrials.gov /version); null when it states none. */
  dataTimestamp: string | null;
  /** True when `dataTimestamp` changed during the run. */
  dataMoved: boolean;
  /** Of a dump or sample: the day that it is as old as. Absent in live sets. */
  dumpDay?: DumpDay | undefined;
  /**
   * How many records the registry says it has; null when it does not say. Of a dump it is only what the file says of itself,
   * since a saved page of a filtered query states a total too.
   */
  expectedRecords: number | null;
  /**
   * How many records the registry counts without any filter, where the fetch itself asks with one (ISRCTN); null when it
   * would not say. Absent in increments, and in sets whose `expectedRecords` is that number.
   */
  registryTotal?: number | null | undefined;
  /** Update window of an incremental set: ISO dates, `from` inclusive. */
  window: { from: string; to: string } | null;
  files: RawFile[];
  /** Files of a dump that were not imported: base name and reason. */
  leftOut: NamedFile[];
  /** Files of a dump that were imported although their form lacks much: base name, and what it lacks. Absent where none does. */
  gaps?: NamedFile[] | undefined;
}

export interface NamedFile {
  name: string;
  reason: string;
}

/**
 * The day of a dump, never that of its reading. `given`: the operator named it. `stated`: its records name the day of the
 * registry's data. `newest-update`: the newest update of a record in it.
 */
export interface DumpDay {
  /** YYYY-MM-DD. */
  day: string;
  from: 'given' | 'stated' | 'newest-update';
}

export interface RawFile {
  /** File name inside the set's directory. */
  name: string;
  /** `received`: as it came (zip, gz); `gzip`: plain bytes that were gzipped to be stored. */
  wrapping: 'received' | 'gzip';
  /** Format of the unwrapped content. */
  format: RawFormat;
  /** SHA-256 and length of the bytes as received, before we gzipped them. */
  sha256: string;
  bytes: number;
  /** Number of records in the file; for a zip, its entries. */
  records: number;
  url: string | null;
  receivedAt: string;
  /** Where the next request continues: a page token or windows, in the form of this registry's fetcher. */
  position: string | null;
}

export type RawFormat =
  | 'ctgov-page'
  | 'ctgov-array'
  | 'ctgov-ndjson'
  | 'ctgov-study'
  | 'ctgov-zip'
  | 'isrctn-xml'
  | 'isrctn-trial'
  | 'isrctn-csv';

/** One record of a raw set, or the reason why it could not be read from its file. */
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

/** A registry, or the publisher of the terminology. */
export type SourceName = RegistryId | 'mesh';

/** A fault of a whole source. It stops the run before anything is published. */
export class SourceFault extends Error {
  readonly registry: SourceName;
  readonly code:
    | 'truncated'
    | 'not-the-registry'
    | 'no-records'
    | 'undated'
    | 'checksum'
    | 'count-mismatch'
    | 'unreachable'
    | 'refused'
    | 'endless'
    | 'repeated-token'
    | 'window-limit'
    | 'incomplete-set';
  /** Of a dump: what was left out of it until then, and what was read with gaps. */
  told: { leftOut: readonly NamedFile[]; gaps: readonly NamedFile[] } = { leftOut: [], gaps: [] };

  constructor(registry: SourceName, code: SourceFault['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SourceFault';
    this.registry = registry;
    this.code = code;
  }
}
