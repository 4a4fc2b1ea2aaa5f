import type { Writable } from 'node:stream';
import type { H3Event } from 'h3';

/** A body in parts, each written to the socket: joining them first would copy a large answer once more. */
class JoinedBody {
  readonly #parts: readonly Uint8Array[];

  constructor(parts: readonly Uint8Array[]) {
    this.#parts = parts;
  }

  /** h3 calls this for a body that is not a web stream. */
  pipe<Destination extends Writable>(destination: Destination): Destination {
    for (const part of this.#parts) destination.write(part);
    destination.end();
    return destination;
  }
}

/**
 * The parts as the body of an answer, with the headers that it needs. Parts are written one by one to a socket; they
 * are joined for a request within this process and for HEAD.
 */
export function joined(
  event: H3Event,
  parts: readonly Buffer<ArrayBuffer>[],
): { body: BodyInit; headers: Record<string, string> } {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return { body: only, headers: {} };
  if (event.req.method !== 'GET' || event.runtime?.node?.res === undefined) {
    return { body: Buffer.concat(parts), headers: {} };
  }
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return { body: new JoinedBody(parts) as unknown as BodyInit, headers: { 'content-length': String(length) } };
}
