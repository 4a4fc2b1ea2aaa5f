import type { FeedSource } from './feeds.ts';

/** What is known of the last good answer of a feed; all null where there is none to build on. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
  /** SHA-256 of the body, lower-case hex. */
  sha256: string | null;
}

export type Fetched =
  | { state: 'unchanged' }
  | {
      state: 'received';
      body: Buffer;
      contentType: string | null;
      /** Where the answer came from in the end. */
      address: string;
      redirects: number;
      etag: string | null;
      lastModified: string | null;
    };

/** Brings the bytes of one feed; null for one that is not to be had from here. Throws FeedFault. */
export type FetchFeed = (feed: FeedSource, known: Validators) => Promise<Fetched | null>;
