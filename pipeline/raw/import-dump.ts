import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { RegistryId } from '../../contract/ids.ts';
import type { Effects } from '../effects.ts';
import { errorCode } from '../error-code.ts';
import { sumFile } from '../publish/durable.ts';
import { assertSpace, bytesUnder, withSpaceTaken } from '../space.ts';
import { NewestDays } from './dump-day.ts';
import {
  completeRun,
  type FetchLog,
  type NamedFile,
  recordsHeld,
  removeRun,
  runDirectory,
  SourceFault,
  startRun,
  withAttempt,
} from './fetch-log.ts';
import { copyInput, FileFault, firstBytes, GZIP_SHRINKS, readChunks, writeGzipped } from './files.ts';
import { formatOf, RECOGNISED_BYTES, slicerFor, wrappingOf } from './formats.ts';
import type { Slice } from './slice.ts';
import { readZip } from './zip.ts';

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

/** An import under way. */
interface Import {
  dump: DumpImport;
  log: FetchLog;
  days: NewestDays;
  effects: Effects;
}

/**
 * Imports a dump as a new full raw set. Each file is checked to its end, stored byte for byte (gz and zip copied,
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
    const { registry, source = 'dump' } = dump;
    const origin = basename(resolve(dump.path));
    const log = await startRun(dump.dataDir, { registry, kind: 'full', source, origin }, effects.now());
    try {
      await importFiles(dump, log, files, effects);
      return await completeRun(dump.dataDir, log, effects.now());
    } catch (error) {
      const directory = runDirectory(dump.dataDir, log);
      const taken = { stage: 'fetch', directory: dump.dataDir, written: () => bytesUnder(directory) };
      const told = await withSpaceTaken(error, taken, effects.freeBytes);
      await removeRun(dump.dataDir, log);
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
    bytes += wrappingOf(await firstBytes(path, 4)) === 'plain' ? size / GZIP_SHRINKS : size;
  }
  return bytes;
}

async function importFiles(dump: DumpImport, log: FetchLog, files: DumpFile[], effects: Effects): Promise<void> {
  const { registry, asOf } = dump;
  const today = log.startedAt.slice(0, 10);
  if (asOf !== undefined && asOf > today) {
    const message = `--as-of ${asOf} lies after today (${today}); give the day the dump was made`;
    throw new SourceFault(registry, 'undated', message);
  }
  const days = new NewestDays(registry, today);
  for (const [index, file] of files.entries()) {
    await importFile({ dump, log, days, effects }, file).catch((error: unknown) => {
      throw faultOf(registry, file, error);
    });
    effects.progress({ stage: 'fetch', label: registry, done: index + 1, total: files.length, unit: 'files' });
    effects.checkpoint(`import:${registry}:file:${index + 1}`);
  }
  if (log.files.every((file) => file.records === 0)) throw noRecords(registry, log);
  const dumpDay = asOf === undefined ? days.day() : ({ day: asOf, from: 'given' } as const);
  if (dumpDay === null) {
    const message = `${log.origin}: no record states a day of its update, so the age of the dump is unknown; give the day it was made with --as-of YYYY-MM-DD`;
    throw new SourceFault(registry, 'undated', message);
  }
  log.dumpDay = dumpDay;
  const held = recordsHeld(log);
  if (log.expectedRecords !== null && log.expectedRecords > held) {
    const reason = `it states ${log.expectedRecords} records and holds ${held}, so it is a part; put the other pages into one directory with it, or run \`pipeline fetch --registry ${registry}\``;
    addGap(log, { name: log.origin, reason });
  }
}

function addGap(log: FetchLog, gap: NamedFile): void {
  log.gaps = [...(log.gaps ?? []), gap];
}

/** Stores a file and adds it to the log, or names it there as left out. */
async function importFile({ dump, log, days, effects }: Import, source: DumpFile): Promise<void> {
  const { path } = source;
  const leaveOut = (reason: string): void => void log.leftOut.push(named(source.relative, reason));
  const wrapping = wrappingOf(await firstBytes(path, 4));
  if (wrapping === 'zip' && dump.registry !== 'clinicaltrials_gov') return leaveOut('a zip, not ISRCTN XML');
  const found =
    wrapping === 'zip'
      ? ({ format: 'ctgov-zip' } as const)
      : formatOf(dump.registry, await headOf(path, wrapping === 'gzip'));
  if ('leftOut' in found) return leaveOut(found.leftOut);
  const { format } = found;
  const name = storedName(log.files.length + 1, source.relative, wrapping === 'plain');
  const target = join(runDirectory(dump.dataDir, log), name);
  const receivedAt = effects.now().toISOString();
  let records = 0;
  const count = (slices: readonly Slice[]): void => {
    for (const slice of slices) days.note(slice);
    records += slices.length;
  };
  // What is counted is what is kept, also where somebody writes to the source meanwhile.
  if (wrapping !== 'plain') await copyInput(path, target);
  const slicer = format === 'ctgov-zip' ? null : slicerFor(format);
  const counted = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      count(slicer!.push(chunk));
      yield chunk;
    }
    count(slicer!.end());
  };
  let sum: { sha256: string; bytes: number } | null = null;
  if (slicer === null) {
    const leftOut: NamedFile[] = [];
    for await (const item of readZip(target)) {
      if ('slice' in item) count([item.slice]);
      else leftOut.push({ name: basename(item.name), reason: `in ${basename(path)}: ${item.leftOut}` });
    }
    if (records === 0) {
      await rm(target);
      return leaveOut(withoutStudies(leftOut));
    }
    log.leftOut.push(...leftOut);
  } else if (wrapping === 'plain') sum = await writeGzipped(target, counted(readChunks(path, false)));
  else for await (const _ of counted(readChunks(target, true)));
  const { sha256, bytes } = sum ?? (await sumFile('', target));
  const kept = { wrapping: sum === null ? 'received' : 'gzip', format, sha256, bytes, records } as const;
  log.files.push({ name, ...kept, url: null, receivedAt, position: null });
  if (format === 'isrctn-csv') addGap(log, named(source.relative, CSV_GAP));
  // Several files may be pages of one query or of several, so only the total of a single file counts for the whole dump.
  log.expectedRecords = log.files.length === 1 ? (slicer?.statedTotal ?? null) : null;
}

