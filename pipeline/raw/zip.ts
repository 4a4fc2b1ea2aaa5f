import { type FileHandle, open } from 'node:fs/promises';
import { crc32, inflateRawSync } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { FileFault } from './files.ts';
import { formatOf, isJsonObject } from './formats.ts';
import { TextSlicer } from './json-slicer.ts';
import { excerptOf, MAX_RECORD_BYTES, type Slice } from './slice.ts';

const NAME_CHARACTERS = 120;
const STORED = 0;
const DEFLATED = 8;

/** An entry of the archive: its record (one study per entry), or why it holds none. */
export type ZipItem = { name: string; slice: Slice } | { name: string; leftOut: string };

/**
 * Reads the entries of a zip in the order of its central directory, one in memory at a time, each checked against the size
 * and CRC-32 in the directory. Throws FileFault: an archive that was cut has no directory, or entries beyond its end.
 */
export async function* readZip(path: string): AsyncGenerator<ZipItem> {
  const file = await open(path, 'r');
  try {
    // Names are checked here, since the package states a name that it refuses in its message alone.
    const options = { lazyEntries: true, autoClose: false, decodeStrings: false };
    const archive = await yauzl.fromFdPromise(file.fd, options);
    for await (const entry of archive.eachEntry()) {
      const name = nameOf(entry);
      if (!name.endsWith('/')) yield await itemOf(archive, file, entry, name);
    }
  } catch (error) {
    if (error instanceof FileFault) throw error;
    throw new FileFault('truncated', `its central directory cannot be read (${messageOf(error)})`, { cause: error });
  } finally {
    await file.close();
  }
}

/** Throws FileFault for a name that leads out of the folder into which an archive is unpacked. */
function nameOf(entry: Entry): string {
  const name = yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
  if (yauzl.validateFileName(name) === null) return name;
  throw new FileFault(
    'unsafe',
    `its entry ${JSON.stringify(name.slice(0, NAME_CHARACTERS))} is named so that it would be unpacked elsewhere (../ or a path from the root)`,
  );
}

async function itemOf(archive: ZipFile, file: FileHandle, entry: Entry, name: string): Promise<ZipItem> {
  const isJson = name.toLowerCase().endsWith('.json');
  if (entry.uncompressedSize > MAX_RECORD_BYTES) {
    const detail = `the entry has ${entry.uncompressedSize} bytes; the limit is ${MAX_RECORD_BYTES}`;
    if (!isJson) return { name, leftOut: `no record: ${detail}` };
    return { name, slice: { ok: false, reason: 'too-large', detail, excerpt: name } };
  }
  const content = await contentOf(archive, file, entry, name);
  const found = formatOf('clinicaltrials_gov', content);
  if ('format' in found && found.format !== 'ctgov-study') {
    return { name, leftOut: 'many studies in one entry of a zip; unpack it and import the files' };
  }
  if (isJsonObject(content)) return { name, slice: studyIn(content) };
  if ('leftOut' in found && !isJson) return { name, leftOut: found.leftOut };
  return { name, slice: notJson('the entry is not a JSON object', content) };
}

function studyIn(content: Buffer): Slice {
  const slicer = new TextSlicer('whole');
  try {
    return [...slicer.push(content), ...slicer.end()][0]!;
  } catch (error) {
    if (error instanceof FileFault) return notJson(error.message, content);
    throw error;
  }
}

function notJson(detail: string, content: Buffer): Slice {
  return { ok: false, reason: 'not-json', detail, excerpt: excerptOf(content) };
}

/** The content of an entry. To unpack it at once is faster than a stream for each small file. */
async function contentOf(archive: ZipFile, file: FileHandle, entry: Entry, name: string): Promise<Buffer> {
  const { compressionMethod, compressedSize, uncompressedSize } = entry;
  if (entry.isEncrypted()) throw new FileFault('unreadable', `its entry ${name} is encrypted`);
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED) {
    const why = `uses compression method ${compressionMethod}; only deflate is read`;
    throw new FileFault('unreadable', `its entry ${name} ${why}`);
  }
  let content: Buffer;
  try {
    const { fileDataStart } = await archive.readLocalFileHeaderPromise(entry, { minimal: true });
    content = Buffer.allocUnsafe(compressedSize);
    const { bytesRead } = await file.read(content, 0, compressedSize, fileDataStart);
    if (bytesRead < compressedSize) throw new Error('unexpected EOF');
    if (compressionMethod === DEFLATED)
      content = inflateRawSync(content, { maxOutputLength: Math.max(1, uncompressedSize) });
  } catch (error) {
    const isCut = /EOF|overflows/i.test(messageOf(error));
    if (isCut) throw new FileFault('truncated', `its entry ${name} lies beyond the end of the file`, { cause: error });
    throw new FileFault('damaged', `its entry ${name} cannot be unpacked (${messageOf(error)})`, { cause: error });
  }
  if (content.length !== uncompressedSize || crc32(content) !== entry.crc32)
    throw new FileFault('damaged', `its entry ${name} fails its CRC-32`);
  return content;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
