import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ManifestFeed } from '../../snapshot/format/versions/manifest.ts';
import type { Effects } from '../effects.ts';
import type { Database } from '../store/database.ts';
import type { Lexicons } from './classify.ts';
import { FeedFault, type FeedList, type FeedSource, type Fetched, type FetchFeed } from './feeds.ts';
import {
  classifyItems,
  type FeedState,
  manifestFeed,
  type SignalTotals,
  stateOf,
  storeItems,
  sweepItems,
  validatorsOf,
  writeState,
} from './item-store.ts';
import { READER_VERSION, readFeed } from './read-feed.ts';

export interface SignalsInputs {
  dataDir: string;
  list: FeedList;
  lexicons: Lexicons;
  /** Source of the feeds; null: none are fetched, and the held items stay. */
  fetchFeed: FetchFeed | null;
  /** The present: limit of believable dates, and time at which new items are first seen. */
  today: Date;
  /** Whether a feed's previous items are removed; synthetic feeds are complete each time. */
  replace: boolean;
}

/** Result of one feed in this run. */
export interface FeedOutcome {
  feed: string;
  outcome: 'read' | 'unchanged' | 'failed' | 'not-asked';
  /** Distinct items in the feed; null if it was not read. */
  read: number | null;
  /** Items not held before. */
  added: number | null;
  /** Repeated items in the feed. */
  repeated: number | null;
  /** Characters with a broken encoding. */
  replaced: number | null;
  reason: string | null;
}

export interface SignalsReport extends SignalTotals {
  outcomes: FeedOutcome[];
  feeds: ManifestFeed[];
  /** Items removed because they are older than the window. */
  swept: number;
  lexicons: { capitals: string; classes: string };
  /** Files of a directory that belong to no listed feed. */
  leftOut?: string[];
}

/** SHA-256 of each reviewed file that the stage applied. */
export interface SignalsOrigin {
  feeds: string;
  capitals: string;
  classes: string;
}

/** Longer than the longest window a request may name, plus a year for comparison. */
const KEPT_DAYS = 400;
const MS_PER_DAY = 86_400_000;

/**
 * Fetches the feeds, adds their items to those held, and classifies all items again into the table `signals`. A feed that
 * fails keeps its items and is marked stale with its reason; it never stops the stage. Each feed has its own transaction,
 * so that a killed run continues where it was.
 */
export async function signals(inputs: SignalsInputs, db: Database, effects: Effects): Promise<SignalsReport> {
  const { feeds, sha256 } = inputs.list;
  const scratch = join(inputs.dataDir, 'work', 'signals');
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { recursive: true });
  try {
    const outcomes: FeedOutcome[] = [];
    const states = await Promise.all(feeds.map((feed) => stateOf(db, feed)));
    const answers = await Promise.all(feeds.map((feed, place) => answerOf(inputs.fetchFeed, feed, states[place]!)));
    for (const [place, feed] of feeds.entries()) {
      const found = await store(inputs, scratch, feed, states[place]!, answers[place]!, db, effects.now());
      const nothing = { read: null, added: null, repeated: null, replaced: null, reason: null };
      outcomes.push({ feed: feed.id, ...nothing, ...found });
      effects.checkpoint(`signals:${feed.id}`);
      effects.progress({ stage: 'signals', label: 'feeds', done: place + 1, total: feeds.length, unit: 'feeds' });
    }
    const swept = await sweepItems(db, new Date(inputs.today.getTime() - KEPT_DAYS * MS_PER_DAY));
    effects.checkpoint('signals:stored');
    const totals = await classifyItems(db, scratch, feeds, inputs.lexicons);
    const { capitals, classes } = inputs.lexicons;
    const report: SignalsReport = {
      ...totals,
      outcomes,
      feeds: await Promise.all(feeds.map((feed) => manifestFeed(db, feed))),
      swept,
      lexicons: { capitals: capitals.id, classes: classes.id },
    };
    const origin: SignalsOrigin = { feeds: sha256, capitals: capitals.sha256, classes: classes.sha256 };
    await db.transaction(async () => {
      await db.run("DELETE FROM stage_state WHERE stage = 'signals'");
      const row = [effects.now().toISOString(), JSON.stringify(origin), JSON.stringify(report)];
      await db.run("INSERT INTO stage_state VALUES ('signals', $1, $2, $3)", row);
    });
    return report;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The answer of a feed or its fault; null where it is not fetched. */
async function answerOf(
  fetchFeed: FetchFeed | null,
  feed: FeedSource,
  state: FeedState,
): Promise<Fetched | FeedFault | null> {
  try {
    return fetchFeed === null ? null : await fetchFeed(feed, validatorsOf(state, feed));
  } catch (error) {
    if (error instanceof FeedFault) return error;
    throw error;
  }
}

/** Stores what came of a feed, and returns the parts of its outcome that are known. */
async function store(
  inputs: SignalsInputs,
  scratch: string,
  feed: FeedSource,
  held: FeedState,
  answer: Fetched | FeedFault | null,
  db: Database,
  now: Date,
): Promise<Pick<FeedOutcome, 'outcome'> & Partial<FeedOutcome>> {
  if (answer === null) return { outcome: 'not-asked' };
  const at = now.toISOString();
  const success = { last_success_at: at, last_attempt_at: at, last_error: null };
  try {
    if (answer instanceof FeedFault) throw answer;
    const sha256 = answer.state === 'received' ? createHash('sha256').update(answer.body).digest('hex') : null;
    const isSame = sha256 === validatorsOf(held, feed).sha256 && !inputs.replace;
    if (answer.state === 'unchanged' || isSame) {
      await writeState(db, { ...held, ...success });
      return { outcome: 'unchanged' };
    }
    const reading = readFeed({ ...answer, feed: feed.id, today: inputs.today });
    const { items, repeated, replaced, refused, undated, future } = reading;
    const validators = { etag: answer.etag, last_modified: answer.lastModified, body_sha256: sha256 };
    const origin = { feed: feed.id, address: feed.address, reader_version: READER_VERSION };
    const state = { ...origin, ...validators, ...success, refused, undated, future };
    const seen = { firstSeenAt: inputs.today.toISOString(), replace: inputs.replace };
    const added = await storeItems(db, scratch, items, state, seen);
    return { outcome: 'read', read: items.length, added, repeated, replaced };
  } catch (error) {
    if (!(error instanceof FeedFault)) throw error;
    const reason = `${error.code}: ${error.message}`;
    await writeState(db, { ...held, last_attempt_at: at, last_error: reason });
    return { outcome: 'failed', reason };
  }
}
