import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { FEED_CATEGORIES } from '../../contract/vocabularies.ts';
import { FEED_ID_PATTERN } from '../../snapshot/format/versions/manifest.ts';

const sentence = z.string().trim().min(1);
export const feedSourceSchema = z.strictObject({
  /** Also the name of its file in a directory of feeds. */
  id: z.string().regex(FEED_ID_PATTERN),
  name: sentence,
  publisher: sentence,
  licence: sentence,
  termsUrl: z.url().nullable(),
  address: z.url({ protocol: /^https?$/ }),
  format: z.enum(['rss', 'rss1', 'atom', 'json']),
  category: z.enum(FEED_CATEGORIES),
  /** BCP 47. */
  language: z.string().regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/),
  /** Delay of the feed behind the events it reports, in words. */
  lag: sentence,
  why: sentence,
  reviewedOn: z.iso.date(),
  nextReviewOn: z.iso.date(),
  /** Whether the address answered with a feed at the review. */
  verified: z.boolean(),
});
export type FeedSource = z.infer<typeof feedSourceSchema>;

const fileSchema = z
  .strictObject({
    note: sentence,
    reviewedOn: z.iso.date(),
    nextReviewOn: z.iso.date(),
    feeds: z.array(feedSourceSchema),
  })
  .check((context) => {
    const ids = context.value.feeds.map(({ id }) => id);
    for (const id of ids.filter((one, place) => ids.indexOf(one) !== place)) {
      context.issues.push({ code: 'custom', message: `the feed ${id} stands twice`, input: context.value });
    }
  });

export interface FeedList {
  /** SHA-256, lower-case hex, of the file's bytes. */
  sha256: string;
  feeds: readonly FeedSource[];
}

/** Reads a reviewed list of feeds. Throws if the file is missing or invalid. */
export async function loadFeeds(path: string | URL): Promise<FeedList> {
  const bytes = await readFile(path).catch((cause) => {
    throw new Error(`the list of feeds ${path} cannot be read; FEEDS_FILE names it`, { cause });
  });
  let list: unknown;
  try {
    list = JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new Error(`the list of feeds ${path} is not JSON`, { cause });
  }
  const parsed = fileSchema.safeParse(list);
  if (!parsed.success) throw new Error(`the list of feeds ${path} is not usable: ${z.prettifyError(parsed.error)}`);
  return { sha256: createHash('sha256').update(bytes).digest('hex'), feeds: parsed.data.feeds };
}

/** A fault of a feed or its server: it keeps its last good items. Any other error is our own and stops the stage. */
export class FeedFault extends Error {
  readonly code:
    | 'unreachable'
    | 'refused'
    | 'redirect'
    | 'too-large'
    | 'charset'
    | 'html'
    | 'not-a-feed'
    | 'document-type'
    | 'too-deep'
    | 'malformed';

  constructor(code: FeedFault['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FeedFault';
    this.code = code;
  }
}

/** Validators and hash of the last good answer of a feed; all null if there is none. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
  /** SHA-256 of the body, lower-case hex. */
  sha256: string | null;
}

export const NO_VALIDATORS: Validators = { etag: null, lastModified: null, sha256: null };

export type Fetched =
  | { state: 'unchanged' }
  | {
      state: 'received';
      body: Buffer;
      contentType: string | null;
      /** Final address of the answer, after redirects. */
      address: string;
      etag: string | null;
      lastModified: string | null;
    };

/** Fetches the bytes of one feed; null if this source does not have it. Throws FeedFault. */
export type FetchFeed = (feed: FeedSource, known: Validators) => Promise<Fetched | null>;

const MAX_FILE_BYTES = 10_000_000;
const FEED_FILE = /^([a-z0-9-]+)\.(?:xml|rss|rdf|atom|json)$/;

/**
 * Feeds from files: `<feed id>.xml`, `.rss`, `.rdf`, `.atom` or `.json`; the content decides the format. `leftOut` are the
 * files that belong to no listed feed. Throws if the directory cannot be read or holds two files of one feed.
 */
export async function openFeedDirectory(
  path: string,
  feeds: readonly FeedSource[],
): Promise<{ fetchFeed: FetchFeed; leftOut: string[] }> {
  const files = new Map<string, string>();
  const leftOut: string[] = [];
  for (const name of (await readdir(path)).sort()) {
    const id = FEED_FILE.exec(name)?.[1];
    if (id === undefined || !feeds.some((feed) => feed.id === id)) {
      leftOut.push(name);
      continue;
    }
    const other = files.get(id);
    if (other !== undefined) throw new Error(`${path} has ${other} and ${name} for the feed ${id}; keep one`);
    files.set(id, name);
  }
  const fetchFeed: FetchFeed = async ({ id, address }) => {
    const name = files.get(id);
    if (name === undefined) return null;
    const file = join(path, name);
    if ((await stat(file)).size > MAX_FILE_BYTES) {
      throw new FeedFault('too-large', `${name} is larger than ${MAX_FILE_BYTES} bytes`);
    }
    const body = await readFile(file);
    return { state: 'received', body, contentType: null, address, etag: null, lastModified: null };
  };
  return { fetchFeed, leftOut };
}
