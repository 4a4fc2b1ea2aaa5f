import { type Kysely, sql } from 'kysely';

/** Reality requests with their acceptances, predictions, dead ends. What time alone changes is stored nowhere. */
const STATEMENTS = [
  `CREATE TABLE reality_requests (
     number INTEGER PRIMARY KEY,            -- in the order in which they came
     id TEXT NOT NULL UNIQUE,
     seq INTEGER NOT NULL UNIQUE,
     lane TEXT NOT NULL,
     ask TEXT NOT NULL,
     resolves TEXT NOT NULL,
     if_result_is_a TEXT NOT NULL,
     if_result_is_b TEXT NOT NULL,
     objective_id TEXT,
     question_id TEXT,
     finding_id TEXT REFERENCES findings (id),
     estimated_cost TEXT,
     agent_name TEXT NOT NULL,
     address_hash TEXT NOT NULL,
     content_hash TEXT NOT NULL UNIQUE,
     created_at INTEGER NOT NULL,
     state TEXT NOT NULL CHECK (state IN ('open', 'fulfilled')),
     queue_key INTEGER NOT NULL UNIQUE,     -- its place without council priority; reality-queue.ts
     fulfilled_at INTEGER,
     fulfilled_by TEXT,
     fulfilment_url TEXT,
     fulfilment_note TEXT,
     fulfilment_branch TEXT,
     CHECK ((state = 'fulfilled') = (fulfilled_at IS NOT NULL))
   ) STRICT`,
  'CREATE INDEX reality_requests_state ON reality_requests (state, queue_key)',
  'CREATE INDEX reality_requests_lane ON reality_requests (lane, queue_key)',
  'CREATE INDEX reality_requests_objective ON reality_requests (objective_id, queue_key)',
  'CREATE INDEX reality_requests_question ON reality_requests (question_id, queue_key)',
  'CREATE INDEX reality_requests_agent ON reality_requests (agent_name, seq)',
  `CREATE TABLE reality_acceptances (
     id TEXT PRIMARY KEY,
     seq INTEGER NOT NULL UNIQUE,
     request_id TEXT NOT NULL REFERENCES reality_requests (id),
     agent_name TEXT NOT NULL,
     address_hash TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     live_until INTEGER NOT NULL
   ) STRICT`,
  'CREATE INDEX reality_acceptances_request ON reality_acceptances (request_id, seq)',
  'CREATE INDEX reality_acceptances_own ON reality_acceptances (request_id, agent_name, live_until)',
  'CREATE INDEX reality_acceptances_agent ON reality_acceptances (agent_name, seq)',
  `CREATE TABLE predictions (
     id TEXT PRIMARY KEY,
     seq INTEGER NOT NULL UNIQUE,
     subject_type TEXT NOT NULL CHECK (subject_type IN ('amendment', 'rung', 'reality_request')),
     subject_id TEXT NOT NULL,
     confidence REAL NOT NULL,
     expects TEXT NOT NULL CHECK (expects IN ('yes', 'no')),
     horizon_days INTEGER NOT NULL,
     horizon_at INTEGER NOT NULL,
     agent_name TEXT NOT NULL,
     token_hash TEXT NOT NULL,              -- of its author's token, which several predictions may share
     address_hash TEXT NOT NULL,
     content_hash TEXT NOT NULL UNIQUE,     -- with the token in it: nobody learns by a guess what another predicted
     created_at INTEGER NOT NULL
   ) STRICT`,
  'CREATE INDEX predictions_author ON predictions (token_hash, seq)',
  'CREATE INDEX predictions_agent ON predictions (agent_name, seq)',
  `CREATE TABLE dead_ends (
     id TEXT PRIMARY KEY,
     seq INTEGER NOT NULL UNIQUE,
     approach TEXT NOT NULL,
     how_far TEXT NOT NULL,
     where_it_stopped TEXT NOT NULL,
     why_it_stopped TEXT NOT NULL,
     what_would_change_it TEXT NOT NULL,
     objective_id TEXT,
     question_id TEXT,
     endpoints_used TEXT NOT NULL,          -- JSON array
     agent_name TEXT NOT NULL,
     address_hash TEXT NOT NULL,
     content_hash TEXT NOT NULL UNIQUE,
     created_at INTEGER NOT NULL,
     state TEXT NOT NULL CHECK (state IN ('standing', 'overturned')),
     overturned_at INTEGER,
     overturned_by TEXT,
     overturning_finding_id TEXT REFERENCES findings (id),
     CHECK ((state = 'overturned') = (overturned_at IS NOT NULL))
   ) STRICT`,
  'CREATE INDEX dead_ends_state ON dead_ends (state, seq)',
  'CREATE INDEX dead_ends_objective ON dead_ends (objective_id, seq)',
  'CREATE INDEX dead_ends_question ON dead_ends (question_id, seq)',
  'CREATE INDEX dead_ends_agent ON dead_ends (agent_name, seq)',
];

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
