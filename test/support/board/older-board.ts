import type SQLite from 'better-sqlite3';

/** Takes back what migration 0015 made of a file, so that a test can have a file from before it. */
export const WITHOUT_VOICES = [
  ...['reviews_voices', 'reviews_key', 'reviews_group', 'amendment_votes_voices', 'amendment_exercises_voices'].map(
    (index) => `DROP INDEX ${index};`,
  ),
  ...['findings', 'reviews', 'amendments', 'amendment_votes', 'amendment_exercises', 'results_gap_reports'].map(
    (table) => `ALTER TABLE ${table} DROP COLUMN group_hash;`,
  ),
  'ALTER TABLE reviews DROP COLUMN agent_key;',
  'ALTER TABLE reviews DROP COLUMN counts;',
  'ALTER TABLE amendment_votes DROP COLUMN counts;',
].join('\n');

/** Takes back what the migrations from store/migrations/0023-webhook-leases.ts on do; the version stays. */
export function undoSeveral(file: SQLite.Database): void {
  file.exec(`
    DROP TABLE gateway_traffic;
    DROP TABLE installation;
    ALTER TABLE webhooks DROP COLUMN lease_holder;
    ALTER TABLE webhooks DROP COLUMN lease_until;
    ALTER TABLE webhooks DROP COLUMN fence;
  `);
}

/** Takes back what store/migrations/0021-snapshot-news.ts does, but for the reference of the outbox; the version stays. */
function undoNews(file: SQLite.Database): void {
  undoSeveral(file);
  file.exec(`
    ALTER TABLE webhooks DROP COLUMN query;
    ALTER TABLE webhooks DROP COLUMN query_key;
    DROP TABLE known_versions;
    DROP TABLE trial_news;
  `);
}

/** Takes back migrations 0021, 0020 and 0019, which tells what an event is about; the version stays. */
export function undoAbouts(file: SQLite.Database): void {
  undoNews(file);
  file.exec('DROP TABLE cited_receipts; DROP TABLE receipt_checks;');
  file.exec('DROP INDEX events_about; ALTER TABLE events DROP COLUMN about;');
}

/** Takes back migrations 0021, 0020, 0019 and 0018, except to secrets of webhooks; the version stays. */
export function undoCallers(file: SQLite.Database): void {
  undoAbouts(file);
  file.exec(`
    ALTER TABLE idempotency DROP COLUMN secret_names;
    ALTER TABLE idempotency DROP COLUMN sealed;
    DROP INDEX api_keys_group;
    ALTER TABLE api_keys DROP COLUMN group_hash;
    ALTER TABLE api_keys DROP COLUMN expires_at;
    DROP TABLE stored_bytes;
    DROP TABLE proofs;
  `);
}
