import { type Kysely, sql } from 'kysely';

/**
 * What each event is about, so that a reader can ask for it. It is stored beside the event's own data, whose hash is as it
 * was: events from before this do not show it.
 */
const STATEMENTS = [
  "ALTER TABLE events ADD COLUMN about TEXT NOT NULL DEFAULT ''",
  `UPDATE events SET about = CASE
     WHEN action = 'reviewed' THEN 'review'
     WHEN action = 'withdrawn' THEN 'withdrawal'
     WHEN action = 'amendment-voted' THEN 'vote'
     WHEN action = 'amendment-exercised' THEN 'exercise'
     WHEN kind = 'message' AND instr(action, '-') > 0 THEN
       CASE
         WHEN action LIKE 'reality-request-%' THEN 'reality-request'
         WHEN action LIKE 'dead-end-%' THEN 'dead-end'
         ELSE substr(action, 1, instr(action, '-') - 1)
       END
     ELSE kind
   END`,
  'CREATE INDEX events_about ON events (about, ts)',
];

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
