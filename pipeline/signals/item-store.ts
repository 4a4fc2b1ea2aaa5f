import type { ManifestFeed } from '../../snapshot/format/versions/manifest.ts';
import { StagingTable } from '../normalise/staging.ts';
import type { Database, JsonRow } from '../store/database.ts';
import { type Classification, classify } from './classify.ts';
import type { FeedSource } from './feeds.ts';
import type { Validators } from './fetched.ts';
import type { Lexicons } from './lexicons.ts';
import { type FeedItem, type FeedReading, READER_VERSION } from './read-feed.ts';

/** The tables of the signals stage: items of each feed, state of each feed, and the classified items. */

/** The order of `dateRank` in SQL: published, updated, first seen; then the earlier date. */
const DATE_RANK = (row: string): string =>
  `(CASE ${row}.date_basis WHEN 'published' THEN '0' WHEN 'updated' THEN '1' ELSE '2' END || coalesce(${row}.published_at, ''))`;
/** The time that decides how long an item is kept. */
const ITEM_TIME = 'coalesce(published_at, first_seen_at)';

export interface FeedSuccess {
  at: Date;
  /** Validators for the next conditional request. */
  validators: Validators;
}

/** Validators of the last good answer, if this reader version read it from this address; else none. */
export async function validatorsOf(db: Database, feed: FeedSource): Promise<Validators> {
  const row = await db.one(
    `SELECT etag, last_modified, body_sha256 FROM feed_states
     WHERE feed = $1 AND address = $2 AND reader_version = $3 AND last_success_at IS NOT NULL`,
    [feed.id, feed.address, READER_VERSION],
  );
  return {
    etag: (row?.etag ?? null) as string | null,
    lastModified: (row?.last_modified ?? null) as string | null,
    sha256: (row?.body_sha256 ?? null) as string | null,
  };
}

/**
 * Adds the items read from a feed and records the success in one transaction, so that the validators are never ahead of
 * the items. Known items keep the time they were first seen and the better of their dates. Returns the number of new items.
 */
export async function storeReading(
  db: Database,
  directory: string,
  feed: FeedSource,
  reading: FeedReading,
  success: FeedSuccess & { firstSeenAt: string; replace: boolean },
): Promise<number> {
  const staging = await StagingTable.create(db, 'staged_signal_items', 'SELECT * FROM signal_items', directory);
  for (const item of reading.items) await staging.add(itemRow(feed, item, success.firstSeenAt));
  await staging.flush();
  return db.transaction(async () => {
    if (success.replace) await db.run('DELETE FROM signal_items WHERE source = $1', [feed.id]);
    const added = await db.one(
      `SELECT count(*)::DOUBLE AS n FROM staged_signal_items s
       WHERE NOT EXISTS (SELECT 1 FROM signal_items i WHERE i.source = s.source AND i.id = s.id)`,
    );
    await db.run(
      `CREATE OR REPLACE TEMP TABLE merged_signal_items AS
       SELECT s.* REPLACE (
         coalesce(i.first_seen_at, s.first_seen_at) AS first_seen_at,
         CASE WHEN i.id IS NOT NULL AND ${DATE_RANK('i')} < ${DATE_RANK('s')} THEN i.published_at ELSE s.published_at END AS published_at,
         CASE WHEN i.id IS NOT NULL AND ${DATE_RANK('i')} < ${DATE_RANK('s')} THEN i.date_basis ELSE s.date_basis END AS date_basis)
       FROM staged_signal_items s LEFT JOIN signal_items i ON i.source = s.source AND i.id = s.id`,
    );
    await db.run(
      'DELETE FROM signal_items t WHERE EXISTS (SELECT 1 FROM merged_signal_items m WHERE m.source = t.source AND m.id = t.id)',
    );
    await db.run('INSERT INTO signal_items BY NAME SELECT * FROM merged_signal_items');
    await bookSuccess(db, feed, success, reading);
    return Number(added?.n);
  });
}

/** Records an answer without changes (304). */
export async function bookUnchanged(db: Database, feed: FeedSource, at: Date): Promise<void> {
  await db.run('UPDATE feed_states SET last_success_at = $2, last_attempt_at = $2, last_error = NULL WHERE feed = $1', [
    feed.id,
    at.toISOString(),
  ]);
}

/** Records a failed attempt; items, validators and the time of the last success are unchanged. */
export async function bookFailure(db: Database, feed: FeedSource, at: Date, reason: string): Promise<void> {
  await db.transaction(async () => {
    const known = await db.one('SELECT 1 AS n FROM feed_states WHERE feed = $1', [feed.id]);
    if (known === null) {
      await db.run('INSERT INTO feed_states (feed, address, reader_version) VALUES ($1, $2, $3)', [
        feed.id,
        feed.address,
        READER_VERSION,
      ]);
    }
    await db.run('UPDATE feed_states SET last_attempt_at = $2, last_error = $3 WHERE feed = $1', [
      feed.id,
      at.toISOString(),
      reason,
    ]);
  });
}

async function bookSuccess(db: Database, feed: FeedSource, success: FeedSuccess, reading: FeedReading): Promise<void> {
  const { etag, lastModified, sha256 } = success.validators;
  await db.run('DELETE FROM feed_states WHERE feed = $1', [feed.id]);
  await db.run('INSERT INTO feed_states VALUES ($1, $2, $3, $4, $5, $6, $7, $7, NULL, $8, $9, $10)', [
    feed.id,
    feed.address,
    READER_VERSION,
    etag,
    lastModified,
    sha256,
    success.at.toISOString(),
    reading.refused,
    reading.undated,
    reading.future,
  ]);
}

