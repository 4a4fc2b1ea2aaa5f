import { type Kysely, sql } from 'kysely';

/** Let the assignment count findings by objective and question without reading the findings themselves. */
const STATEMENTS = [
  'CREATE INDEX findings_objective_status ON findings (objective_id, status)',
  'CREATE INDEX findings_question_status ON findings (question_id, status)',
];

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
