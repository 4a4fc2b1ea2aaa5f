import type { ManifestFeed } from '../../snapshot/format/versions/manifest.ts';
import { StagingTable } from '../normalise/staging.ts';
import type { Database, JsonRow } from '../store/database.ts';
import { classify, type Lexicons } from './classify.ts';
import { type FeedSource, NO_VALIDATORS, type Validators } from './feeds.ts';
import { dateRank, type FeedItem, READER_VERSION } from './read-feed.ts';

/** The tables of the signals stage: items of each feed, state of each feed, and the classified items. */

/** The order of `dateRank` in SQL: published, updated, first seen; then the earlier date. */
const DATE_RANK =
  "(CASE date_basis WHEN 'published' THEN '0' WHEN 'updated' THEN '1' ELSE '2' END || coalesce(published_at, ''))";

/** A row of `feed_states`: the last attempt of a feed, and its last good answer with its counts. */
export interface FeedState {
  feed: string;
  address: string;
  reader_version: number;
  etag: string | null;
  last_modified: string | null;
  body_sha256: string | null;
  /** Null when the feed never answered. */
  last_success_at: string | null;
  last_attempt_at: string | null;
  /** Null when the last attempt succeeded. */
  last_error: string | null;
  refused: number | null;
  undated: number | null;
  future: number | null;
}

/** The state of a feed; of one that was never asked, a state without an attempt. */
export async function stateOf(db: Database, { id, address }: FeedSource): Promise<FeedState> {
  const held = await db.one('SELECT * FROM feed_states WHERE feed = $1', [id]);
  const answer = { etag: null, last_modified: null, body_sha256: null, refused: null, undated: null, future: null };
  const attempt = { last_success_at: null, last_attempt_at: null, last_error: null };
  return { feed: id, address, reader_version: READER_VERSION, ...answer, ...attempt, ...held };
}

export async function writeState(db: Database, state: FeedState): Promise<void> {
  await db.run('DELETE FROM feed_states WHERE feed = $1', [state.feed]);
  const places = Object.keys(state).map((_, index) => `$${index + 1}`);
  const sql = `INSERT INTO feed_states (${Object.keys(state).join(', ')}) VALUES (${places.join(', ')})`;
  await db.run(sql, Object.values(state));
}

/** Validators of the last good answer, if this reader version read it from this address; else none. */
export function validatorsOf(state: FeedState, { address }: FeedSource): Validators {
  const isSame = state.address === address && state.reader_version === READER_VERSION;
  return isSame ? { etag: state.etag, lastModified: state.last_modified, sha256: state.body_sha256 } : NO_VALIDATORS;
}

/**
 * Adds the items read from a feed and records its state in one transaction, so that the validators are never ahead of the
 * items. Known items keep the time they were first seen and the better of their dates. Returns the number of new items.
 */
export async function storeItems(
  db: Database,
  directory: string,
  items: readonly FeedItem[],
  state: FeedState,
  { firstSeenAt, replace }: { firstSeenAt: string; replace: boolean },
): Promise<number> {
  const source = state.feed;
  const rows = await db.all('SELECT * FROM signal_items WHERE source = $1', [source]);
  const held = new Map(rows.map((row) => [row.id as string, row]));
  const staging = await StagingTable.create(db, 'staged_signal_items', 'SELECT * FROM signal_items', directory);
  for (const item of items) await staging.add({ source, ...itemRow(item, held.get(item.id), firstSeenAt) });
  await staging.flush();
  await db.transaction(async () => {
    const replaced = replace ? '' : 'AND id IN (SELECT id FROM staged_signal_items)';
    await db.run(`DELETE FROM signal_items WHERE source = $1 ${replaced}`, [source]);
    await db.run('INSERT INTO signal_items BY NAME SELECT * FROM staged_signal_items');
    await writeState(db, state);
  });
  return items.filter(({ id }) => !held.has(id)).length;
}

/** The row of an item; one that is held already keeps the time it was first seen, and its date where that is better. */
function itemRow(item: FeedItem, held: JsonRow | undefined, firstSeenAt: string): JsonRow {
  const { id, url, domain, title, summary } = item;
  const dated = { publishedAt: held?.published_at, dateBasis: held?.date_basis } as FeedItem;
  const { publishedAt, dateBasis } = held !== undefined && dateRank(dated) < dateRank(item) ? dated : item;
  const dates = { published_at: publishedAt, date_basis: dateBasis, first_seen_at: held?.first_seen_at ?? firstSeenAt };
  return { id, url, domain, title, summary, ...dates };
}

/** Removes items older than `oldest` and returns their number. */
export async function sweepItems(db: Database, oldest: Date): Promise<number> {
  const sql = 'DELETE FROM signal_items WHERE coalesce(published_at, first_seen_at) < $1 RETURNING id';
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
  const listed = new Map(feeds.map((feed) => [feed.id, feed]));
  const totals: SignalTotals = { items: 0, capitals: {}, classes: {}, shared: { items: 0, named: [] } };
  const staging = await StagingTable.create(db, 'staged_signals', 'SELECT * FROM signals', directory);
  const rows = await db.all(`SELECT * FROM signal_items ORDER BY id, ${DATE_RANK}, source`);
  const byId = Map.groupBy(
    rows.filter(({ source }) => listed.has(source as string)),
    ({ id }) => id as string,
  );
  for (const [id, carried] of byId) {
    const best = carried[0]!;
    const { publisher, language, category } = listed.get(best.source as string)!;
    const found = classify(lexicons, best.title as string, best.summary as string | null);
    await staging.add({
      ...{ ...best, publisher, language, category, capital: found.capital, capital_terms: found.capitalTerms },
      lexicon_class: found.lexiconClass,
      class_terms: found.classTerms,
    });
    count(totals.capitals, found.capital);
    count(totals.classes, found.lexiconClass);
    if (carried.length === 1) continue;
    const names = carried.map(({ source }) => source as string).sort();
    if (totals.shared.items < NAMED_SHARED)
      totals.shared.named.push({ id, url: best.url as string | null, feeds: names });
    totals.shared.items += 1;
  }
  await staging.flush();
  await db.transaction(async () => {
    await db.run('DELETE FROM signals');
    await db.run('INSERT INTO signals BY NAME SELECT * FROM staged_signals');
  });
  return { ...totals, items: byId.size };
}

function count(counts: Record<string, number>, name: string | null): void {
  counts[name ?? 'none'] = (counts[name ?? 'none'] ?? 0) + 1;
}

/** State of a feed in the form of the manifest. */
export async function manifestFeed(db: Database, feed: FeedSource): Promise<ManifestFeed> {
  const state = await stateOf(db, feed);
  const isAnswered = state.last_success_at !== null;
  const row = await db.one('SELECT count(*)::DOUBLE AS items FROM signals WHERE source = $1', [feed.id]);
  return {
    feed: feed.id,
    publisher: feed.publisher,
    state: isAnswered ? 'answered' : 'unanswered',
    items: isAnswered ? (row!.items as number) : null,
    sha256: state.body_sha256,
    lastSuccessAt: state.last_success_at,
    lastAttemptAt: state.last_attempt_at,
    stale: state.last_error !== null,
    reason: state.last_error ?? (isAnswered ? null : 'not asked'),
    refused: state.refused,
    undated: state.undated,
    future: state.future,
  };
}
