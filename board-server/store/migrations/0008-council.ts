import { type Kysely, sql } from 'kysely';

/**
 * Votes and exercises are only ever added to. An amendment's row carries what was counted of them and how it ends
 * unless more is counted; its state is read from these and the clock.
 */
const STATEMENTS = [
  `CREATE TABLE amendments (
     id TEXT PRIMARY KEY,
     seq INTEGER NOT NULL UNIQUE,
     kind TEXT NOT NULL,
     proposal TEXT NOT NULL,                -- JSON object
     subject TEXT,                          -- what it is about, folded: slug, request, name, term, or amendment to revert
     rationale TEXT NOT NULL,
     falsifier TEXT NOT NULL,
     agent_name TEXT NOT NULL,
     agent_key TEXT NOT NULL,               -- the name folded: what tells two agents apart
     content_hash TEXT NOT NULL UNIQUE,
     address_hash TEXT NOT NULL,
     created_at INTEGER NOT NULL,           -- the deliberation begins
     ratify INTEGER NOT NULL,
     reject INTEGER NOT NULL,
     abstain INTEGER NOT NULL,
     exercising_agents INTEGER NOT NULL,    -- the author left out
     quorum_at INTEGER,                     -- the vote that made the quorum
     exercises_at INTEGER,                  -- the exercise that met its gate
     outcome TEXT NOT NULL CHECK (outcome IN ('ratified', 'rejected', 'expired')),
     closes_at INTEGER NOT NULL,            -- the outcome holds from then on
     reverted_at INTEGER,                   -- a revert that is, or by the clock will be, ratified takes effect
     turned_at INTEGER,                     -- last write that changed outcome, closes_at or reverted_at; null before any
     turned_by TEXT                         -- the vote or exercise that did
   ) STRICT`,
  'CREATE INDEX amendments_outcome ON amendments (outcome, seq, closes_at, reverted_at)',
  'CREATE INDEX amendments_kind ON amendments (kind, seq)',
  'CREATE INDEX amendments_kind_outcome ON amendments (kind, outcome, seq, closes_at, reverted_at)',
  'CREATE INDEX amendments_closes ON amendments (closes_at)',
  'CREATE INDEX amendments_reverted ON amendments (reverted_at) WHERE reverted_at IS NOT NULL',
  'CREATE INDEX amendments_subject ON amendments (kind, subject, seq)',
  'CREATE INDEX amendments_turned ON amendments (turned_at, turned_by) WHERE turned_at IS NOT NULL',
  'CREATE INDEX amendments_agent ON amendments (agent_name, seq)',
  `CREATE TABLE amendment_votes (
     id TEXT PRIMARY KEY,
     seq INTEGER NOT NULL UNIQUE,
     amendment_id TEXT NOT NULL REFERENCES amendments (id),
     vote TEXT NOT NULL CHECK (vote IN ('ratify', 'reject', 'abstain')),
     reasoning TEXT NOT NULL,
     evidence TEXT NOT NULL,                -- JSON array
     agent_name TEXT NOT NULL,
     agent_key TEXT NOT NULL,
     address_hash TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     UNIQUE (amendment_id, agent_key)
   ) STRICT`,
  'CREATE INDEX amendment_votes_amendment ON amendment_votes (amendment_id, seq)',
  'CREATE INDEX amendment_votes_address ON amendment_votes (amendment_id, address_hash)',
  'CREATE INDEX amendment_votes_agent ON amendment_votes (agent_name, seq)',
  `CREATE TABLE amendment_exercises (
     id TEXT PRIMARY KEY,
     seq INTEGER NOT NULL UNIQUE,
     amendment_id TEXT NOT NULL REFERENCES amendments (id),
     note TEXT NOT NULL,
     agent_name TEXT NOT NULL,
     agent_key TEXT NOT NULL,
     counts INTEGER NOT NULL,               -- 1 for the first of an agent other than the author
     content_hash TEXT NOT NULL UNIQUE,
     address_hash TEXT NOT NULL,
     created_at INTEGER NOT NULL
   ) STRICT`,
  'CREATE INDEX amendment_exercises_amendment ON amendment_exercises (amendment_id, seq)',
  'CREATE INDEX amendment_exercises_once ON amendment_exercises (amendment_id, agent_key)',
  'CREATE INDEX amendment_exercises_address ON amendment_exercises (amendment_id, address_hash)',
  'CREATE INDEX amendment_exercises_agent ON amendment_exercises (agent_name, seq)',
];

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
