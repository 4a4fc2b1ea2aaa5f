import { crc32, deflateRawSync } from 'node:zlib';

/** A zip archive as a stream (PKWARE APPNOTE 6.3): nothing is kept but one directory line per entry. */

export interface ZipEntry {
  /** ASCII file name. */
  name: string;
  content: string;
}

export interface ZipOptions {
  /** Leaves the entries as they are instead of deflating them. */
  stored?: boolean;
}

const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_ENTRY = 0x02014b50;
const ZIP64_END = 0x06064b50;
const ZIP64_LOCATOR = 0x07064b50;
const END = 0x06054b50;
const VERSION_DEFLATE = 20;
const VERSION_ZIP64 = 45;
/** 1980-01-01, the first day a zip can name: archives of equal content are equal bytes. */
const DOS_DATE = 0x21;
/** Field values that mean "see the zip64 record". */
const FULL_32 = 0xffffffff;
const FULL_16 = 0xffff;
/** Speed matters more than size for a file that is read once. */
const DEFLATE_LEVEL = 1;

interface Written {
  /** A string: a short buffer would keep the pool alive that it is cut from, 31 kB an entry. */
  name: string;
  method: number;
  crc: number;
  compressed: number;
  plain: number;
  offset: number;
}

/** The archive's bytes in order. Each entry stays below 4 GiB; the archive and the number of its entries need not. */
export function* zipArchive(entries: Iterable<ZipEntry>, options: ZipOptions = {}): Generator<Buffer> {
  const written: Written[] = [];
  let position = 0;
  for (const { name, content } of entries) {
    const plain = Buffer.from(content);
    const data = options.stored ? plain : deflateRawSync(plain, { level: DEFLATE_LEVEL });
    const entry: Written = {
      name,
      method: options.stored ? 0 : 8,
      crc: crc32(plain),
      compressed: data.length,
      plain: plain.length,
      offset: position,
    };
    const header = localHeader(entry);
    yield header;
    yield data;
    position += header.length + data.length;
    written.push(entry);
  }
  const directoryStart = position;
  for (const entry of written) {
    const line = directoryLine(entry);
    yield line;
    position += line.length;
  }
  yield* endRecords(written.length, directoryStart, position);
}

/** The fields that a local header and a directory line share, from `version needed` to the name's length. */
function writeCommonFields(target: Buffer, at: number, entry: Written, version: number): void {
  target.writeUInt16LE(version, at);
  target.writeUInt16LE(entry.method, at + 4);
  target.writeUInt16LE(DOS_DATE, at + 8);
  target.writeUInt32LE(entry.crc, at + 10);
  target.writeUInt32LE(entry.compressed, at + 14);
  target.writeUInt32LE(entry.plain, at + 18);
  target.writeUInt16LE(entry.name.length, at + 22);
}

function localHeader(entry: Written): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(LOCAL_HEADER, 0);
  writeCommonFields(header, 4, entry, VERSION_DEFLATE);
  return Buffer.concat([header, Buffer.from(entry.name, 'ascii')]);
}

function directoryLine(entry: Written): Buffer {
  const far = entry.offset >= FULL_32;
  const version = far ? VERSION_ZIP64 : VERSION_DEFLATE;
  const line = Buffer.alloc(46);
  line.writeUInt32LE(DIRECTORY_ENTRY, 0);
  line.writeUInt16LE(version, 4);
  writeCommonFields(line, 6, entry, version);
  line.writeUInt32LE(far ? FULL_32 : entry.offset, 42);
  const name = Buffer.from(entry.name, 'ascii');
  if (!far) return Buffer.concat([line, name]);
  const extra = Buffer.alloc(12);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8, 2);
  extra.writeBigUInt64LE(BigInt(entry.offset), 4);
  line.writeUInt16LE(extra.length, 30);
  return Buffer.concat([line, name, extra]);
}

function* endRecords(count: number, directoryStart: number, directoryEnd: number): Generator<Buffer> {
  const size = directoryEnd - directoryStart;
  if (count >= FULL_16 || directoryStart >= FULL_32 || size >= FULL_32) {
    const record = Buffer.alloc(56);
    record.writeUInt32LE(ZIP64_END, 0);
    record.writeBigUInt64LE(44n, 4);
    record.writeUInt16LE(VERSION_ZIP64, 12);
    record.writeUInt16LE(VERSION_ZIP64, 14);
    record.writeBigUInt64LE(BigInt(count), 24);
    record.writeBigUInt64LE(BigInt(count), 32);
    record.writeBigUInt64LE(BigInt(size), 40);
    record.writeBigUInt64LE(BigInt(directoryStart), 48);
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(ZIP64_LOCATOR, 0);
    locator.writeBigUInt64LE(BigInt(directoryEnd), 8);
    locator.writeUInt32LE(1, 16);
    yield record;
    yield locator;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(Math.min(count, FULL_16), 8);
  end.writeUInt16LE(Math.min(count, FULL_16), 10);
  end.writeUInt32LE(Math.min(size, FULL_32), 12);
  end.writeUInt32LE(Math.min(directoryStart, FULL_32), 16);
  yield end;
}
