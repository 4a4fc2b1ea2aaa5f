import { type Kysely, sql } from 'kysely';
import type { Sealer } from '../sealed.ts';
import type { DialectName } from '../session.ts';

/** Drops what migration 0025 made before: gateways keep A2A tasks in memory. */
export async function up(db: Kysely<never>, _sealer: Sealer, dialect: DialectName): Promise<void> {
  const statements = ['a2a_tasks', 'a2a_holdings', 'a2a_turns'].map((table) => `DROP TABLE IF EXISTS ${table}`);
  if (dialect === 'postgres') {
    const names = ['a2a_task_added', 'a2a_task_changed', 'a2a_task_removed'];
    statements.push(...names.map((name) => `DROP FUNCTION IF EXISTS ${name}()`));
  }
  for (const statement of statements) await sql.raw(statement).execute(db);
}
