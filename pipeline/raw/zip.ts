import { type FileHandle, open } from 'node:fs/promises';
import { crc32, inflateRawSync } from 'node:zlib';
import yauzl, { type Entry } from 'yauzl';
import { JsonSlicer } from './json-slicer.ts';
import { BYTE_ORDER_MARK, excerptOf, MAX_RECORD_BYTES, type Slice, SliceError } from './slice.ts';
import { firstInk, sniff } from './sniff.ts';

const LOCAL_HEADER_BYTES = 30;
const LOCAL_HEADER_SIGNATURE = 0x04034b50;
/** Estimate of the variable part of a local header after the name; a longer one costs a second read. */
const EXTRA_GUESS_BYTES = 256;
const WINDOW_BYTES = 1024 * 1024;

/** The archive cannot be read: it is cut short, damaged, names files elsewhere, or uses a feature that is not supported. */
export class ZipFault extends Error {
  readonly kind: 'truncated' | 'damaged' | 'unsafe' | 'unreadable';

  constructor(kind: ZipFault['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ZipFault';
    this.kind = kind;
  }
}

/** An entry of the archive: its record (one study per entry), or why it holds none. */
export type ZipItem = { name: string; slice: Slice } | { name: string; leftOut: string };

/**
 * Reads the entries of a zip in the order of its central directory, one in memory at a time, each checked against the size
 * and CRC-32 in the directory. Throws ZipFault: an archive that was cut has no directory, or entries beyond its end.
 */
export async function* readZip(path: string): AsyncGenerator<ZipItem> {
  const file = await open(path, 'r');
  try {
    const data = new WindowReader(file);
    for await (const entry of directoryOf(file)) {
      if (entry.fileName.endsWith('/')) continue;
      if (entry.isEncrypted()) throw new ZipFault('unreadable', `its entry ${entry.fileName} is encrypted`);
      if (entry.uncompressedSize > MAX_RECORD_BYTES) {
        const detail = `the entry has ${entry.uncompressedSize} bytes; the limit is ${MAX_RECORD_BYTES}`;
        if (!isJsonName(entry.fileName)) {
          yield { name: entry.fileName, leftOut: `no record: ${detail}` };
          continue;
        }
        yield { name: entry.fileName, slice: { ok: false, reason: 'too-large', detail, excerpt: entry.fileName } };
        continue;
      }
      yield itemOf(entry.fileName, await contentOf(data, entry));
    }
  } finally {
    await file.close();
  }
}

async function* directoryOf(file: FileHandle): AsyncGenerator<Entry> {
  try {
    const { size } = await file.stat();
    // Names are read here, since the package tells a name that it refuses by its message alone.
    const options = { lazyEntries: true, autoClose: false, decodeStrings: false };
    const archive = await yauzl.fromRandomAccessReaderPromise(new WindowReader(file), size, options);
    try {
      for await (const entry of archive.eachEntry()) yield withName(entry);
    } finally {
      archive.close();
    }
  } catch (error) {
    if (error instanceof ZipFault) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new ZipFault('truncated', `its central directory cannot be read (${message})`, { cause: error });
  }
}

/** The entry with its name as text. Throws ZipFault for a name that leads out of the folder into which an archive is unpacked. */
function withName(entry: Entry): Entry {
  const flags = entry.generalPurposeBitFlag;
  entry.fileName = yauzl.getFileNameLowLevel(flags, entry.fileNameRaw, entry.extraFields, false);
  const fault = yauzl.validateFileName(entry.fileName);
  if (fault === null) return entry;
  const name = JSON.stringify(entry.fileName.slice(0, NAME_SHOWN_CHARACTERS));
  throw new ZipFault(
    'unsafe',
    `its entry ${name} is named so that it would be unpacked elsewhere (../ or a path from the root)`,
  );
}

const NAME_SHOWN_CHARACTERS = 120;

async function contentOf(data: WindowReader, entry: Entry): Promise<Buffer> {
  const compressed = await compressedBytes(data, entry);
  const content = inflated(compressed, entry);
  if (content.length !== entry.uncompressedSize) {
    throw new ZipFault(
      'damaged',
      `its entry ${entry.fileName} has ${content.length} bytes where the directory states ${entry.uncompressedSize}`,
    );
  }
  if (crc32(content) !== entry.crc32) throw new ZipFault('damaged', `its entry ${entry.fileName} fails its CRC-32`);
  return content;
}

async function compressedBytes(data: WindowReader, entry: Entry): Promise<Buffer> {
  const at = entry.relativeOffsetOfLocalHeader;
  const guess = LOCAL_HEADER_BYTES + entry.fileNameLength + EXTRA_GUESS_BYTES + entry.compressedSize;
  const head = await data.at(at, guess);
  if (head.length < LOCAL_HEADER_BYTES) throw beyondEnd(entry);
  if (head.readUInt32LE(0) !== LOCAL_HEADER_SIGNATURE) {
    throw new ZipFault('damaged', `its entry ${entry.fileName} does not begin where the directory says`);
  }
  const dataAt = LOCAL_HEADER_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28);
  const held = head.subarray(dataAt, dataAt + entry.compressedSize);
  const bytes = held.length === entry.compressedSize ? held : await data.at(at + dataAt, entry.compressedSize);
  if (bytes.length < entry.compressedSize) throw beyondEnd(entry);
  return bytes;
}

