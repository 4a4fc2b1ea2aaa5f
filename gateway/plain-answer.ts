import type { Operation } from '../contract/operation.ts';
import type { ErrorBody } from '../server-kit/problem.ts';

export type PlainAnswer =
  | { ok: true; status: number; envelope: { data: unknown; _meta: Record<string, unknown> } }
  | { ok: false; status: number; error: ErrorBody['error'] };

/** A longer answer is fetched by its address: as a tool's result it would fill what a model can hold. */
const CARRIED_MAX_BYTES = 32_768;

/**
 * The answer of an operation without envelope, a file or a text, as data of one. What is no text or too long for a
 * message is named by its address, and the rest of it is not read.
 */
export async function plainAnswer(operation: Operation, request: Request, response: Response): Promise<PlainAnswer> {
  const { status } = response;
  const mediaType = response.headers.get('content-type')?.split(';')[0] ?? 'application/octet-stream';
  const bytes = /^text\/|json/.test(mediaType) ? await upTo(CARRIED_MAX_BYTES, response) : null;
  if (bytes === null) await response.body?.cancel();
  const text = bytes?.toString('utf8') ?? null;
  const parsed: unknown = text !== null && mediaType === 'application/json' ? JSON.parse(text) : text;
  if (isFailure(parsed) && !response.ok) return { ok: false, status, error: parsed.error };
  const { pathname, search } = new URL(request.url);
  const carried =
    parsed === null
      ? { content: null, note: 'Fetch it from this address: it is long, or no text.' }
      : { content: parsed };
  const data = { ...carried, mediaType, path: `${pathname}${search}`, method: operation.method };
  const correlationId = response.headers.get('x-correlation-id');
  return { ok: true, status, envelope: { data, _meta: correlationId === null ? {} : { correlationId } } };
}

/** The body, or null if it is longer; then the rest of it is left unread. */
async function upTo(most: number, { body }: Response): Promise<Buffer | null> {
  if (body === null) return Buffer.alloc(0);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    parts.push(part);
    length += part.length;
    // Leaving the loop cancels the stream.
    if (length > most) return null;
  }
  return Buffer.concat(parts);
}

function isFailure(value: unknown): value is ErrorBody {
  return value !== null && typeof value === 'object' && 'error' in value && 'code' in (value as ErrorBody).error;
}
