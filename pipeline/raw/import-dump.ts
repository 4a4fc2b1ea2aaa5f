import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { RegistryId } from '../../contract/ids.ts';
import type { Effects } from '../effects.ts';
import { assertSpace, bytesUnder, withSpaceTaken } from '../space.ts';
import { withAttempt } from './attempts.ts';
import { NewestDays } from './dump-day.ts';
import { type FetchLog, type NamedFile, type RawFile, type RawFormat, SourceFault } from './fetch-log.ts';
import { createRun, runDirectory, writeFetchLog } from './fetch-log-store.ts';
import { copyInput, errorCode, GZIP_SHRINKS, GzipFault, hashFile, readChunks, writeGzipped } from './files.ts';
import { recordsHeld } from './live-run.ts';
import { SliceError } from './slice.ts';
import { MAX_SNIFF_BYTES, type Sniffed, type StreamFormat, slicerFor, sniff, wrappingOf } from './sniff.ts';
import { readZip, ZipFault } from './zip.ts';

export interface DumpImport {
  registry: RegistryId;
  /** A file, or a directory that is read with all its subdirectories. */
  path: string;
  dataDir: string;
  /** `sample` for the synthetic corpus; default `dump`. */
  source?: 'dump' | 'sample';
  /** The day that the dump is as old as (YYYY-MM-DD); by default the newest day that its records state. */
  asOf?: string;
}

interface DumpFile {
  path: string;
  /** Path inside the dump, with forward slashes. */
  relative: string;
}

type Judged =
  | { kind: 'zip' }
  | { kind: 'stream'; format: StreamFormat; gzip: boolean }
  | { kind: 'left-out'; reason: string };

type Imported =
  | { file: RawFile; statedTotal: number | null; leftOut: NamedFile[]; gap?: NamedFile }
  | { leftOut: NamedFile[] };

/**
 * Imports a dump as a new full raw set. Each file is checked to its end, stored byte for byte (gz and zip linked or copied,
 * plain ones gzipped) and counted. Files of another kind are named in `leftOut`. Throws SourceFault `truncated`,
 * `checksum` or `not-the-registry`, which names the file and what to do, `no-records`, or `undated` where no day is stated
 * or given; then no set is left behind.
 */
export async function importDump(dump: DumpImport, effects: Effects): Promise<FetchLog> {
  return withAttempt(dump.dataDir, dump.registry, effects, async () => {
    const files = await filesOf(dump);
    await mkdir(dump.dataDir, { recursive: true });
    const needed = await bytesToStore(files);
    await assertSpace('fetch', { directory: dump.dataDir, needed }, effects.freeBytes);
    const startedAt = effects.now();
    const log: FetchLog = {
      formatVersion: 1,
      registry: dump.registry,
      run: await createRun(dump.dataDir, dump.registry, 'full', startedAt),
      kind: 'full',
      source: dump.source ?? 'dump',
      state: 'open',
      base: null,
      startedAt: startedAt.toISOString(),
      finishedAt: null,
      origin: basename(resolve(dump.path)),
      dataTimestamp: null,
      dataMoved: false,
      expectedRecords: null,
      window: null,
      files: [],
      leftOut: [],
    };
    try {
      await writeFetchLog(dump.dataDir, log);
      await importFiles(dump, log, files, effects);
      log.state = 'complete';
      log.finishedAt = effects.now().toISOString();
      await writeFetchLog(dump.dataDir, log);
      return log;
    } catch (error) {
      const directory = runDirectory(dump.dataDir, log);
      const taken = { stage: 'fetch', directory: dump.dataDir, written: () => bytesUnder(directory) };
      const told = await withSpaceTaken(error, taken, effects.freeBytes);
      await rm(directory, { recursive: true, force: true });
      if (error instanceof SourceFault) error.told = { leftOut: log.leftOut, gaps: log.gaps ?? [] };
      throw told;
    }
  });
}

/** About what the files take in the data directory: a packed one its size, a plain one what is left of it gzipped. */
async function bytesToStore(files: readonly DumpFile[]): Promise<number> {
  let bytes = 0;
  for (const { path } of files) {
    const { size } = await stat(path);
    bytes += wrappingOf(await firstBytes(path)) === 'plain' ? size / GZIP_SHRINKS : size;
  }
  return bytes;
}

