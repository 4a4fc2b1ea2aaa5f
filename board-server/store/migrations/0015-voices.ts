import { type Kysely, sql } from 'kysely';
import { agentKeyOf } from '../../kit/agent-key.ts';

/**
 * Voices: names as they are compared, and the group of addresses (/24, /48) behind a row. A row written before has no
 * group: its address stands for one of its own, which is equal to no group of later rows.
 */
const GROUPED = ['findings', 'reviews', 'amendments', 'amendment_votes', 'amendment_exercises', 'results_gap_reports'];
const KEYED = ['amendments', 'amendment_votes', 'amendment_exercises', 'results_gap_reports'];

const STATEMENTS = [
  ...GROUPED.flatMap((table) => [
    `ALTER TABLE ${table} ADD COLUMN group_hash TEXT NOT NULL DEFAULT ''`,
    `UPDATE ${table} SET group_hash = address_hash`,
  ]),
  "ALTER TABLE reviews ADD COLUMN agent_key TEXT NOT NULL DEFAULT ''",
  // 1 where the review moves the status: a voice other than the author's and those counted before.
  'ALTER TABLE reviews ADD COLUMN counts INTEGER NOT NULL DEFAULT 0',
  "UPDATE reviews SET counts = 1 WHERE verdict <> 'extends'",
  // 1 where the vote is in the tally: a voice other than those counted before.
  'ALTER TABLE amendment_votes ADD COLUMN counts INTEGER NOT NULL DEFAULT 1',
  'DROP INDEX IF EXISTS reviews_address',
  'CREATE INDEX reviews_voices ON reviews (finding_id, verdict, address_hash, group_hash, counts)',
  'CREATE INDEX reviews_key ON reviews (finding_id, agent_key, counts)',
  'CREATE INDEX reviews_group ON reviews (finding_id, group_hash, counts)',
  'DROP INDEX IF EXISTS amendment_votes_address',
  'CREATE INDEX amendment_votes_voices ON amendment_votes (amendment_id, group_hash, counts, address_hash)',
  'DROP INDEX IF EXISTS amendment_exercises_address',
  'CREATE INDEX amendment_exercises_voices ON amendment_exercises (amendment_id, group_hash, counts, address_hash)',
];

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  for (const table of [...KEYED, 'reviews']) await compareAnew(db, table);
}

/** Two votes whose names are one by now both stay as they were counted: the later keeps its old key. */
async function compareAnew(db: Kysely<never>, table: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`SELECT DISTINCT agent_name AS name FROM ${sql.raw(table)}`.execute(db);
  for (const { name } of rows) {
    await sql`UPDATE OR IGNORE ${sql.raw(table)} SET agent_key = ${agentKeyOf(name)} WHERE agent_name = ${name}`.execute(
      db,
    );
  }
}
