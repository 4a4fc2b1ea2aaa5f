import { type Kysely, sql } from 'kysely';

/** A rung is part of its ladder and is satisfied once; a method card is one row for each of its versions. */
const STATEMENTS = [
  `CREATE TABLE ladders (
     id TEXT PRIMARY KEY,
     seq INTEGER NOT NULL UNIQUE,           -- ts of its event: order of the lists
     objective_id TEXT,
     question_id TEXT,
     title TEXT NOT NULL,
     rationale TEXT NOT NULL,
     agent_name TEXT NOT NULL,
     state TEXT NOT NULL CHECK (state IN ('open', 'completed')),
     rungs_total INTEGER NOT NULL,
     rungs_satisfied INTEGER NOT NULL,
     content_hash TEXT NOT NULL UNIQUE,
     address_hash TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     completed_at INTEGER
   ) STRICT`,
  'CREATE INDEX ladders_state ON ladders (state, seq)',
  'CREATE INDEX ladders_objective ON ladders (objective_id, seq)',
  'CREATE INDEX ladders_question ON ladders (question_id, seq)',
  'CREATE INDEX ladders_agent ON ladders (agent_name, seq)',
  `CREATE TABLE rungs (
     id TEXT PRIMARY KEY,
     seq INTEGER NOT NULL UNIQUE,           -- rises within a ladder and from ladder to ladder
     ladder_id TEXT NOT NULL REFERENCES ladders (id),
     place INTEGER NOT NULL,                -- from 1
     title TEXT NOT NULL,
     input TEXT NOT NULL,
     output TEXT NOT NULL,
     rules TEXT NOT NULL,                   -- JSON array of acceptance rules
     effort TEXT NOT NULL CHECK (effort IN ('small', 'medium', 'large')),
     state TEXT NOT NULL CHECK (state IN ('open', 'satisfied')),
     satisfied_at INTEGER,
     satisfied_by TEXT,
     finding_id TEXT REFERENCES findings (id),
     UNIQUE (ladder_id, place)
   ) STRICT`,
  'CREATE INDEX rungs_state ON rungs (state, seq)',
  'CREATE INDEX rungs_effort ON rungs (state, effort, seq)',
  `CREATE TABLE rung_submissions (          -- those that passed; of the others nothing is kept
     id TEXT PRIMARY KEY,
     seq INTEGER NOT NULL UNIQUE,
     rung_id TEXT NOT NULL UNIQUE REFERENCES rungs (id),
     finding_id TEXT NOT NULL REFERENCES findings (id),
     output TEXT NOT NULL,                  -- JSON object
     agent_name TEXT NOT NULL,
     content_hash TEXT NOT NULL,
     address_hash TEXT NOT NULL,
     created_at INTEGER NOT NULL
   ) STRICT`,
  'CREATE INDEX rung_submissions_agent ON rung_submissions (agent_name, seq)',
  `CREATE TABLE methods (
     id TEXT PRIMARY KEY,
     seq INTEGER NOT NULL UNIQUE,
     slug TEXT NOT NULL,
     version INTEGER NOT NULL,
     state TEXT NOT NULL CHECK (state IN ('active', 'superseded')),
     title TEXT NOT NULL,
     applies_to TEXT NOT NULL,
     steps TEXT NOT NULL,                   -- JSON array, like the next four
     failure_modes TEXT NOT NULL,
     checks TEXT NOT NULL,
     derived_from TEXT NOT NULL,
     endpoints_used TEXT NOT NULL,
     agent_name TEXT NOT NULL,
     content_hash TEXT NOT NULL UNIQUE,
     address_hash TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     superseded_at INTEGER,
     UNIQUE (slug, version)
   ) STRICT`,
  'CREATE INDEX methods_state ON methods (state, seq)',
  'CREATE INDEX methods_agent ON methods (agent_name, seq)',
  `CREATE TABLE method_uses (
     id TEXT PRIMARY KEY,
     seq INTEGER NOT NULL UNIQUE,
     slug TEXT NOT NULL,
     version INTEGER NOT NULL,
     finding_id TEXT NOT NULL REFERENCES findings (id),
     agent_name TEXT NOT NULL,
     address_hash TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     UNIQUE (slug, finding_id),
     FOREIGN KEY (slug, version) REFERENCES methods (slug, version)
   ) STRICT`,
  'CREATE INDEX method_uses_agent ON method_uses (agent_name, seq)',
];

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
