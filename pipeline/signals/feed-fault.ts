/** Why a feed could not be read; the feed then keeps its last good items. */
const FEED_FAULTS = [
  'unreachable',
  'refused',
  'redirect',
  'too-large',
  'charset',
  'html',
  'not-a-feed',
  'document-type',
  'too-deep',
  'malformed',
] as const;
export type FeedFaultCode = (typeof FEED_FAULTS)[number];

/** A fault of a feed or its server; any other error is our own and stops the stage. */
export class FeedFault extends Error {
  readonly code: FeedFaultCode;

  constructor(code: FeedFaultCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FeedFault';
    this.code = code;
  }
}
