import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { H3Event } from 'h3';
import Negotiator from 'negotiator';
import type { Operation } from '../contract/operation.ts';
import { Answer } from './answer/answer.ts';
import { noteAnswerSize } from './answer/answer-size.ts';
import { Finished } from './answer/finished.ts';
import { type BodyPart, bytesOf, inOnePiece, joined } from './answer/joined-body.ts';

const compress = promisify(gzip);
/** A smaller answer costs more to compress than it saves. */
const COMPRESS_FROM_BYTES = 1024;
/** The fastest level, for answers that are compressed anew each time. */
const COMPRESS_LEVEL = 1;

const CACHE_CONTROL = {
  snapshot: 'public, max-age=60',
  static: 'public, max-age=300',
  revalidate: 'no-cache',
} as const;

/** Strong ETag of everything an answer depends on, and of its encoding, since the bytes differ. */
export function etagOf(validator: string, encoding: 'identity' | 'gzip' = 'identity'): string {
  const digest = hash('sha256', validator, 'base64url').slice(0, 22);
  return encoding === 'gzip' ? `"${digest}-gzip"` : `"${digest}"`;
}

/** Whether the client holds the answer with this ETag, by its If-None-Match. */
export function matches(header: string | null, etag: string): boolean {
  if (header === null) return false;
  const wanted = etag.replace(/-gzip"$/, '"');
  return header.split(',').some((part) => {
    const candidate = part.trim().replace(/^W\//, '');
    return candidate === '*' || candidate.replace(/-gzip"$/, '"') === wanted;
  });
}

/** Header values whose result is remembered; clients send only a few different ones. */
const KNOWN_HEADERS_MAX = 256;
const gzipByHeader = new Map<string, boolean>();

/** Whether the caller accepts gzip and does not prefer the plain body (RFC 9110, section 12.5.3). */
export function acceptsGzip(acceptEncoding: string | null): boolean {
  if (acceptEncoding === null) return false;
  const known = gzipByHeader.get(acceptEncoding);
  if (known !== undefined) return known;
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
  const accepted = negotiator.encoding(['gzip', 'identity']) === 'gzip';
  if (gzipByHeader.size >= KNOWN_HEADERS_MAX) gzipByHeader.clear();
  gzipByHeader.set(acceptEncoding, accepted);
  return accepted;
}

interface Answered {
  /** In one piece, in parts, or finished before the request. */
  body: Buffer<ArrayBuffer> | readonly BodyPart[] | Finished;
  validator: string | undefined;
  status: number;
}

/** Adds the ETag; answers 304 if the client already holds this version, and compresses if the client accepts gzip. */
export async function answerWithCaching(
  event: H3Event,
  operation: Pick<Operation, 'id' | 'cache'>,
  { body, validator, status }: Answered,
  own: Record<string, string>,
  correlationId: string,
): Promise<Answer> {
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    'x-correlation-id': correlationId,
    'x-content-type-options': 'nosniff',
    'cache-control': operation.cache ? CACHE_CONTROL[operation.cache] : 'no-store',
    vary: 'Accept-Encoding',
    ...own,
  };
  const parts = body instanceof Finished ? [body.bytes] : Buffer.isBuffer(body) ? [body] : body;
  const bytes = bytesOf(parts);
  const isPacked = headers['content-type'] === 'application/gzip';
  const zipped = !isPacked && bytes >= COMPRESS_FROM_BYTES && acceptsGzip(event.req.headers.get('accept-encoding'));
  if (validator !== undefined) {
    // A question mark alone asks nothing more.
    const search = event.url.search === '?' ? '' : event.url.search;
    const subject = `${operation.id}\n${event.url.pathname}\n${search}\n${validator}`;
    headers.etag = etagOf(subject, zipped ? 'gzip' : 'identity');
    if (matches(event.req.headers.get('if-none-match'), headers.etag)) {
      return new Answer(event, null, { status: 304, headers });
    }
  }
  if (event.req.method !== 'HEAD') noteAnswerSize(event, bytes);
  if (!zipped) {
    const plain = joined(event, parts, bytes);
    Object.assign(headers, plain.headers);
    return new Answer(event, plain.body, { status, headers });
  }
  const packed = body instanceof Finished ? body.gzip() : compress(inOnePiece(parts), { level: COMPRESS_LEVEL });
  headers['content-encoding'] = 'gzip';
  return new Answer(event, await packed, { status, headers });
}
