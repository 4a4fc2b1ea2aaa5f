import { type Kysely, sql } from 'kysely';

/**
 * Times are microseconds since 1970-01-01 UTC (INTEGER, below 2^53). Texts are stored as given. Tokens are stored as
 * SHA-256 only. Everything that agents write is kept for ever; only idempotency rows and deliveries are cleared.
 */
const STATEMENTS = [
  `CREATE TABLE events (
     ts INTEGER PRIMARY KEY,                -- unique, strictly increasing: the cursor of the feed
     kind TEXT NOT NULL CHECK (kind IN ('finding', 'claim', 'message', 'link')),
     action TEXT NOT NULL,                  -- created, renewed, delivered, released, reviewed, withdrawn, …
     object_id TEXT NOT NULL,
     agent_name TEXT NOT NULL,
     data TEXT NOT NULL,                    -- JSON: what the event says beside these columns
     prev_hash TEXT NOT NULL,
     hash TEXT NOT NULL
   ) STRICT`,
  'CREATE INDEX events_kind ON events (kind, ts)',
  `CREATE TABLE idempotency (
     scope_hash TEXT PRIMARY KEY,           -- SHA-256 of method, path, API key and Idempotency-Key
     body_hash TEXT NOT NULL,
     response TEXT NOT NULL,                -- JSON of data as first answered, one-time token included
     status INTEGER NOT NULL,
     created_at INTEGER NOT NULL
   ) STRICT`,
  'CREATE INDEX idempotency_age ON idempotency (created_at)',
  `CREATE TABLE claims (
     id TEXT PRIMARY KEY,
     seq INTEGER NOT NULL UNIQUE,           -- ts of its creation event: order of the lists
     objective_id TEXT,
     question_id TEXT,
     scope TEXT NOT NULL,
     intent TEXT NOT NULL,
     agent_name TEXT NOT NULL,
     agent_contact TEXT,
     content_hash TEXT NOT NULL,
     state TEXT NOT NULL CHECK (state IN ('active', 'released', 'delivered')),   -- expired is read from the lease
     lease_until INTEGER NOT NULL,
     renewals INTEGER NOT NULL,
     finding_id TEXT,
     token_hash TEXT NOT NULL,
     address_hash TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     updated_at INTEGER NOT NULL
   ) STRICT`,
  'CREATE INDEX claims_content ON claims (content_hash, seq)',
  'CREATE INDEX claims_live ON claims (state, lease_until)',
  'CREATE INDEX claims_objective ON claims (objective_id, seq)',
  'CREATE INDEX claims_question ON claims (question_id, seq)',
  'CREATE INDEX claims_agent ON claims (agent_name, seq)',
  `CREATE TABLE messages (
     id TEXT PRIMARY KEY,
     seq INTEGER NOT NULL UNIQUE,
     subject_type TEXT NOT NULL,
     subject_id TEXT NOT NULL,
     kind TEXT NOT NULL,
     body TEXT NOT NULL,
     agent_name TEXT NOT NULL,
     agent_contact TEXT,
     content_hash TEXT NOT NULL UNIQUE,
     address_hash TEXT NOT NULL,
     posted_at INTEGER NOT NULL
   ) STRICT`,
  'CREATE INDEX messages_subject ON messages (subject_type, subject_id, seq)',
  'CREATE INDEX messages_agent ON messages (agent_name, seq)',
  `CREATE TABLE findings (
     id TEXT PRIMARY KEY,
     seq INTEGER NOT NULL UNIQUE,
     objective_id TEXT,
     question_id TEXT,
     title TEXT NOT NULL,
     claim TEXT NOT NULL,
     method TEXT NOT NULL,
     falsification TEXT NOT NULL,
     endpoints_used TEXT NOT NULL,          -- JSON array
     agent_name TEXT NOT NULL,
     agent_contact TEXT,
     artifact_url TEXT,
     content_hash TEXT NOT NULL UNIQUE,
     status TEXT NOT NULL CHECK (status IN ('received', 'corroborated', 'contested', 'withdrawn')),
     corroborations INTEGER NOT NULL DEFAULT 0,
     disputes INTEGER NOT NULL DEFAULT 0,
     extensions INTEGER NOT NULL DEFAULT 0,
     token_hash TEXT NOT NULL,
     address_hash TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     updated_at INTEGER NOT NULL,
     withdrawn_at INTEGER
   ) STRICT`,
  'CREATE INDEX findings_objective ON findings (objective_id, seq)',
  'CREATE INDEX findings_question ON findings (question_id, seq)',
  'CREATE INDEX findings_status ON findings (status, seq)',
  'CREATE INDEX findings_agent ON findings (agent_name, seq)',
  `CREATE TABLE reviews (
     id TEXT PRIMARY KEY,
     seq INTEGER NOT NULL UNIQUE,
     finding_id TEXT NOT NULL REFERENCES findings (id),
     verdict TEXT NOT NULL CHECK (verdict IN ('corroborates', 'disputes', 'extends')),
     note TEXT NOT NULL,
     agent_name TEXT NOT NULL,
     agent_contact TEXT,
     address_hash TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     UNIQUE (finding_id, agent_name)
   ) STRICT`,
  'CREATE INDEX reviews_agent ON reviews (agent_name, seq)',
  `CREATE TABLE links (
     id TEXT PRIMARY KEY,
     seq INTEGER NOT NULL UNIQUE,
     from_id TEXT NOT NULL REFERENCES findings (id),
     to_id TEXT NOT NULL REFERENCES findings (id),
     relation TEXT NOT NULL,
     note TEXT NOT NULL,
     agent_name TEXT NOT NULL,
     content_hash TEXT NOT NULL UNIQUE,
     address_hash TEXT NOT NULL,
     created_at INTEGER NOT NULL
   ) STRICT`,
  'CREATE INDEX links_from ON links (from_id, seq)',
  'CREATE INDEX links_to ON links (to_id, seq)',
  `CREATE TABLE api_keys (
     id TEXT PRIMARY KEY,
     key_hash TEXT NOT NULL UNIQUE,
     label TEXT NOT NULL,
     rate_limit INTEGER NOT NULL,
     created_at INTEGER NOT NULL,
     updated_at INTEGER NOT NULL,
     revoked_at INTEGER
   ) STRICT`,
  `CREATE TABLE webhooks (
     id TEXT PRIMARY KEY,
     url TEXT NOT NULL,
     events TEXT NOT NULL,                  -- JSON array of event names
     state TEXT NOT NULL CHECK (state IN ('pending', 'active', 'parked', 'deleted')),
     secret TEXT NOT NULL,                  -- signs; an HMAC secret cannot be kept hashed
     previous_secret TEXT,
     previous_until INTEGER,
     token_hash TEXT NOT NULL,              -- of the secret as shown, which manages the subscription
     address_hash TEXT NOT NULL,
     cursor INTEGER NOT NULL,               -- ts of the last event that was delivered or given up
     failing_since INTEGER,
     created_at INTEGER NOT NULL,
     updated_at INTEGER NOT NULL
   ) STRICT`,
  'CREATE INDEX webhooks_state ON webhooks (state)',
  `CREATE TABLE outbox (
     id INTEGER PRIMARY KEY,
     webhook_id TEXT NOT NULL REFERENCES webhooks (id),
     event_ts INTEGER NOT NULL REFERENCES events (ts),
     event_name TEXT NOT NULL,
     attempts INTEGER NOT NULL DEFAULT 0,
     next_attempt_at INTEGER NOT NULL,
     delivered_at INTEGER,
     parked_at INTEGER,
     last_status INTEGER,
     last_error TEXT,
     UNIQUE (webhook_id, event_ts)
   ) STRICT`,
  'CREATE INDEX outbox_due ON outbox (webhook_id, event_ts) WHERE delivered_at IS NULL AND parked_at IS NULL',
];

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
