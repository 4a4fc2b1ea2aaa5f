import type { FeedSource } from './feeds.ts';

/** Validators and hash of the last good answer of a feed; all null if there is none. */
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
      /** Final address of the answer, after redirects. */
      address: string;
      redirects: number;
      etag: string | null;
      lastModified: string | null;
    };

/** Fetches the bytes of one feed; null if this source does not have it. Throws FeedFault. */
export type FetchFeed = (feed: FeedSource, known: Validators) => Promise<Fetched | null>;