async function importFiles(dump: DumpImport, log: FetchLog, files: DumpFile[], effects: Effects): Promise<void> {
  const today = log.startedAt.slice(0, 10);
  if (dump.asOf !== undefined && dump.asOf > today) throw notYet(dump.registry, dump.asOf, today);
  const days = new NewestDays(dump.registry, today);
  const totals: (number | null)[] = [];
  for (const [index, file] of files.entries()) {
    const imported = await importFile(dump, log, file, days, effects).catch((error: unknown) => {
      throw faultOf(dump.registry, file, error);
    });
    log.leftOut.push(...imported.leftOut);
    if ('file' in imported) {
      if (imported.gap !== undefined) log.gaps = [...(log.gaps ?? []), imported.gap];
      log.files.push(imported.file);
      totals.push(imported.statedTotal);
    }
    effects.progress({ stage: 'fetch', label: dump.registry, done: index + 1, total: files.length, unit: 'files' });
    effects.checkpoint(`import:${dump.registry}:file:${index + 1}`);
  }
  if (log.files.every((file) => file.records === 0)) throw noRecords(dump.registry, log);
  log.dumpDay = dump.asOf === undefined ? (days.day() ?? undefined) : { day: dump.asOf, from: 'given' };
  if (log.dumpDay === undefined) throw undated(dump.registry, log);
  // Several files may be pages of one query or of several, so only the total of a single file counts for the whole dump.
  log.expectedRecords = totals.length === 1 ? totals[0]! : null;
  const held = recordsHeld(log);
  if (log.expectedRecords !== null && log.expectedRecords > held) {
    const reason = `it states ${log.expectedRecords} records and holds ${held}, so it is a part; put the other pages into one directory with it, or run \`pipeline fetch --registry ${log.registry}\``;
    log.gaps = [...(log.gaps ?? []), { name: log.origin, reason }];
  }
}

async function importFile(
  dump: DumpImport,
  log: FetchLog,
  source: DumpFile,
  days: NewestDays,
  effects: Effects,
): Promise<Imported> {
  const judged = await judge(dump.registry, source.path);
  if (judged.kind === 'left-out') return { leftOut: [named(source.relative, judged.reason)] };
  const received = judged.kind === 'zip' || judged.gzip;
  const name = storedName(log.files.length + 1, source.relative, received);
  const target = join(runDirectory(dump.dataDir, log), name);
  const common = { name, url: null, receivedAt: effects.now().toISOString(), position: null };
  if (judged.kind === 'zip') {
    // What is counted is what is kept, also where somebody writes to the source meanwhile.
    await copyInput(source.path, target);
    const found = await countZip({ ...source, path: target }, days);
    if (found.records === 0) {
      await rm(target);
      return { leftOut: [named(source.relative, withoutStudies(found.leftOut))] };
    }
    const { records, leftOut } = found;
    const file: RawFile = {
      ...common,
      wrapping: 'received',
      format: 'ctgov-zip',
      ...(await hashFile(target)),
      records,
    };
    return { file, statedTotal: null, leftOut };
  }
  const format: RawFormat = judged.format;
  const gap = format === 'isrctn-csv' ? { gap: named(source.relative, CSV_LACKS) } : {};
  const slicer = slicerFor(judged.format);
  let records = 0;
  if (judged.gzip) {
    await copyInput(source.path, target);
    for await (const chunk of readChunks(target, true)) records += days.note(slicer.push(chunk));
    records += days.note(slicer.end());
    const file: RawFile = { ...common, wrapping: 'received', format, ...(await hashFile(target)), records };
    return { file, statedTotal: slicer.statedTotal(), leftOut: [], ...gap };
  }
  const hash = createHash('sha256');
  let bytes = 0;
  const observed = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of readChunks(source.path, false)) {
      hash.update(chunk);
      bytes += chunk.length;
      records += days.note(slicer.push(chunk));
      yield chunk;
    }
    records += days.note(slicer.end());
  };
  await writeGzipped(target, observed());
  const file: RawFile = { ...common, wrapping: 'gzip', format, sha256: hash.digest('hex'), bytes, records };
  return { file, statedTotal: slicer.statedTotal(), leftOut: [], ...gap };
}

const CSV_LACKS =
  'a CSV export has no titles, conditions, interventions, outcomes, countries, sponsors, sizes or eligibility; the XML has them';

/** Names the first entry, which tells what kind of zip it is. */
function withoutStudies([first]: NamedFile[]): string {
  return first === undefined ? 'an empty zip' : `a zip without study records; ${first.name} ${first.reason}`;
}

async function countZip(source: DumpFile, days: NewestDays): Promise<{ records: number; leftOut: NamedFile[] }> {
  let records = 0;
  const leftOut: NamedFile[] = [];
  for await (const item of readZip(source.path)) {
    if ('slice' in item) records += days.note([item.slice]);
    else leftOut.push({ name: basename(item.name), reason: `in ${basename(source.relative)}: ${item.leftOut}` });
  }
  return { records, leftOut };
}

