import { type Kysely, sql } from 'kysely';

/** Let live claims be counted by objective and question from the index alone: every assignment does. */
const STATEMENTS = [
  'DROP INDEX claims_live',
  'CREATE INDEX claims_live ON claims (state, lease_until, objective_id, question_id)',
];

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
