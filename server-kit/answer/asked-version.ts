import type { H3Event } from 'h3';

/**
 * The header by which the gateway asks its index for the answer of a version that is held, to make a permanent file of it. It is never
 * passed on from a client: the public reads answer from the served version.
 */
export const ASKED_VERSION_HEADER = 'x-answer-from-version';

export function askedVersion(event: H3Event): string | null {
  return event.req.headers.get(ASKED_VERSION_HEADER);
}