/** Removes items older than `oldest` and returns their number. */
export async function sweepItems(db: Database, oldest: Date): Promise<number> {
  const old = await db.one(`SELECT count(*)::DOUBLE AS n FROM signal_items WHERE ${ITEM_TIME} < $1`, [
    oldest.toISOString(),
  ]);
  await db.run(`DELETE FROM signal_items WHERE ${ITEM_TIME} < $1`, [oldest.toISOString()]);
  return Number(old?.n);
}

export interface SharedItem {
  id: string;
  url: string | null;
  feeds: string[];
}

export interface SignalTotals {
  items: number;
  /** Items by capital and by class; `none`: no term matched. */
  capitals: Record<string, number>;
  classes: Record<string, number>;
  /** Items that several feeds carried: their number, and the first of them by id. */
  shared: { items: number; named: SharedItem[] };
}

const NAMED_SHARED = 50;

/**
 * Rebuilds the table `signals` from the items of the listed feeds in one transaction. Each item stands there once, as in
 * the feed with the best date (in a tie, the first feed id), classified by the lexicons.
 */
export async function classifyItems(
  db: Database,
  directory: string,
  feeds: readonly FeedSource[],
  lexicons: Lexicons,
): Promise<SignalTotals> {
  const byId = new Map(feeds.map((feed) => [feed.id, feed]));
  const capitals: Record<string, number> = {};
  const classes: Record<string, number> = {};
  const staging = await StagingTable.create(db, 'staged_signals', 'SELECT * FROM signals', directory);
  const seen: SharedItem[] = [];
  const query = `SELECT * FROM signal_items i ORDER BY id, ${DATE_RANK('i')}, source`;
  for await (const rows of db.stream(query)) {
    for (const row of rows) {
      const feed = byId.get(row.source as string);
      if (feed === undefined) continue;
      const last = seen.at(-1);
      if (last !== undefined && last.id === row.id) {
        last.feeds.push(feed.id);
        continue;
      }
      seen.push({ id: row.id as string, url: row.url as string | null, feeds: [feed.id] });
      const found = classify(lexicons, row.title as string, row.summary as string | null);
      count(capitals, found.capital);
      count(classes, found.lexiconClass);
      await staging.add(signalRow(feed, row, found));
    }
  }
  await staging.flush();
  await db.transaction(async () => {
    await db.run('DELETE FROM signals');
    await db.run('INSERT INTO signals BY NAME SELECT * FROM staged_signals');
  });
  const shared = seen.filter((item) => item.feeds.length > 1);
  const named = shared.slice(0, NAMED_SHARED).map((item) => ({ ...item, feeds: item.feeds.sort() }));
  return { items: seen.length, capitals, classes, shared: { items: shared.length, named } };
}

function count(counts: Record<string, number>, key: string | null): void {
  counts[key ?? 'none'] = (counts[key ?? 'none'] ?? 0) + 1;
}

/** State of each listed feed, in the form of the manifest. */
export async function manifestFeeds(db: Database, feeds: readonly FeedSource[]): Promise<ManifestFeed[]> {
  const states = new Map((await db.all('SELECT * FROM feed_states')).map((row) => [row.feed as string, row]));
  const held = await db.all('SELECT source, count(*)::DOUBLE AS n FROM signals GROUP BY source');
  const items = new Map(held.map((row) => [row.source as string, Number(row.n)]));
  return feeds.map((feed) => manifestFeed(feed, states.get(feed.id), items.get(feed.id) ?? 0));
}

function manifestFeed(feed: FeedSource, state: JsonRow | undefined, items: number): ManifestFeed {
  const head = { feed: feed.id, publisher: feed.publisher };
  const lastAttemptAt = (state?.last_attempt_at ?? null) as string | null;
  const error = (state?.last_error ?? null) as string | null;
  if (state === undefined || state.last_success_at === null) {
    return {
      ...head,
      state: 'unanswered',
      items: null,
      sha256: null,
      lastSuccessAt: null,
      lastAttemptAt,
      stale: error !== null,
      reason: error ?? 'not asked',
      refused: null,
      undated: null,
      future: null,
    };
  }
  return {
    ...head,
    state: 'answered',
    items,
    sha256: (state.body_sha256 ?? null) as string | null,
    lastSuccessAt: state.last_success_at as string,
    lastAttemptAt,
    stale: error !== null,
    reason: error,
    refused: Number(state.refused),
    undated: Number(state.undated),
    future: Number(state.future),
  };
}

function itemRow(feed: FeedSource, item: FeedItem, firstSeenAt: string): JsonRow {
  return {
    source: feed.id,
    id: item.id,
    url: item.url,
    domain: item.domain,
    title: item.title,
    summary: item.summary,
    published_at: item.publishedAt,
    date_basis: item.dateBasis,
    first_seen_at: firstSeenAt,
  };
}

function signalRow(feed: FeedSource, row: JsonRow, found: Classification): JsonRow {
  return {
    ...row,
    publisher: feed.publisher,
    language: feed.language,
    category: feed.category,
    capital: found.capital,
    capital_terms: found.capitalTerms,
    lexicon_class: found.lexiconClass,
    class_terms: found.classTerms,
  };
}
