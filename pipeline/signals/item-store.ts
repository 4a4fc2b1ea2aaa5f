import type { ManifestFeed } from '../../snapshot/format/versions/manifest.ts';
import { StagingTable } from '../normalise/staging.ts';
import type { Database, JsonRow } from '../store/database.ts';
import { classify, type Lexicons } from './classify.ts';
import { type FeedSource, NO_VALIDATORS, type Validators } from './feeds.ts';
import { dateRank, type FeedItem, type FeedReading, READER_VERSION } from './read-feed.ts';

/** The tables of the signals stage: items of each feed, state of each feed, and the classified items. */

/** The order of `dateRank` in SQL: published, updated, first seen; then the earlier date. */
const DATE_RANK =
  "(CASE date_basis WHEN 'published' THEN '0' WHEN 'updated' THEN '1' ELSE '2' END || coalesce(published_at, ''))";
/** The time that decides how long an item is kept. */
const ITEM_TIME = 'coalesce(published_at, first_seen_at)';

/** Validators of the last good answer, if this reader version read it from this address; else none. */
export async function validatorsOf(db: Database, feed: FeedSource): Promise<Validators> {
  const row = await db.one(
    `SELECT etag, last_modified AS "lastModified", body_sha256 AS sha256 FROM feed_states
     WHERE feed = $1 AND address = $2 AND reader_version = $3 AND last_success_at IS NOT NULL`,
    [feed.id, feed.address, READER_VERSION],
  );
  return (row ?? NO_VALIDATORS) as unknown as Validators;
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
  success: { at: Date; validators: Validators; firstSeenAt: string; replace: boolean },
): Promise<number> {
  const rows = await db.all('SELECT * FROM signal_items WHERE source = $1', [feed.id]);
  const held = new Map(rows.map((row) => [row.id as string, row]));
  const staging = await StagingTable.create(db, 'staged_signal_items', 'SELECT * FROM signal_items', directory);
  for (const item of reading.items) await staging.add(itemRow(feed, item, held.get(item.id), success.firstSeenAt));
  await staging.flush();
  const { etag, lastModified, sha256 } = success.validators;
  const { refused, undated, future } = reading;
  await db.transaction(async () => {
    const replaced = success.replace ? '' : 'AND id IN (SELECT id FROM staged_signal_items)';
    await db.run(`DELETE FROM signal_items WHERE source = $1 ${replaced}`, [feed.id]);
    await db.run('INSERT INTO signal_items BY NAME SELECT * FROM staged_signal_items');
    await db.run('DELETE FROM feed_states WHERE feed = $1', [feed.id]);
    await db.run('INSERT INTO feed_states VALUES ($1, $2, $3, $4, $5, $6, $7, $7, NULL, $8, $9, $10)', [
      ...[feed.id, feed.address, READER_VERSION, etag, lastModified, sha256],
      ...[success.at.toISOString(), refused, undated, future],
    ]);
  });
  return reading.items.filter(({ id }) => !held.has(id)).length;
}

/** Records an answer without changes (304). */
export async function recordUnchanged(db: Database, feed: FeedSource, at: Date): Promise<void> {
  const set = 'last_success_at = $2, last_attempt_at = $2, last_error = NULL';
  await db.run(`UPDATE feed_states SET ${set} WHERE feed = $1`, [feed.id, at.toISOString()]);
}

/** Records a failed attempt; items, validators and the time of the last success are unchanged. */
export async function recordFailure(db: Database, feed: FeedSource, at: Date, reason: string): Promise<void> {
  await db.transaction(async () => {
    await db.run(
      `INSERT INTO feed_states (feed, address, reader_version)
       SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT 1 FROM feed_states WHERE feed = $1)`,
      [feed.id, feed.address, READER_VERSION],
    );
    const set = 'last_attempt_at = $2, last_error = $3';
    await db.run(`UPDATE feed_states SET ${set} WHERE feed = $1`, [feed.id, at.toISOString(), reason]);
  });
}

/** Removes items older than `oldest` and returns their number. */
export async function sweepItems(db: Database, oldest: Date): Promise<number> {
  const sql = `DELETE FROM signal_items WHERE ${ITEM_TIME} < $1 RETURNING id`;
  return (await db.all(sql, [oldest.toISOString()])).length;
}

export interface SignalTotals {
  items: number;
  /** Items by capital and by class; `none`: no term matched. */
  capitals: Record<string, number>;
  classes: Record<string, number>;
  /** Items that several feeds carried: their number, and the first of them by id. */
  shared: { items: number; named: { id: string; url: string | null; feeds: string[] }[] };
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
  const seen: SignalTotals['shared']['named'] = [];
  for await (const rows of db.stream(`SELECT * FROM signal_items ORDER BY id, ${DATE_RANK}, source`)) {
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
      capitals[found.capital ?? 'none'] = (capitals[found.capital ?? 'none'] ?? 0) + 1;
      classes[found.lexiconClass ?? 'none'] = (classes[found.lexiconClass ?? 'none'] ?? 0) + 1;
      await staging.add({
        ...row,
        publisher: feed.publisher,
        language: feed.language,
        category: feed.category,
        capital: found.capital,
        capital_terms: found.capitalTerms,
        lexicon_class: found.lexiconClass,
        class_terms: found.classTerms,
      });
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

/** State of each listed feed, in the form of the manifest. */
export async function manifestFeeds(db: Database, feeds: readonly FeedSource[]): Promise<ManifestFeed[]> {
  const states = await db.all(
    `SELECT *, (SELECT count(*)::DOUBLE FROM signals WHERE source = feed) AS items,
       refused::DOUBLE AS refused, undated::DOUBLE AS undated, future::DOUBLE AS future
     FROM feed_states`,
  );
  const byId = new Map(states.map((row) => [row.feed as string, row]));
  return feeds.map((feed) => manifestFeed(feed, byId.get(feed.id)));
}

function manifestFeed({ id, publisher }: FeedSource, state: JsonRow = {}): ManifestFeed {
  const isAnswered = (state.last_success_at ?? null) !== null;
  const answered = <T>(column: string): T | null => (isAnswered ? ((state[column] ?? null) as T | null) : null);
  const error = (state.last_error ?? null) as string | null;
  return {
    feed: id,
    publisher,
    state: isAnswered ? 'answered' : 'unanswered',
    items: answered('items'),
    sha256: answered('body_sha256'),
    lastSuccessAt: answered('last_success_at'),
    lastAttemptAt: (state.last_attempt_at ?? null) as string | null,
    stale: error !== null,
    reason: error ?? (isAnswered ? null : 'not asked'),
    refused: answered('refused'),
    undated: answered('undated'),
    future: answered('future'),
  };
}

/** The row of an item; one that is held already keeps the time it was first seen, and its date where that is better. */
function itemRow(feed: FeedSource, item: FeedItem, held: JsonRow | undefined, now: string): JsonRow {
  const old = held && {
    publishedAt: held.published_at as string | null,
    dateBasis: held.date_basis as FeedItem['dateBasis'],
  };
  const { publishedAt, dateBasis } = old !== undefined && dateRank(old) < dateRank(item) ? old : item;
  return {
    source: feed.id,
    id: item.id,
    url: item.url,
    domain: item.domain,
    title: item.title,
    summary: item.summary,
    published_at: publishedAt,
    date_basis: dateBasis,
    first_seen_at: held?.first_seen_at ?? now,
  };
}
