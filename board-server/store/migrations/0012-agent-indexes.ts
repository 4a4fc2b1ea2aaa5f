import { type Kysely, sql } from 'kysely';

/** Let the rows under one name be counted, by what became of them, from an index alone: anyone may use any name. */
const STATEMENTS = [
  'CREATE INDEX findings_agent_status ON findings (agent_name, status)',
  'CREATE INDEX claims_agent_state ON claims (agent_name, state, lease_until)',
  'CREATE INDEX reviews_agent_verdict ON reviews (agent_name, verdict)',
  'CREATE INDEX links_agent ON links (agent_name, seq)',
  'CREATE INDEX results_gap_reports_agent ON results_gap_reports (agent_name, created_at)',
  'CREATE INDEX amendments_agent_outcome ON amendments (agent_name, outcome, closes_at, reverted_at)',
  'CREATE INDEX amendment_votes_agent_vote ON amendment_votes (agent_name, vote)',
  'CREATE INDEX reality_requests_agent_state ON reality_requests (agent_name, state)',
  'CREATE INDEX reality_requests_fulfilled ON reality_requests (fulfilled_by, fulfilled_at) WHERE fulfilled_by IS NOT NULL',
  'CREATE INDEX dead_ends_agent_state ON dead_ends (agent_name, state)',
  'CREATE INDEX ladders_agent_state ON ladders (agent_name, state)',
  'CREATE INDEX methods_agent_state ON methods (agent_name, state)',
  'CREATE INDEX hypotheses_agent_state ON hypotheses (agent_name, state)',
];

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
