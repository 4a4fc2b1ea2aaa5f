import { type Kysely, sql } from 'kysely';

/** Claims, checks and hypotheses are only ever added to; a hypothesis alone changes, and only its state. */
const STATEMENTS = [
  `CREATE TABLE hypotheses (
     id TEXT PRIMARY KEY,
     seq INTEGER NOT NULL UNIQUE,
     state TEXT NOT NULL CHECK (state IN ('proposed', 'gathering')),
     title TEXT NOT NULL,
     disease TEXT NOT NULL,
     track TEXT NOT NULL,
     question TEXT NOT NULL,
     rationale TEXT NOT NULL,
     predictions TEXT NOT NULL,             -- JSON array of {prediction, falsifier}
     agent_name TEXT NOT NULL,
     agent_contact TEXT,
     content_hash TEXT NOT NULL UNIQUE,
     address_hash TEXT NOT NULL,
     created_at INTEGER NOT NULL
   ) STRICT`,
  'CREATE INDEX hypotheses_state ON hypotheses (state, seq)',
  'CREATE INDEX hypotheses_track ON hypotheses (track, seq)',
  'CREATE INDEX hypotheses_agent ON hypotheses (agent_name, seq)',
  `CREATE TABLE evidence (
     id TEXT PRIMARY KEY,
     seq INTEGER NOT NULL UNIQUE,
     claim_text TEXT NOT NULL,
     disease TEXT NOT NULL,
     track TEXT NOT NULL,
     disease_stage TEXT NOT NULL,
     direction TEXT NOT NULL CHECK (direction IN ('supports', 'contradicts', 'neutral')),
     evidence_class TEXT NOT NULL,
     outcome_category TEXT,
     source TEXT NOT NULL,                  -- kind, a colon and the id in its one form
     value REAL,
     units TEXT,
     denominator INTEGER,
     follow_up TEXT,
     population TEXT,
     cohort_key TEXT,
     cohort TEXT,                           -- the cohort key folded: what is counted once
     hypothesis_id TEXT REFERENCES hypotheses (id),
     agent_name TEXT NOT NULL,
     agent_contact TEXT,
     content_hash TEXT NOT NULL UNIQUE,
     address_hash TEXT NOT NULL,
     created_at INTEGER NOT NULL
   ) STRICT`,
  'CREATE INDEX evidence_source ON evidence (source, seq)',
  'CREATE INDEX evidence_cohort ON evidence (cohort, seq) WHERE cohort IS NOT NULL',
  'CREATE INDEX evidence_hypothesis ON evidence (hypothesis_id, seq) WHERE hypothesis_id IS NOT NULL',
  'CREATE INDEX evidence_agent ON evidence (agent_name, seq)',
  'CREATE INDEX evidence_outcome ON evidence (outcome_category, seq) WHERE outcome_category IS NOT NULL',
  'CREATE INDEX evidence_class ON evidence (evidence_class, seq)',
  'CREATE INDEX evidence_stage ON evidence (disease_stage, seq)',
  'CREATE INDEX evidence_track ON evidence (track, seq)',
  'CREATE INDEX evidence_disease ON evidence (disease, seq)',
  'CREATE INDEX evidence_direction ON evidence (direction, seq)',
  // One side of a contradiction.
  'CREATE INDEX evidence_source_side ON evidence (source, direction, seq)',
  'CREATE INDEX evidence_outcome_side ON evidence (disease, track, outcome_category, disease_stage, direction, seq) WHERE outcome_category IS NOT NULL',
  `CREATE TABLE evidence_checks (           -- what was said of a source, once for each time it was asked about
     number INTEGER PRIMARY KEY,
     source TEXT NOT NULL,
     state TEXT NOT NULL CHECK (state IN ('verified', 'not_found', 'unverified')),
     paper TEXT,                            -- JSON object of a verified paper
     asked TEXT NOT NULL,                   -- JSON array
     checked_at INTEGER NOT NULL
   ) STRICT`,
  'CREATE INDEX evidence_checks_source ON evidence_checks (source, number)',
  // Counts are kept as claims come, so that no read counts them; '' stands for every direction or class.
  `CREATE TABLE evidence_cohorts (
     scope TEXT NOT NULL,
     direction TEXT NOT NULL,
     evidence_class TEXT NOT NULL,
     cohort TEXT NOT NULL,
     PRIMARY KEY (scope, direction, evidence_class, cohort)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE evidence_tallies (
     scope TEXT NOT NULL,                   -- what is counted, as disease:… or outcome:…
     direction TEXT NOT NULL,
     evidence_class TEXT NOT NULL,
     claims INTEGER NOT NULL,
     cohorts INTEGER NOT NULL,
     PRIMARY KEY (scope, direction, evidence_class)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE contradictions (            -- scopes that have claims of both sides
     scope TEXT PRIMARY KEY,
     kind TEXT NOT NULL CHECK (kind IN ('outcome', 'trial', 'paper')),
     seq INTEGER NOT NULL UNIQUE            -- time at which the second side came
   ) STRICT`,
  'CREATE INDEX contradictions_kind ON contradictions (kind, seq)',
];

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
