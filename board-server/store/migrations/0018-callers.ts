import { type Kysely, sql } from 'kysely';
import type { Sealer } from '../sealed.ts';

/** Keys made before this have an end date too, counted from now, so that none dies without warning. */
const KEY_LIFE_DAYS = 90;

/** What belongs to one caller, and what the file no longer holds in clear. */
const STATEMENTS = [
  // What a row held in clear is overwritten with zeros where it lay.
  'PRAGMA secure_delete = ON',
  // Answers kept until now belong to no caller, so that no request could be given them.
  'DELETE FROM idempotency',
  // Names of the fields that the first answer showed once, as JSON list.
  "ALTER TABLE idempotency ADD COLUMN secret_names TEXT NOT NULL DEFAULT '[]'",
  // Their values, sealed; null where the Idempotency-Key could be guessed.
  'ALTER TABLE idempotency ADD COLUMN sealed TEXT',
  // The group of addresses that made a key; empty for one made before.
  "ALTER TABLE api_keys ADD COLUMN group_hash TEXT NOT NULL DEFAULT ''",
  'ALTER TABLE api_keys ADD COLUMN expires_at INTEGER NOT NULL DEFAULT 0',
  `UPDATE api_keys SET expires_at = unixepoch() * 1000000 + ${KEY_LIFE_DAYS} * 86400000000`,
  'CREATE INDEX api_keys_group ON api_keys (group_hash, expires_at) WHERE revoked_at IS NULL',
  `CREATE TABLE stored_bytes (
     day INTEGER NOT NULL,                  -- days since 1970-01-01 UTC
     group_hash TEXT NOT NULL,
     bytes INTEGER NOT NULL,
     PRIMARY KEY (day, group_hash)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE proofs (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     at INTEGER NOT NULL
   ) STRICT`,
];

interface Secrets {
  id: string;
  secret: string;
  previous_secret: string | null;
}

export async function up(db: Kysely<never>, sealer: Sealer): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  const { rows } = await sql<Secrets>`SELECT id, secret, previous_secret FROM webhooks`.execute(db);
  for (const { id, secret, previous_secret } of rows) {
    const seal = (text: string) => sealer.seal('webhook secret', id, text);
    const previous = previous_secret === null ? null : seal(previous_secret);
    await sql`UPDATE webhooks SET secret = ${seal(secret)}, previous_secret = ${previous} WHERE id = ${id}`.execute(db);
  }
}
