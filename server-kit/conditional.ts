import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type H3Event, HTTPResponse } from 'h3';
import type { Operation } from '../contract/operation.ts';

const compress = promisify(gzip);
/** Below this, compressing costs more than it saves. */
const COMPRESS_FROM_BYTES = 1024;
/** The fastest level: an answer is made anew for each request. */
const COMPRESS_LEVEL = 1;

const CACHE_CONTROL = {
  snapshot: 'public, max-age=60',
  static: 'public, max-age=300',
  revalidate: 'no-cache',
} as const;

/** Strong ETag of what an answer depends on; the encoding is part of it, as the bytes differ. */
export function etagOf(validator: string, encoding: 'identity' | 'gzip'): string {
  const digest = createHash('sha256').update(validator).digest('base64url').slice(0, 22);
  return encoding === 'gzip' ? `"${digest}-gzip"` : `"${digest}"`;
}

function matches(header: string | null, etag: string): boolean {
  if (header === null) return false;
  const wanted = etag.replace(/-gzip"$/, '"');
  return header.split(',').some((part) => {
    const candidate = part.trim().replace(/^W\//, '');
    return candidate === '*' || candidate.replace(/-gzip"$/, '"') === wanted;
  });
}

function accepts(header: string | null): boolean {
  return (header ?? '').split(',').some((part) => {
    const [name, ...parameters] = part
      .trim()
      .toLowerCase()
      .split(';')
      .map((item) => item.trim());
    return (name === 'gzip' || name === '*') && !parameters.includes('q=0');
  });
}

/** The answer with its ETag, 304 where the client holds it already, and gzip where the client takes it. */
export async function answerWithCaching(
  event: H3Event,
  operation: Pick<Operation, 'id' | 'cache'>,
  { body, validator, status }: { body: Buffer<ArrayBuffer>; validator: string | undefined; status: number },
  own: Record<string, string>,
  correlationId: string,
): Promise<HTTPResponse> {
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    'x-correlation-id': correlationId,
    'x-content-type-options': 'nosniff',
    'cache-control': operation.cache ? CACHE_CONTROL[operation.cache] : 'no-store',
    vary: 'Accept-Encoding',
    ...own,
  };
  const zipped = body.length >= COMPRESS_FROM_BYTES && accepts(event.req.headers.get('accept-encoding'));
  if (validator !== undefined) {
    const subject = `${operation.id}\n${event.url.pathname}\n${event.url.search}\n${validator}`;
    headers.etag = etagOf(subject, zipped ? 'gzip' : 'identity');
    if (matches(event.req.headers.get('if-none-match'), headers.etag)) {
      return new HTTPResponse(null, { status: 304, headers });
    }
  }
  if (!zipped) return new HTTPResponse(body, { status, headers });
  return new HTTPResponse(await compress(body, { level: COMPRESS_LEVEL }), {
    status,
    headers: { ...headers, 'content-encoding': 'gzip' },
  });
}
