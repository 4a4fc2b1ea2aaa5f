import { type Kysely, sql } from 'kysely';

/** Webhooks also hear of new versions of the trial index, which are no events of the board's chain. */
const STATEMENTS = [
  // Without the reference to an event: a version and what changed in it have times of their own.
  `CREATE TABLE outbox_news (
     event_ts INTEGER PRIMARY KEY,
     event_name TEXT NOT NULL
   ) STRICT`,
  'INSERT INTO outbox_news SELECT event_ts, event_name FROM outbox',
  'DROP TABLE outbox',
  'ALTER TABLE outbox_news RENAME TO outbox',
  'CREATE INDEX outbox_name ON outbox (event_name, event_ts)',
  // Filters of a search as JSON, and their hash; null without any.
  'ALTER TABLE webhooks ADD COLUMN query TEXT',
  'ALTER TABLE webhooks ADD COLUMN query_key TEXT',
  `CREATE TABLE known_versions (
     version TEXT PRIMARY KEY,
     parent TEXT,
     ts INTEGER NOT NULL UNIQUE,            -- in the outbox as snapshot.published, but for the first version known
     data TEXT NOT NULL,                    -- JSON that is delivered
     evaluated INTEGER NOT NULL             -- 1: every query has its changes of this version
   ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX known_versions_open ON known_versions (ts) WHERE evaluated = 0',
  `CREATE TABLE trial_news (                -- what of a version one query found, however many subscriptions have it
     query_key TEXT NOT NULL,
     ts INTEGER NOT NULL,                   -- in the outbox as trial.changed
     version TEXT NOT NULL,
     data TEXT,                             -- JSON that is delivered; null: nothing is
     PRIMARY KEY (query_key, ts)
   ) STRICT, WITHOUT ROWID`,
  'CREATE UNIQUE INDEX trial_news_version ON trial_news (version, query_key)',
  'CREATE INDEX trial_news_ts ON trial_news (ts)',
];

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
