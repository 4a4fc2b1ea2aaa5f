import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
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
  const parsed = fileSchema.safeParse(parseJson(bytes, path));
  if (!parsed.success) throw new Error(`the list of feeds ${path} is not usable: ${z.prettifyError(parsed.error)}`);
  return { sha256: createHash('sha256').update(bytes).digest('hex'), feeds: parsed.data.feeds };
}

function parseJson(bytes: Buffer, path: string | URL): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new Error(`the list of feeds ${path} is not JSON`, { cause });
  }
}
