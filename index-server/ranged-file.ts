import { Readable } from 'node:stream';
import type { Reply, RequestContext } from '../server-kit/mount.ts';

/** A version never changes. */
export const FOREVER = 'public, max-age=31536000, immutable';
/** `current` names another version later, and the log grows. */
export const UNTIL_ANOTHER = 'no-cache';

/** A file whose bytes are known by their sum. */
export interface RangedFile {
  /** What a browser saves it as. */
  name: string;
  bytes: number;
  sha256: string;
  mediaType: string;
  cacheControl: string;
  /** The bytes from `start` to `end`, both included; only called where there are some. */
  read(start: number, end: number): Promise<Readable>;
}

/** The part of a file to send, both ends included; `unsatisfiable`: the range lies beyond the file's end. */
type SentRange = { start: number; end: number } | 'whole' | 'unsatisfiable';

/** Sends a file as a stream, whole or one range; 304 if the caller's copy is current, 412 if it asks for another than this. */
export async function sendRanged(file: RangedFile, context: RequestContext): Promise<Reply<string>> {
  const { name, bytes, sha256, mediaType, cacheControl } = file;
  const etag = `"${sha256}"`;
  const headers = { 'accept-ranges': 'bytes', 'cache-control': cacheControl, etag };
  // An answer that depends on more than the address is not to be kept for it.
  const refused = { ...headers, 'cache-control': 'no-store', 'content-length': '0' };
  const ifMatch = context.header('if-match');
  if (ifMatch !== null && !ifMatch.split(',').some((part) => ['*', etag].includes(part.trim())))
    return { data: '', stream: null, status: 412, headers: refused };
  if (holds(context.header('if-none-match'), etag)) return { data: '', stream: null, status: 304, headers };
  const ifRange = context.header('if-range');
  // Range is defined for GET alone (RFC 9110, section 14.2).
  const isInParts = context.method === 'GET' && (ifRange === null || ifRange === etag);
  const range = isInParts ? rangeOf(context.header('range'), bytes) : 'whole';
  if (range === 'unsatisfiable') {
    const beyond = { ...refused, 'content-range': `bytes */${bytes}` };
    return { data: '', stream: null, status: 416, headers: beyond };
  }
  const { start, end } = range === 'whole' ? { start: 0, end: bytes - 1 } : range;
  const digest = `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`;
  const sent = {
    ...headers,
    'content-type': mediaType,
    'content-disposition': `attachment; filename="${name}"`,
    'content-length': String(end - start + 1),
    // Digest of the whole file, also when a part is sent.
    'repr-digest': digest,
    ...(range === 'whole' ? { 'content-digest': digest } : { 'content-range': `bytes ${start}-${end}/${bytes}` }),
  };
  const stream = bytes === 0 ? null : (Readable.toWeb(await file.read(start, end)) as ReadableStream<Uint8Array>);
  return { data: '', stream, status: range === 'whole' ? 200 : 206, headers: sent };
}

function holds(header: string | null, etag: string): boolean {
  return (header ?? '').split(',').some((part) => ['*', etag, `W/${etag}`].includes(part.trim()));
}

/** The range that a Range header asks for. An invalid header, or several ranges, gets the whole file, as HTTP allows. */
export function rangeOf(header: string | null, bytes: number): SentRange {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (match === null) return 'whole';
  const [first, last] = [match[1]!, match[2]!];
  if (first === '') {
    if (last === '') return 'whole';
    return Number(last) === 0 ? 'unsatisfiable' : { start: Math.max(0, bytes - Number(last)), end: bytes - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'whole';
  if (start >= bytes) return 'unsatisfiable';
  return { start, end: last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1) };
}
