import type { Writable } from 'node:stream';
import type { H3Event } from 'h3';

/** Parts of one body, handed to the socket side by side: joining them first would copy a large answer once more. */
class JoinedBody {
  readonly #parts: readonly Uint8Array[];

  constructor(parts: readonly Uint8Array[]) {
    this.#parts = parts;
  }

  /** What the server's runtime calls of a body that is no web stream. */
  pipe<Destination extends Writable>(destination: Destination): Destination {
    for (const part of this.#parts) destination.write(part);
    destination.end();
    return destination;
  }
}

/**
 * The parts as the body of an answer to this request, with the header fields that it needs: side by side where the
 * answer goes to a socket, joined where this process asks itself and where only the head is asked for.
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
