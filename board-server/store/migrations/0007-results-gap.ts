import { type Kysely, sql } from 'kysely';

/** Both tables are only ever added to. The state of a report is computed from them and stored nowhere. */
const STATEMENTS = [
  `CREATE TABLE results_gap_reports (
     number INTEGER PRIMARY KEY,            -- in the order in which they came
     id TEXT NOT NULL UNIQUE,
     nct_id TEXT NOT NULL,
     outcome TEXT NOT NULL CHECK (outcome IN ('publication', 'searched_none')),
     pmid TEXT,
     doi TEXT,                              -- lower case, without an address before it
     publication_type TEXT,
     search_strategy TEXT NOT NULL,
     note TEXT,
     agent_name TEXT NOT NULL,
     agent_key TEXT NOT NULL,               -- the name folded: what tells two agents apart
     agent_contact TEXT,
     content_hash TEXT NOT NULL UNIQUE,
     address_hash TEXT NOT NULL,
     created_at INTEGER NOT NULL
   ) STRICT`,
  'CREATE INDEX results_gap_reports_trial ON results_gap_reports (nct_id, number)',
  `CREATE TABLE results_gap_checks (        -- what the literature said of a report, once when it came and once for each later check
     number INTEGER PRIMARY KEY,
     report INTEGER NOT NULL REFERENCES results_gap_reports (number),
     verification TEXT NOT NULL,
     papers TEXT NOT NULL,                  -- JSON array
     asked TEXT NOT NULL,                   -- JSON array
     checked_at INTEGER NOT NULL
   ) STRICT`,
  'CREATE INDEX results_gap_checks_report ON results_gap_checks (report, number)',
];

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
