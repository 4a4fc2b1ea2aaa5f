import { type Kysely, sql } from 'kysely';

/**
 * One outbox row for an event, however many subscriptions listen: what a subscription still has to get is what lies
 * after its cursor. So a write costs the same with none and with ten thousand of them. Replaces the first, unused shape.
 */
const STATEMENTS = [
  'DROP TABLE outbox',
  'DROP TABLE webhooks',
  `CREATE TABLE webhooks (
     id TEXT PRIMARY KEY,
     url TEXT NOT NULL,
     events TEXT NOT NULL,                  -- JSON array of event names
     state TEXT NOT NULL CHECK (state IN ('pending', 'active', 'parked')),
     parked_reason TEXT,                    -- exhausted, gone
     secret TEXT NOT NULL,                  -- signs; an HMAC secret cannot be kept hashed
     previous_secret TEXT,
     previous_until INTEGER,
     token_hash TEXT NOT NULL,              -- of the secret as shown, which manages the subscription
     challenge TEXT NOT NULL,               -- what the target must echo before it is active
     address_hash TEXT NOT NULL,
     cursor INTEGER NOT NULL,               -- ts of the last event that was delivered
     attempts INTEGER NOT NULL,             -- failed in a row: of the event after the cursor, or of the challenge
     next_attempt_at INTEGER,               -- null: nothing is tried before someone asks for it
     failing_since INTEGER,
     verified_at INTEGER,
     created_at INTEGER NOT NULL,
     updated_at INTEGER NOT NULL
   ) STRICT`,
  'CREATE INDEX webhooks_state ON webhooks (state, created_at)',
  'CREATE INDEX webhooks_address ON webhooks (address_hash)',
  `CREATE TABLE outbox (
     event_ts INTEGER PRIMARY KEY REFERENCES events (ts),
     event_name TEXT NOT NULL
   ) STRICT`,
  'CREATE INDEX outbox_name ON outbox (event_name, event_ts)',
  `CREATE TABLE deliveries (                -- one row for an attempt
     id INTEGER PRIMARY KEY,
     webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
     message_id TEXT NOT NULL,
     type TEXT NOT NULL,                    -- event name, webhook.ping or webhook.challenge
     event_ts INTEGER,
     attempt INTEGER NOT NULL,
     outcome TEXT NOT NULL CHECK (outcome IN ('queued', 'delivered', 'failed')),
     status INTEGER,                        -- HTTP status of the answer
     reason TEXT,
     duration_ms INTEGER,
     at INTEGER NOT NULL
   ) STRICT`,
  'CREATE INDEX deliveries_webhook ON deliveries (webhook_id, id)',
  "CREATE INDEX deliveries_queued ON deliveries (webhook_id, id) WHERE outcome = 'queued'",
];

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
