import type { Writable } from 'node:stream';
import type { H3Event } from 'h3';

/** Finished bytes, or text that is written as UTF-8. */
export type BodyPart = Buffer<ArrayBuffer> | string;

/**
 * A body in parts, each written to the socket: joining them first would copy a large answer once more. Node sends a text at
 * the beginning in one piece with the head.
 */
class JoinedBody {
  readonly #parts: readonly BodyPart[];

  constructor(parts: readonly BodyPart[]) {
    this.#parts = parts;
  }

  /** h3 calls this for a body that is not a web stream. */
  pipe<Destination extends Writable>(destination: Destination): Destination {
    for (const part of this.#parts) destination.write(part);
    destination.end();
    return destination;
  }
}

export function bytesOf(parts: readonly BodyPart[]): number {
  return parts.reduce((sum, part) => sum + (typeof part === 'string' ? Buffer.byteLength(part) : part.length), 0);
}

export function inOnePiece(parts: readonly BodyPart[]): Buffer<ArrayBuffer> {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/**
 * The parts as the body of an answer, with the headers that it needs. Parts are written one by one to a socket; they
 * are joined for a request within this process and for HEAD.
 */
export function joined(
  event: H3Event,
  parts: readonly BodyPart[],
  length = bytesOf(parts),
): { body: BodyInit; headers: Record<string, string> } {
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'object') return { body: only, headers: {} };
  if (event.req.method !== 'GET' || event.runtime?.node?.res === undefined) {
    const isText = parts.every((part) => typeof part === 'string');
    return { body: isText ? parts.join('') : inOnePiece(parts), headers: {} };
  }
  return { body: new JoinedBody(parts) as unknown as BodyInit, headers: { 'content-length': String(length) } };
}
