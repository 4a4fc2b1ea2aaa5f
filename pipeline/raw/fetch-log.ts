import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { REGISTRY_IDS, type RegistryId } from '../../contract/ids.ts';
import type { Effects } from '../effects.ts';
import { errorCode } from '../error-code.ts';
import { sync } from '../publish/durable.ts';
import { replaceFile } from './files.ts';
import type { Slice } from './slice.ts';

const LOG_FILE = 'ledger.json';
const RUN_NAME = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z-(?:full|incremental)$/;

const count = z.int().min(0);

const rawFileSchema = z.strictObject({
  /** A plain name inside the set's directory, so that a fetch log cannot point outside it. */
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/),
  /** `received`: as it came (zip, gz); `gzip`: plain bytes that were gzipped to be stored. */
  wrapping: z.enum(['received', 'gzip']),
  /** Format of the unwrapped content. */
  format: z.enum([
    ...(['ctgov-page', 'ctgov-array', 'ctgov-ndjson', 'ctgov-study', 'ctgov-zip'] as const),
    ...(['isrctn-xml', 'isrctn-trial', 'isrctn-csv'] as const),
  ]),
  /** SHA-256 and length of the bytes as received, before we gzipped them. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: count,
  /** Number of records in the file; for a zip, its entries. */
  records: count,
  url: z.string().nullable(),
  receivedAt: z.iso.datetime(),
  /** Where the next request continues: a page token or windows, in the form of this registry's fetcher. */
  position: z.string().nullable(),
});
export type RawFile = z.infer<typeof rawFileSchema>;
export type RawFormat = RawFile['format'];

/**
 * The day of a dump, never that of its reading. `given`: the operator named it. `stated`: its records name the day of the
 * registry's data. `newest-update`: the newest update of a record in it.
 */
const dumpDaySchema = z.strictObject({ day: z.iso.date(), from: z.enum(['given', 'stated', 'newest-update']) });
export type DumpDay = z.infer<typeof dumpDaySchema>;

const namedFileSchema = z.strictObject({ name: z.string(), reason: z.string() });
export type NamedFile = z.infer<typeof namedFileSchema>;

/**
 * A raw set is what one fetch of one registry received: files byte for byte (plain ones gzipped) and this log. The log is
 * `data/raw/<registry>/<run>/ledger.json` and is replaced atomically after each file, so that a killed run resumes after
 * its last complete file. Later stages read only a set whose state is `complete`.
 */
