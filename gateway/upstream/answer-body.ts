import type { IncomingMessage } from 'node:http';

/** Larger than any answer that the gateway reads whole for itself. */
const MAX_BYTES = 16_000_000;
/** Each byte may come just before the silence is too long: the whole needs a limit of its own. */
const MAX_MS = 30_000;

interface Limits {
  maxBytes?: number;
  maxMs?: number;
}

/**
 * The body of an answer of a server behind the gateway. Rejects, and ends the connection, where it is larger or takes
 * longer than any sound one: a server that is broken or was taken over must not take the gateway with it.
 */
export async function bytesOf(answer: IncomingMessage, limits: Limits = {}): Promise<Buffer<ArrayBuffer>> {
  const { maxBytes = MAX_BYTES, maxMs = MAX_MS } = limits;
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    // Without an error, which would become one of the connection that nobody here listens to.
    answer.destroy();
  }, maxMs);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, size);
  } catch (error) {
    throw isLate ? new Error(`the answer did not end within ${maxMs} ms`, { cause: error }) : error;
  } finally {
    clearTimeout(late);
  }
}

export async function jsonOf(answer: IncomingMessage, limits: Limits = {}): Promise<unknown> {
  return JSON.parse((await bytesOf(answer, limits)).toString('utf8'));
}
