import { type Kysely, sql } from 'kysely';

/** Lets deliveries be shared among owners, and receivers that are slow all the time be parked. */
const STATEMENTS = [
  // The address group that subscribed, hashed; of older rows the address alone is known.
  "ALTER TABLE webhooks ADD COLUMN owner_hash TEXT NOT NULL DEFAULT ''",
  'UPDATE webhooks SET owner_hash = address_hash',
  // Deliveries that took too long, less those since then that did not.
  'ALTER TABLE webhooks ADD COLUMN slow_deliveries INTEGER NOT NULL DEFAULT 0',
];

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