const fetchLogSchema = z.strictObject({
  formatVersion: z.literal(1),
  registry: z.enum(REGISTRY_IDS),
  /** Directory name: UTC time in basic form and the kind, e.g. `20261121T031500Z-full`; sorts by time. */
  run: z.string().regex(RUN_NAME),
  /** `full` replaces everything before it (ids it lacks are removed); `incremental` extends `base`. */
  kind: z.enum(['full', 'incremental']),
  source: z.enum(['live', 'dump', 'sample']),
  state: z.enum(['open', 'complete']),
  /** Run name of the full set that an incremental one extends; null for a full set. */
  base: z.string().nullable(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  /** Address of the registry, or the base name of the dump file or directory (never a path of this machine). */
  origin: z.string(),
  /** The time that the registry states for its data (ClinicalTrials.gov /version); null when it states none. */
  dataTimestamp: z.string().nullable(),
  /** True when `dataTimestamp` changed during the run. */
  dataMoved: z.boolean(),
  /** Of a dump or sample: the day that it is as old as. Absent in live sets. */
  dumpDay: dumpDaySchema.optional(),
  /**
   * How many records the registry says it has; null when it does not say. Of a dump it is only what the file says of itself,
   * since a saved page of a filtered query states a total too.
   */
  expectedRecords: count.nullable(),
  /**
   * How many records the registry counts without any filter, where the fetch itself filters (ISRCTN); null when it would
   * not say. Absent in increments, and in sets whose `expectedRecords` is that number.
   */
  registryTotal: count.nullable().optional(),
  /** Update window of an incremental set: ISO dates, `from` inclusive. */
  window: z.strictObject({ from: z.string(), to: z.string() }).nullable(),
  files: z.array(rawFileSchema),
  /** Files of a dump that were not imported: base name and reason. */
  leftOut: z.array(namedFileSchema),
  /** Files of a dump that were imported although their form lacks much: base name, and what it lacks. Absent where none does. */
  gaps: z.array(namedFileSchema).optional(),
});
export type FetchLog = z.infer<typeof fetchLogSchema>;

/** One record of a raw set, or the reason why it could not be read from its file. */
export type RawRecord =
  | { ok: true; registry: RegistryId; payload: Buffer; file: string; receivedAt: string }
  | ({ ok: false; registry: RegistryId; file: string } & Omit<Extract<Slice, { ok: false }>, 'ok'>);

/** A fault of a whole source. It stops the run before anything is published. */
export class SourceFault extends Error {
  readonly registry: RegistryId;
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
  /** HTTP status of a request that the source refused. */
  readonly status: number | undefined;

  constructor(
    registry: RegistryId,
    code: SourceFault['code'],
    message: string,
    { status, ...options }: ErrorOptions & { status?: number } = {},
  ) {
    super(message, options);
    this.name = 'SourceFault';
    this.registry = registry;
    this.code = code;
    this.status = status;
  }
}

/** Records in the files that a fetch log has so far. */
export function recordsHeld(log: FetchLog): number {
  return log.files.reduce((sum, file) => sum + file.records, 0);
}

export function registryDirectory(dataDir: string, registry: RegistryId): string {
  return join(dataDir, 'raw', registry);
}

export function runDirectory(dataDir: string, log: Pick<FetchLog, 'registry' | 'run'>): string {
  return join(registryDirectory(dataDir, log.registry), log.run);
}

/** Replaces a set's fetch log atomically and durably; throws when the disk refuses it. */
export async function writeFetchLog(dataDir: string, log: FetchLog): Promise<void> {
  await writeJson(join(runDirectory(dataDir, log), LOG_FILE), log);
}

/** The fetch log of a run; null when the run has none, as it was killed before its first write. Throws when it is invalid. */
export async function readFetchLog(dataDir: string, registry: RegistryId, run: string): Promise<FetchLog | null> {
  const path = join(registryDirectory(dataDir, registry), run, LOG_FILE);
  const value = await readJson(path);
  if (value === undefined) return null;
  const parsed = fetchLogSchema.safeParse(value);
  if (!parsed.success || parsed.data.run !== run || parsed.data.registry !== registry) {
    const why = parsed.success ? 'it belongs to another run' : z.prettifyError(parsed.error).replaceAll('\n', '; ');
    throw new Error(
      `raw/${registry}/${run}/${LOG_FILE} is not a valid fetch log (${why}); remove that directory and fetch again`,
    );
  }
  return parsed.data;
}

/** All fetch logs of a registry, oldest run first. */
export async function readFetchLogs(dataDir: string, registry: RegistryId): Promise<FetchLog[]> {
  const logs: FetchLog[] = [];
  for (const run of await runNames(dataDir, registry)) {
    const log = await readFetchLog(dataDir, registry, run);
    if (log) logs.push(log);
  }
  return logs;
}

type NewRun = Pick<FetchLog, 'registry' | 'kind' | 'source' | 'origin'> &
  Partial<Pick<FetchLog, 'base' | 'dataTimestamp' | 'window'>>;

/**
 * Makes the directory of an open run without files, and writes its log. Its name is the time, moved forward by whole
 * seconds when needed, so that run names sort in the order in which the runs were made, even after the clock was set back.
 */
export async function startRun(dataDir: string, started: NewRun, now: Date): Promise<FetchLog> {
  const parent = registryDirectory(dataDir, started.registry);
  const last = (await runNames(dataDir, started.registry)).at(-1);
  const time = new Date(Math.max(now.getTime(), last === undefined ? 0 : timeOfRun(last) + 1000));
  const run = `${time.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z-${started.kind}`;
  const { base = null, dataTimestamp = null, window = null, ...given } = started;
  const nothing = { finishedAt: null, dataMoved: false, expectedRecords: null, files: [], leftOut: [] };
  const opened = { formatVersion: 1, run, state: 'open', startedAt: now.toISOString() } as const;
  const log: FetchLog = { ...opened, ...given, base, dataTimestamp, window, ...nothing };
  await mkdir(join(parent, run), { recursive: true });
  try {
    await sync(parent);
    await writeFetchLog(dataDir, log);
  } catch (error) {
    await removeRun(dataDir, log);
    throw error;
  }
  return log;
}

/** Marks a set as complete; later stages read it from now on. */
export async function completeRun(dataDir: string, log: FetchLog, now: Date): Promise<FetchLog> {
  log.state = 'complete';
  log.finishedAt = now.toISOString();
  await writeFetchLog(dataDir, log);
  return log;
}

/** Removes a run that can neither be completed nor resumed. */
export async function removeRun(dataDir: string, log: FetchLog): Promise<void> {
  await rm(runDirectory(dataDir, log), { recursive: true, force: true });
}

/** The newest complete full set and the later complete increments that extend it, oldest first; null when there is none. */
export async function rawSetsOf(
  dataDir: string,
  registry: RegistryId,
): Promise<{ full: FetchLog; increments: FetchLog[] } | null> {
  const complete = (await readFetchLogs(dataDir, registry)).filter((log) => log.state === 'complete');
  const full = complete.findLast((log) => log.kind === 'full');
  if (!full) return null;
  const increments = complete.filter(
    (log) => log.kind === 'incremental' && log.base === full.run && log.run > full.run,
  );
  return { full, increments };
}

/**
 * Removes what no later stage reads: all full sets except the newest `keep` (at least 1), the increments of the removed
 * ones, and unfinished runs older than the newest full set. Returns the names of the removed runs, oldest first.
 */
export async function removeOldSets(dataDir: string, registry: RegistryId, keep: number): Promise<string[]> {
  if (!Number.isInteger(keep) || keep < 1) throw new RangeError(`keep must be a whole number from 1, not ${keep}`);
  const logs = new Map((await readFetchLogs(dataDir, registry)).map((log) => [log.run, log]));
  const complete = [...logs.values()].filter((log) => log.state === 'complete');
  const fulls = complete.filter((log) => log.kind === 'full').map((log) => log.run);
  const kept = fulls.slice(-keep);
  const newest = fulls.at(-1) ?? '';
  const removed = (await runNames(dataDir, registry)).filter((run) => {
    const log = logs.get(run);
    const isOfKept = log?.state === 'complete' && kept.includes(log.base ?? run);
    return run < newest && !isOfKept;
  });
  for (const run of removed) await rm(join(registryDirectory(dataDir, registry), run), { recursive: true });
  return removed;
}

async function runNames(dataDir: string, registry: RegistryId): Promise<string[]> {
  try {
    const entries = await readdir(registryDirectory(dataDir, registry), { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && RUN_NAME.test(entry.name))
      .map((entry) => entry.name)
      .sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** A JSON file's value; undefined when there is no such file. */
async function readJson(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path.split('/').slice(-4).join('/')} is not JSON; remove it and run again`, { cause: error });
  }
}

function writeJson(path: string, value: unknown): Promise<void> {
  return replaceFile(path, `${JSON.stringify(value, null, 1)}\n`);
}

function timeOfRun(run: string): number {
  const [, year, month, day, hour, minute, second] = RUN_NAME.exec(run)!;
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
}

const ATTEMPTS_FILE = 'attempts.json';

const attemptsSchema = z.strictObject({
  formatVersion: z.literal(1),
  lastAttemptAt: z.iso.datetime(),
  lastSuccessAt: z.iso.datetime().nullable(),
  lastError: z.string().nullable(),
});

/**
 * Outcome of the last fetch or import of a registry; `lastError` is null when it succeeded. A registry whose last attempt
 * failed keeps its last good set and is reported stale.
 */
export type Attempts = z.infer<typeof attemptsSchema>;

/** The last attempt of a registry; null when there was none. */
export async function lastAttempt(dataDir: string, registry: RegistryId): Promise<Attempts | null> {
  const value = await readJson(join(registryDirectory(dataDir, registry), ATTEMPTS_FILE));
  return value === undefined ? null : attemptsSchema.parse(value);
}

/** Runs one attempt and records its outcome: after a kill "not finished", after a fault its message. */
export async function withAttempt<T>(
  dataDir: string,
  registry: RegistryId,
  effects: Effects,
  attempt: () => Promise<T>,
): Promise<T> {
  const directory = registryDirectory(dataDir, registry);
  const before = await lastAttempt(dataDir, registry);
  const lastAttemptAt = effects.now().toISOString();
  const lastSuccessAt = before?.lastSuccessAt ?? null;
  const record = async (entry: Pick<Attempts, 'lastSuccessAt' | 'lastError'>): Promise<void> => {
    const attempts: Attempts = { formatVersion: 1, lastAttemptAt, ...entry };
    await mkdir(directory, { recursive: true });
    await writeJson(join(directory, ATTEMPTS_FILE), attempts);
  };
  await record({ lastSuccessAt, lastError: 'the attempt was not finished' });
  let result: T;
  try {
    result = await attempt();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // If a full disk refuses this record, the caller still gets the fault itself, and "not finished" stays on record.
    await record({ lastSuccessAt, lastError: message }).catch(() => {});
    throw error;
  }
  await record({ lastSuccessAt: effects.now().toISOString(), lastError: null });
  return result;
}