function inflated(compressed: Buffer, entry: Entry): Buffer {
  if (entry.compressionMethod === 0) return compressed;
  if (entry.compressionMethod !== 8) {
    throw new ZipFault(
      'unreadable',
      `its entry ${entry.fileName} uses compression method ${entry.compressionMethod}; only deflate is read`,
    );
  }
  try {
    return inflateRawSync(compressed, { maxOutputLength: Math.max(1, entry.uncompressedSize) });
  } catch (error) {
    throw new ZipFault('damaged', `its entry ${entry.fileName} does not unpack`, { cause: error });
  }
}

function beyondEnd(entry: Entry): ZipFault {
  return new ZipFault('truncated', `its entry ${entry.fileName} lies beyond the end of the file`);
}

/** Reads a file through one moving window, because a zip of many small entries is read from front to back. */
class WindowReader extends yauzl.RandomAccessReader {
  readonly #file: FileHandle;
  #window: Buffer = Buffer.alloc(0);
  #start = 0;

  constructor(file: FileHandle) {
    super();
    this.#file = file;
  }

  /** Up to `length` bytes from `position`; fewer only at the end of the file. */
  async at(position: number, length: number): Promise<Buffer> {
    const from = position - this.#start;
    if (from < 0 || from + length > this.#window.length) {
      // A new buffer each time: views of the old one may still be in use.
      this.#window = await readFully(this.#file, position, Math.max(length, WINDOW_BYTES));
      this.#start = position;
    }
    return this.#window.subarray(position - this.#start, position - this.#start + length);
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.at(position, length).then((bytes) => {
      bytes.copy(buffer, offset);
      callback(bytes.length < length ? new Error('unexpected end of file') : null);
    }, callback);
  }
}

async function readFully(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(buffer, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return buffer.subarray(0, done);
}

function isJsonName(name: string): boolean {
  return name.toLowerCase().endsWith('.json');
}

/** Content of an entry: a study, or something that must be imported as a file of its own. */
function itemOf(name: string, content: Buffer): ZipItem {
  const body = content.subarray(0, 3).equals(BYTE_ORDER_MARK) ? content.subarray(3) : content;
  const start = firstInk(body, 0);
  if (start === -1 || body[start] !== 0x7b) {
    const judged = sniff('clinicaltrials_gov', content, true);
    if (judged.kind === 'left-out' && !isJsonName(name)) return { name, leftOut: judged.reason };
    if (judged.kind === 'format')
      return { name, leftOut: 'many studies in one entry of a zip; unpack it and import the files' };
    return { name, slice: notJson('the entry is not a JSON object', content) };
  }
  const judged = sniff('clinicaltrials_gov', content, true);
  if (judged.kind === 'format' && judged.format !== 'ctgov-study') {
    return { name, leftOut: 'many studies in one entry of a zip; unpack it and import the files' };
  }
  return { name, slice: studyOf(content) };
}

function studyOf(content: Buffer): Slice {
  const slicer = new JsonSlicer('study');
  try {
    const slices = [...slicer.push(content), ...slicer.end()];
    return slices[0]!;
  } catch (error) {
    if (error instanceof SliceError) return notJson(error.message, content);
    throw error;
  }
}

function notJson(detail: string, content: Buffer): Slice {
  return { ok: false, reason: 'not-json', detail, excerpt: excerptOf(content) };
}
