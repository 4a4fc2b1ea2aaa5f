import { type Kysely, sql } from 'kysely';

/** Let a page of one state of claims, or of the messages on one type of subject, be read in its order wherever it begins. */
const STATEMENTS = [
  'CREATE INDEX claims_state ON claims (state, seq, lease_until)',
  'CREATE INDEX messages_type ON messages (subject_type, seq)',
];

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
