import { type FileHandle, open } from 'node:fs/promises';
import { crc32, inflateRawSync } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { notJson, studyOf } from './json-slicer.ts';
import { MAX_RECORD_BYTES, type Slice } from './slice.ts';
import { isJsonObject, sniff } from './sniff.ts';

const NAME_CHARACTERS = 120;
const WINDOW_BYTES = 1024 * 1024;
const STORED = 0;
const DEFLATED = 8;

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
    // The directory and the data have a window each, since they lie apart and are read in turns.
    const directory = await archiveOf(file);
    const data = await archiveOf(file);
    for await (const entry of directory.archive.eachEntry()) {
      const name = nameOf(entry);
      if (!name.endsWith('/')) yield await itemOf(data, entry, name);
    }
  } catch (error) {
    if (error instanceof ZipFault) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new ZipFault('truncated', `its central directory cannot be read (${message})`, { cause: error });
  } finally {
    await file.close();
  }
}

interface Archive {
  archive: ZipFile;
  window: WindowReader;
}

async function archiveOf(file: FileHandle): Promise<Archive> {
  const window = new WindowReader(file);
  const { size } = await file.stat();
  // Names are read here, since the package tells a name that it refuses by its message alone.
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false };
  return { window, archive: await yauzl.fromRandomAccessReaderPromise(window, size, options) };
}

/** Throws ZipFault for a name that leads out of the folder into which an archive is unpacked. */
function nameOf(entry: Entry): string {
  const name = yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
  if (yauzl.validateFileName(name) === null) return name;
  throw new ZipFault(
    'unsafe',
    `its entry ${JSON.stringify(name.slice(0, NAME_CHARACTERS))} is named so that it would be unpacked elsewhere (../ or a path from the root)`,
  );
}

async function itemOf(data: Archive, entry: Entry, name: string): Promise<ZipItem> {
  if (entry.isEncrypted()) throw new ZipFault('unreadable', `its entry ${name} is encrypted`);
  const isJson = name.toLowerCase().endsWith('.json');
  if (entry.uncompressedSize > MAX_RECORD_BYTES) {
    const detail = `the entry has ${entry.uncompressedSize} bytes; the limit is ${MAX_RECORD_BYTES}`;
    if (!isJson) return { name, leftOut: `no record: ${detail}` };
    return { name, slice: { ok: false, reason: 'too-large', detail, excerpt: name } };
  }
  const content = await contentOf(data, entry, name);
  const judged = sniff('clinicaltrials_gov', content, true);
  if (judged.kind === 'format' && judged.format !== 'ctgov-study') {
    return { name, leftOut: 'many studies in one entry of a zip; unpack it and import the files' };
  }
  if (isJsonObject(content)) return { name, slice: studyOf(content) };
  if (judged.kind === 'left-out' && !isJson) return { name, leftOut: judged.reason };
  return { name, slice: notJson('the entry is not a JSON object', content) };
}

async function contentOf(data: Archive, entry: Entry, name: string): Promise<Buffer> {
  const { compressionMethod, uncompressedSize } = entry;
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED) {
    const why = `uses compression method ${compressionMethod}; only deflate is read`;
    throw new ZipFault('unreadable', `its entry ${name} ${why}`);
  }
  const packed = await packedBytes(data, entry, name);
  const content = compressionMethod === STORED ? packed : inflated(packed, entry, name);
  if (content.length !== uncompressedSize) {
    const why = `has ${content.length} bytes where the directory states ${uncompressedSize}`;
    throw new ZipFault('damaged', `its entry ${name} ${why}`);
  }
  if (crc32(content) !== entry.crc32) throw new ZipFault('damaged', `its entry ${name} fails its CRC-32`);
  return content;
}

/** The bytes of an entry as the archive holds them; to unpack them at once is faster than a stream for each small file. */
async function packedBytes({ archive, window }: Archive, entry: Entry, name: string): Promise<Buffer> {
  try {
    const { fileDataStart } = await archive.readLocalFileHeaderPromise(entry, { minimal: true });
    return await window.at(fileDataStart, entry.compressedSize);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isCut = /EOF|overflows/i.test(message);
    if (isCut) throw new ZipFault('truncated', `its entry ${name} lies beyond the end of the file`, { cause: error });
    throw new ZipFault('damaged', `its entry ${name} cannot be read (${message})`, { cause: error });
  }
}

function inflated(packed: Buffer, entry: Entry, name: string): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.uncompressedSize) });
  } catch (error) {
    throw new ZipFault('damaged', `its entry ${name} does not unpack`, { cause: error });
  }
}

/** Reads a file through one moving window, because a zip of many small entries is read from front to back. */
class WindowReader extends yauzl.RandomAccessReader {
  readonly #file: FileHandle;
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;

  constructor(file: FileHandle) {
    super();
    this.#file = file;
  }

  async at(position: number, length: number): Promise<Buffer> {
    const from = position - this.#start;
    if (from < 0 || from + length > this.#bytes.length) {
      // A new buffer each time: views of the old one may still be in use.
      const fresh = Buffer.allocUnsafe(Math.max(length, WINDOW_BYTES));
      const { bytesRead } = await this.#file.read(fresh, 0, fresh.length, position);
      if (bytesRead < length) throw new Error('unexpected EOF');
      this.#bytes = fresh.subarray(0, bytesRead);
      this.#start = position;
    }
    return this.#bytes.subarray(position - this.#start, position - this.#start + length);
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
      callback(null);
    }, callback);
  }
}
