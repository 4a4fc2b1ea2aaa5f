import { type Kysely, sql } from 'kysely';

/** Receipts that findings and reviews cite, and what came of each when it was last run. */
const STATEMENTS = [
  `CREATE TABLE cited_receipts (
     citing_id TEXT NOT NULL,               -- id of a finding or a review
     place INTEGER NOT NULL,                -- in the order in which they were given, from 0
     receipt TEXT NOT NULL,
     PRIMARY KEY (citing_id, place)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE receipt_checks (
     receipt TEXT PRIMARY KEY,
     outcome TEXT NOT NULL,                 -- JSON of a ReceiptOutcome of contract/schemas/trials/receipt.ts
     checked_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID`,
];

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
