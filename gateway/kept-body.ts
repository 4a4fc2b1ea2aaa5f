import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';
import { bodyOf, type WrittenAnswer } from '../server-kit/answer/written-meta.ts';
import { ownMetaStart } from '../server-kit/mount.ts';

/** A body that is sent again and again with another id and time: everything else of it is written once. */
export interface KeptBody {
  /** Names and values of the fields that it needs after all others, in turn. */
  fields: readonly string[];
  /** What is sent, in turn; `own` begins the JSON of `_meta`. A text stands for the bytes of its Latin-1 form. */
  parts(own: string): (Buffer | string)[];
}

/** Ids and times are equally long in all answers, and ASCII. */
const OWN_LENGTH = ownMetaStart({ correlationId: randomUUID(), now: new Date() }).length;
/** With less data, a body is sent as one text with its head: to copy it costs less than to send a further part. */
const ONE_TEXT_BYTES = 12_000;

export function plainBody(written: WrittenAnswer): KeptBody {
  const [open, data, between, close] = bodyOf(written, '');
  const end = close.toString('latin1');
  if (data.length > ONE_TEXT_BYTES) return { fields: [], parts: (own) => [open, data, `${between}${own}${end}`] };
  const start = `${open}${data.toString('latin1')}${between}`;
  return { fields: [], parts: (own) => [`${start}${own}${end}`] };
}

const compress = promisify(deflateRaw);
/** The fastest level, as for an answer that is compressed for one request. */
const LEVEL = 1;
/** Deflated, no flags, no time, the fastest level, Unix (RFC 1952, section 2.3.1). */
const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 3]);
/** A block that is stored as it is, and not the last (RFC 1951, section 3.2.4). */
const STORED_HEAD = `\0${lowestFirst(OWN_LENGTH, 2)}${lowestFirst(OWN_LENGTH ^ 0xffff, 2)}`;

/** The body as one member of gzip: what stays is compressed once, what changes is stored between. */
export async function gzipBody(written: WrittenAnswer): Promise<KeptBody> {
  const [open, data, between, close] = bodyOf(written, '');
  const start = Buffer.concat([Buffer.from(open), data, Buffer.from(between)]);
  // The first ends with a whole byte, and is not the last block.
  const packedStart = await compress(start, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH });
  const packedClose = await compress(close, { level: LEVEL });
  const before = `${Buffer.concat([GZIP_HEAD, packedStart]).toString('latin1')}${STORED_HEAD}`;
  const after = packedClose.toString('latin1');
  const sumOfStart = crc32(start);
  const size = lowestFirst(start.length + OWN_LENGTH + close.length, 4);
  return {
    fields: ['content-length', String(before.length + OWN_LENGTH + after.length + 8)],
    parts: (own) => [`${before}${own}${after}${lowestFirst(crc32(close, crc32(own, sumOfStart)), 4)}${size}`],
  };
}

/** A number in so many bytes, as Latin-1. */
function lowestFirst(number: number, bytes: number): string {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(number, 0, bytes);
  return buffer.toString('latin1');
}