const CSV_GAP =
  'a CSV export has no titles, conditions, interventions, outcomes, countries, sponsors, sizes or eligibility; the XML has them';

/** The beginning of a file, unpacked. */
async function headOf(path: string, gzip: boolean): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of readChunks(path, gzip)) {
    parts.push(chunk);
    size += chunk.length;
    if (size >= RECOGNISED_BYTES) break;
  }
  return Buffer.concat(parts);
}

/** Names the first entry, which tells what kind of zip it is. */
function withoutStudies([first]: NamedFile[]): string {
  return first === undefined ? 'an empty zip' : `a zip without study records; ${first.name} ${first.reason}`;
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
  // A link to a directory is not followed, because it may lead back up; a link to a file is read as a file.
  for (const entry of await readdir(dump.path, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const isFile = entry.isFile() || (entry.isSymbolicLink() && (await stat(path)).isFile());
    if (isFile) files.push({ path, relative: relative(dump.path, path).replaceAll('\\', '/') });
  }
  return files.sort((a, b) => (a.relative < b.relative ? -1 : 1));
}

function named(path: string, reason: string): NamedFile {
  const folder = dirname(path);
  return { name: basename(path), reason: folder === '.' ? reason : `in ${folder}: ${reason}` };
}

/** Name inside the set: the file's number, then its own name in safe characters. */
function storedName(ordinal: number, path: string, isPlain: boolean): string {
  const safe = basename(path)
    .replaceAll(/[^A-Za-z0-9._-]/g, '_')
    .slice(-120);
  return `${String(ordinal).padStart(6, '0')}-${safe}${isPlain ? '.gz' : ''}`;
}

function noRecords(registry: RegistryId, log: FetchLog): SourceFault {
  const shown = log.leftOut.slice(0, 5).map((file) => `${file.name} (${file.reason})`);
  const rest = log.leftOut.length > shown.length ? ` and ${log.leftOut.length - shown.length} more` : '';
  const seen = shown.length > 0 ? `left out: ${shown.join(', ')}${rest}` : 'its files hold no records';
  const message = `${log.origin} holds no ${registry} record; ${seen}. Check the registry and the path`;
  return new SourceFault(registry, 'no-records', message);
}

/** What to do about a file of the kind `other-form`. */
const OTHER_FORM_ADVICE =
  'a spreadsheet program that saved the file may have written them anew. Import the file as the registry gave it, or write the days as YYYY-MM-DD';

/** For each kind of fault of a file: its code, what it is, and what to do. */
const FAULTS: Readonly<Record<FileFault['kind'], [SourceFault['code'], string, string]>> = {
  truncated: ['truncated', 'is cut short', 'download it again and import it once more'],
  damaged: ['checksum', 'is damaged', 'download it again and import it once more'],
  malformed: ['not-the-registry', 'is not in the shape of this registry', 'remove it from the dump or repair it'],
  'other-form': ['not-the-registry', 'has days that may be read wrongly', OTHER_FORM_ADVICE],
  unsafe: ['not-the-registry', 'is no dump of this registry', 'take the zip from the registry itself'],
  unreadable: ['not-the-registry', 'cannot be read', 'unpack it and import the files'],
};

function faultOf(registry: RegistryId, file: DumpFile, error: unknown): unknown {
  if (!(error instanceof FileFault)) return error;
  const [code, what, advice] = FAULTS[error.kind];
  return new SourceFault(registry, code, `${file.relative} ${what}: ${error.message}; ${advice}`, { cause: error });
}