async function judge(registry: RegistryId, path: string): Promise<Judged> {
  const wrapping = wrappingOf(await firstBytes(path));
  if (wrapping === 'zip') {
    return registry === 'clinicaltrials_gov' ? { kind: 'zip' } : { kind: 'left-out', reason: 'a zip, not ISRCTN XML' };
  }
  const gzip = wrapping === 'gzip';
  const judged = await sniffStart(registry, path, gzip);
  return judged.kind === 'format' ? { kind: 'stream', format: judged.format, gzip } : judged;
}

async function sniffStart(
  registry: RegistryId,
  path: string,
  gzip: boolean,
): Promise<Exclude<Sniffed, { kind: 'more' }>> {
  const parts: Buffer[] = [];
  let size = 0;
  // Each check reads from the beginning, so the checked size grows fourfold to keep the total work linear.
  let nextLook = 64 * 1024;
  for await (const chunk of readChunks(path, gzip)) {
    parts.push(chunk);
    size += chunk.length;
    if (size < nextLook) continue;
    nextLook = Math.min(size * 4, MAX_SNIFF_BYTES);
    const judged = sniff(registry, Buffer.concat(parts), false);
    if (judged.kind !== 'more') return judged;
  }
  const judged = sniff(registry, Buffer.concat(parts), true);
  return judged.kind === 'more' ? { kind: 'left-out', reason: 'not recognised' } : judged;
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The files of a dump in the order of their relative paths (by UTF-16 code unit, the same on every machine). */
async function filesOf(dump: DumpImport): Promise<DumpFile[]> {
  const info = await stat(dump.path).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
    const message = `${basename(dump.path)} does not exist; give the path of a dump`;
    throw new SourceFault(dump.registry, 'no-records', message, { cause: error });
  });
  if (!info.isDirectory()) return [{ path: dump.path, relative: basename(dump.path) }];
  const files: DumpFile[] = [];
  await walk(dump.path, '', files);
  return files.sort((a, b) => (a.relative < b.relative ? -1 : 1));
}

async function walk(directory: string, prefix: string, files: DumpFile[]): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    const relative = `${prefix}${entry.name}`;
    // A link to a directory is not followed, because it may lead back up; a link to a file is read as a file.
    const isFile = entry.isFile() || (entry.isSymbolicLink() && (await stat(path)).isFile());
    if (entry.isDirectory()) await walk(path, `${relative}/`, files);
    else if (isFile) files.push({ path, relative });
  }
}

function named(relative: string, reason: string): NamedFile {
  const folder = dirname(relative);
  return { name: basename(relative), reason: folder === '.' ? reason : `in ${folder}: ${reason}` };
}

/** Name inside the set: the file's number, then its own name in safe characters. */
function storedName(ordinal: number, relative: string, received: boolean): string {
  const safe = basename(relative)
    .replaceAll(/[^A-Za-z0-9._-]/g, '_')
    .slice(-120);
  return `${String(ordinal).padStart(6, '0')}-${safe}${received ? '' : '.gz'}`;
}

function noRecords(registry: RegistryId, log: FetchLog): SourceFault {
  const shown = log.leftOut.slice(0, 5).map((file) => `${file.name} (${file.reason})`);
  const rest = log.leftOut.length > shown.length ? ` and ${log.leftOut.length - shown.length} more` : '';
  const seen = shown.length > 0 ? `left out: ${shown.join(', ')}${rest}` : 'its files hold no records';
  const message = `${log.origin} holds no ${registry} record; ${seen}. Check the registry and the path`;
  return new SourceFault(registry, 'no-records', message);
}

function undated(registry: RegistryId, log: FetchLog): SourceFault {
  const message = `${log.origin}: no record states a day of its update, so the age of the dump is unknown; give the day it was made with --as-of YYYY-MM-DD`;
  return new SourceFault(registry, 'undated', message);
}

function notYet(registry: RegistryId, asOf: string, today: string): SourceFault {
  const message = `--as-of ${asOf} lies after today (${today}); give the day the dump was made`;
  return new SourceFault(registry, 'undated', message);
}

function faultOf(registry: RegistryId, file: DumpFile, error: unknown): unknown {
  if (!(error instanceof SliceError || error instanceof GzipFault || error instanceof ZipFault)) return error;
  const get = (code: SourceFault['code'], what: string, advice: string): SourceFault =>
    new SourceFault(registry, code, `${file.relative} ${what}: ${error.message}; ${advice}`, { cause: error });
  const again = 'download it again and import it once more';
  switch (error.kind) {
    case 'truncated':
      return get('truncated', 'is cut short', again);
    case 'damaged':
      return get('checksum', 'is damaged', again);
    case 'malformed':
      return get('not-the-registry', 'is not in the shape of this registry', 'remove it from the dump or repair it');
    case 'unsafe':
      return get('not-the-registry', 'is no dump of this registry', 'take the zip from the registry itself');
    case 'unreadable':
      return get('not-the-registry', 'cannot be read', 'unpack it and import the files');
  }
}
