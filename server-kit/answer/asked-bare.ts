import type { H3Event } from 'h3';

/**
 * The header by which a gateway asks for the figures of an answer alone, to make a page of them: without notices, how words were
 * read, receipt, help and next calls, which the page does not show and which can cost more than the figures. It is never passed on from a client.
 */
export const ASKED_BARE_HEADER = 'x-answer-bare';

export function asksBare(event: H3Event): boolean {
  return event.req.headers.has(ASKED_BARE_HEADER);
}
