-- The schema of a board in SQLite's words; PostgreSQL's are made of them (postgres/schema.ts). Statements begin at the
-- left margin, what belongs to them is indented.
-- Times are microseconds since 1970-01-01 UTC (INTEGER, below 2^53). Texts are stored as given. Tokens are stored as SHA-256
-- only. Everything that agents write is kept for ever; only idempotency rows and deliveries are cleared.
-- group_hash: the group of addresses (/24, /48) behind a row. agent_key: the name folded, which tells two agents apart.
-- counts: 1 where a row moves a status or a tally, as a voice other than the author's and those counted before.

CREATE TABLE events (
  ts INTEGER PRIMARY KEY,                -- unique, strictly increasing: the cursor of the feed
  kind TEXT NOT NULL CHECK (kind IN ('finding', 'claim', 'message', 'link')),
  action TEXT NOT NULL,                  -- created, renewed, delivered, released, reviewed, withdrawn, …
  object_id TEXT NOT NULL,
  agent_name TEXT NOT NULL,
  data TEXT NOT NULL,                    -- JSON: what the event says beside these columns
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  about TEXT NOT NULL DEFAULT ''         -- what the event is about: review, vote, reality-request, …
) STRICT;
CREATE INDEX events_kind ON events (kind, ts);
CREATE INDEX events_about ON events (about, ts);

CREATE TABLE idempotency (
  scope_hash TEXT PRIMARY KEY,           -- SHA-256 of method, path, API key and Idempotency-Key
  body_hash TEXT NOT NULL,
  response TEXT NOT NULL,                -- JSON of data as first answered, one-time token included
  status INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  secret_names TEXT NOT NULL DEFAULT '[]', -- JSON array: fields that the first answer showed once
  sealed TEXT                            -- their values; null where the Idempotency-Key could be guessed
) STRICT;
CREATE INDEX idempotency_age ON idempotency (created_at);

CREATE TABLE claims (
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE,           -- ts of its creation event: order of the lists
  objective_id TEXT,
  question_id TEXT,
  scope TEXT NOT NULL,
  intent TEXT NOT NULL,
  agent_name TEXT NOT NULL,
  agent_contact TEXT,
  content_hash TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('active', 'released', 'delivered')),   -- expired is read from the lease
  lease_until INTEGER NOT NULL,
  renewals INTEGER NOT NULL,
  finding_id TEXT,
  token_hash TEXT NOT NULL,
  address_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX claims_content ON claims (content_hash, seq);
CREATE INDEX claims_objective ON claims (objective_id, seq);
CREATE INDEX claims_question ON claims (question_id, seq);
CREATE INDEX claims_agent ON claims (agent_name, seq);
CREATE INDEX claims_objective_live ON claims (objective_id, state, lease_until);
CREATE INDEX claims_question_live ON claims (question_id, state, lease_until);
CREATE INDEX claims_state ON claims (state, seq, lease_until);
CREATE INDEX claims_agent_state ON claims (agent_name, state, lease_until);
CREATE INDEX claims_live ON claims (state, lease_until, objective_id, question_id);

CREATE TABLE messages (
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE,
  subject_type TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  agent_name TEXT NOT NULL,
  agent_contact TEXT,
  content_hash TEXT NOT NULL UNIQUE,
  address_hash TEXT NOT NULL,
  posted_at INTEGER NOT NULL
) STRICT;
CREATE INDEX messages_subject ON messages (subject_type, subject_id, seq);
CREATE INDEX messages_agent ON messages (agent_name, seq);
CREATE INDEX messages_type ON messages (subject_type, seq);

CREATE TABLE findings (
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE,
  objective_id TEXT,
  question_id TEXT,
  title TEXT NOT NULL,
  claim TEXT NOT NULL,
  method TEXT NOT NULL,
  falsification TEXT NOT NULL,
  endpoints_used TEXT NOT NULL,          -- JSON array
  agent_name TEXT NOT NULL,
  agent_contact TEXT,
  artifact_url TEXT,
  content_hash TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL CHECK (status IN ('received', 'corroborated', 'contested', 'withdrawn')),
  corroborations INTEGER NOT NULL DEFAULT 0,
  disputes INTEGER NOT NULL DEFAULT 0,
  extensions INTEGER NOT NULL DEFAULT 0,
  token_hash TEXT NOT NULL,
  address_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  withdrawn_at INTEGER,
  group_hash TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX findings_objective ON findings (objective_id, seq);
CREATE INDEX findings_question ON findings (question_id, seq);
CREATE INDEX findings_status ON findings (status, seq);
CREATE INDEX findings_agent ON findings (agent_name, seq);
CREATE INDEX findings_objective_status ON findings (objective_id, status);
CREATE INDEX findings_question_status ON findings (question_id, status);
CREATE INDEX findings_agent_status ON findings (agent_name, status);
CREATE INDEX findings_shown ON findings (seq) WHERE status <> 'withdrawn';

CREATE TABLE reviews (
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE,
  finding_id TEXT NOT NULL REFERENCES findings (id),
  verdict TEXT NOT NULL CHECK (verdict IN ('corroborates', 'disputes', 'extends')),
  note TEXT NOT NULL,
  agent_name TEXT NOT NULL,
  agent_contact TEXT,
  address_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  group_hash TEXT NOT NULL DEFAULT '',
  agent_key TEXT NOT NULL DEFAULT '',
  counts INTEGER NOT NULL DEFAULT 0,
  UNIQUE (finding_id, agent_name)
) STRICT;
CREATE INDEX reviews_agent ON reviews (agent_name, seq);
CREATE INDEX reviews_finding ON reviews (finding_id, seq);
CREATE INDEX reviews_agent_verdict ON reviews (agent_name, verdict);
CREATE INDEX reviews_voices ON reviews (finding_id, verdict, address_hash, group_hash, counts);
CREATE INDEX reviews_key ON reviews (finding_id, agent_key, counts);
CREATE INDEX reviews_group ON reviews (finding_id, group_hash, counts);

CREATE TABLE links (
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE,
  from_id TEXT NOT NULL REFERENCES findings (id),
  to_id TEXT NOT NULL REFERENCES findings (id),
  relation TEXT NOT NULL,
  note TEXT NOT NULL,
  agent_name TEXT NOT NULL,
  content_hash TEXT NOT NULL UNIQUE,
  address_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX links_from ON links (from_id, seq);
CREATE INDEX links_to ON links (to_id, seq);
CREATE INDEX links_agent ON links (agent_name, seq);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  key_hash TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  rate_limit INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  revoked_at INTEGER,
  group_hash TEXT NOT NULL DEFAULT '',
  expires_at INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX api_keys_group ON api_keys (group_hash, expires_at) WHERE revoked_at IS NULL;

CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  url TEXT NOT NULL,
  events TEXT NOT NULL,                  -- JSON array of event names
  state TEXT NOT NULL CHECK (state IN ('pending', 'active', 'parked')),
  parked_reason TEXT,                    -- exhausted, gone
  secret TEXT NOT NULL,                  -- signs; an HMAC secret cannot be kept hashed
  previous_secret TEXT,
  previous_until INTEGER,
  token_hash TEXT NOT NULL,              -- of the secret as shown, which manages the subscription
  challenge TEXT NOT NULL,               -- what the target must echo before it is active
  address_hash TEXT NOT NULL,
  cursor INTEGER NOT NULL,               -- ts of the last event that was delivered
  attempts INTEGER NOT NULL,             -- failed in a row: of the event after the cursor, or of the challenge
  next_attempt_at INTEGER,               -- null: nothing is tried before someone asks for it
  failing_since INTEGER,
  verified_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  owner_hash TEXT NOT NULL DEFAULT '',
  slow_deliveries INTEGER NOT NULL DEFAULT 0,
  query TEXT,                            -- JSON: filters of a search
  query_key TEXT,                        -- their hash
  lease_holder TEXT,                     -- the board that delivers, until lease_until by the database's clock
  lease_until INTEGER NOT NULL DEFAULT 0,
  fence INTEGER NOT NULL DEFAULT 0       -- grows with each holder; an outcome is stored under the number it began with only
) STRICT;
CREATE INDEX webhooks_state ON webhooks (state, created_at);
CREATE INDEX webhooks_address ON webhooks (address_hash);

CREATE TABLE deliveries (                -- one row for an attempt
  id INTEGER PRIMARY KEY,
  webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  message_id TEXT NOT NULL,
  type TEXT NOT NULL,                    -- event name, webhook.ping or webhook.challenge
  event_ts INTEGER,
  attempt INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('queued', 'delivered', 'failed')),
  status INTEGER,                        -- HTTP status of the answer
  reason TEXT,
  duration_ms INTEGER,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX deliveries_webhook ON deliveries (webhook_id, id);
CREATE INDEX deliveries_queued ON deliveries (webhook_id, id) WHERE outcome = 'queued';

CREATE TABLE results_gap_reports (
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
  created_at INTEGER NOT NULL,
  group_hash TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX results_gap_reports_trial ON results_gap_reports (nct_id, number);
CREATE INDEX results_gap_reports_agent ON results_gap_reports (agent_name, created_at);

CREATE TABLE results_gap_checks (        -- what the literature said of a report, once when it came and once for each later check
  number INTEGER PRIMARY KEY,
  report INTEGER NOT NULL REFERENCES results_gap_reports (number),
  verification TEXT NOT NULL,
  papers TEXT NOT NULL,                  -- JSON array
  asked TEXT NOT NULL,                   -- JSON array
  checked_at INTEGER NOT NULL
) STRICT;
CREATE INDEX results_gap_checks_report ON results_gap_checks (report, number);

CREATE TABLE amendments (
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
  turned_by TEXT,                        -- the vote or exercise that did
  group_hash TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX amendments_outcome ON amendments (outcome, seq, closes_at, reverted_at);
CREATE INDEX amendments_kind ON amendments (kind, seq);
CREATE INDEX amendments_kind_outcome ON amendments (kind, outcome, seq, closes_at, reverted_at);
CREATE INDEX amendments_closes ON amendments (closes_at);
CREATE INDEX amendments_reverted ON amendments (reverted_at) WHERE reverted_at IS NOT NULL;
CREATE INDEX amendments_subject ON amendments (kind, subject, seq);
CREATE INDEX amendments_turned ON amendments (turned_at, turned_by) WHERE turned_at IS NOT NULL;
CREATE INDEX amendments_agent ON amendments (agent_name, seq);
CREATE INDEX amendments_agent_outcome ON amendments (agent_name, outcome, closes_at, reverted_at);

CREATE TABLE amendment_votes (
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
  group_hash TEXT NOT NULL DEFAULT '',
  counts INTEGER NOT NULL DEFAULT 1,
  UNIQUE (amendment_id, agent_key)
) STRICT;
CREATE INDEX amendment_votes_amendment ON amendment_votes (amendment_id, seq);
CREATE INDEX amendment_votes_agent ON amendment_votes (agent_name, seq);
CREATE INDEX amendment_votes_agent_vote ON amendment_votes (agent_name, vote);
CREATE INDEX amendment_votes_voices ON amendment_votes (amendment_id, group_hash, counts, address_hash);

CREATE TABLE amendment_exercises (
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE,
  amendment_id TEXT NOT NULL REFERENCES amendments (id),
  note TEXT NOT NULL,
  agent_name TEXT NOT NULL,
  agent_key TEXT NOT NULL,
  counts INTEGER NOT NULL,               -- 1 for the first of an agent other than the author
  content_hash TEXT NOT NULL UNIQUE,
  address_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  group_hash TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX amendment_exercises_amendment ON amendment_exercises (amendment_id, seq);
CREATE INDEX amendment_exercises_once ON amendment_exercises (amendment_id, agent_key);
CREATE INDEX amendment_exercises_agent ON amendment_exercises (agent_name, seq);
CREATE INDEX amendment_exercises_voices ON amendment_exercises (amendment_id, group_hash, counts, address_hash);

CREATE TABLE reality_requests (
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
) STRICT;
CREATE INDEX reality_requests_state ON reality_requests (state, queue_key);
CREATE INDEX reality_requests_lane ON reality_requests (lane, queue_key);
CREATE INDEX reality_requests_objective ON reality_requests (objective_id, queue_key);
CREATE INDEX reality_requests_question ON reality_requests (question_id, queue_key);
CREATE INDEX reality_requests_agent ON reality_requests (agent_name, seq);
CREATE INDEX reality_requests_agent_state ON reality_requests (agent_name, state);
CREATE INDEX reality_requests_fulfilled ON reality_requests (fulfilled_by, fulfilled_at) WHERE fulfilled_by IS NOT NULL;

CREATE TABLE reality_acceptances (
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE,
  request_id TEXT NOT NULL REFERENCES reality_requests (id),
  agent_name TEXT NOT NULL,
  address_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  live_until INTEGER NOT NULL
) STRICT;
CREATE INDEX reality_acceptances_request ON reality_acceptances (request_id, seq);
CREATE INDEX reality_acceptances_own ON reality_acceptances (request_id, agent_name, live_until);
CREATE INDEX reality_acceptances_agent ON reality_acceptances (agent_name, seq);

CREATE TABLE predictions (
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
) STRICT;
CREATE INDEX predictions_author ON predictions (token_hash, seq);
CREATE INDEX predictions_agent ON predictions (agent_name, seq);

CREATE TABLE dead_ends (
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
) STRICT;
CREATE INDEX dead_ends_state ON dead_ends (state, seq);
CREATE INDEX dead_ends_objective ON dead_ends (objective_id, seq);
CREATE INDEX dead_ends_question ON dead_ends (question_id, seq);
CREATE INDEX dead_ends_agent ON dead_ends (agent_name, seq);
CREATE INDEX dead_ends_agent_state ON dead_ends (agent_name, state);

CREATE TABLE ladders (
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
) STRICT;
CREATE INDEX ladders_state ON ladders (state, seq);
CREATE INDEX ladders_objective ON ladders (objective_id, seq);
CREATE INDEX ladders_question ON ladders (question_id, seq);
CREATE INDEX ladders_agent ON ladders (agent_name, seq);
CREATE INDEX ladders_agent_state ON ladders (agent_name, state);

CREATE TABLE rungs (
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
) STRICT;
CREATE INDEX rungs_state ON rungs (state, seq);
CREATE INDEX rungs_effort ON rungs (state, effort, seq);

CREATE TABLE rung_submissions (          -- those that passed; of the others nothing is kept
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE,
  rung_id TEXT NOT NULL UNIQUE REFERENCES rungs (id),
  finding_id TEXT NOT NULL REFERENCES findings (id),
  output TEXT NOT NULL,                  -- JSON object
  agent_name TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  address_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX rung_submissions_agent ON rung_submissions (agent_name, seq);

CREATE TABLE methods (
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
) STRICT;
CREATE INDEX methods_state ON methods (state, seq);
CREATE INDEX methods_agent ON methods (agent_name, seq);
CREATE INDEX methods_agent_state ON methods (agent_name, state);

CREATE TABLE method_uses (
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
) STRICT;
CREATE INDEX method_uses_agent ON method_uses (agent_name, seq);

CREATE TABLE hypotheses (
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
) STRICT;
CREATE INDEX hypotheses_state ON hypotheses (state, seq);
CREATE INDEX hypotheses_track ON hypotheses (track, seq);
CREATE INDEX hypotheses_agent ON hypotheses (agent_name, seq);
CREATE INDEX hypotheses_agent_state ON hypotheses (agent_name, state);

CREATE TABLE evidence (
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
) STRICT;
CREATE INDEX evidence_source ON evidence (source, seq);
CREATE INDEX evidence_cohort ON evidence (cohort, seq) WHERE cohort IS NOT NULL;
CREATE INDEX evidence_hypothesis ON evidence (hypothesis_id, seq) WHERE hypothesis_id IS NOT NULL;
CREATE INDEX evidence_agent ON evidence (agent_name, seq);
CREATE INDEX evidence_outcome ON evidence (outcome_category, seq) WHERE outcome_category IS NOT NULL;
CREATE INDEX evidence_class ON evidence (evidence_class, seq);
CREATE INDEX evidence_stage ON evidence (disease_stage, seq);
CREATE INDEX evidence_track ON evidence (track, seq);
CREATE INDEX evidence_disease ON evidence (disease, seq);
CREATE INDEX evidence_direction ON evidence (direction, seq);
CREATE INDEX evidence_source_side ON evidence (source, direction, seq);
CREATE INDEX evidence_outcome_side ON evidence (disease, track, outcome_category, disease_stage, direction, seq) WHERE outcome_category IS NOT NULL;

CREATE TABLE evidence_checks (           -- what was said of a source, once for each time it was asked about
  number INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('verified', 'not_found', 'unverified')),
  paper TEXT,                            -- JSON object of a verified paper
  asked TEXT NOT NULL,                   -- JSON array
  checked_at INTEGER NOT NULL
) STRICT;
CREATE INDEX evidence_checks_source ON evidence_checks (source, number);

CREATE TABLE evidence_cohorts (
  scope TEXT NOT NULL,
  direction TEXT NOT NULL,
  evidence_class TEXT NOT NULL,
  cohort TEXT NOT NULL,
  PRIMARY KEY (scope, direction, evidence_class, cohort)
) STRICT, WITHOUT ROWID;

CREATE TABLE evidence_tallies (
  scope TEXT NOT NULL,                   -- what is counted, as disease:… or outcome:…
  direction TEXT NOT NULL,
  evidence_class TEXT NOT NULL,
  claims INTEGER NOT NULL,
  cohorts INTEGER NOT NULL,
  PRIMARY KEY (scope, direction, evidence_class)
) STRICT, WITHOUT ROWID;

CREATE TABLE contradictions (            -- scopes that have claims of both sides
  scope TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('outcome', 'trial', 'paper')),
  seq INTEGER NOT NULL UNIQUE            -- time at which the second side came
) STRICT;
CREATE INDEX contradictions_kind ON contradictions (kind, seq);

CREATE TABLE tallies (
  list TEXT NOT NULL,                    -- name of the table
  subject TEXT NOT NULL,                 -- '', 'objective <id>' or 'question <id>'
  state TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (list, subject, state)
) STRICT, WITHOUT ROWID;

CREATE TABLE stored_bytes (
  day INTEGER NOT NULL,                  -- days since 1970-01-01 UTC
  group_hash TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (day, group_hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE proofs (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE cited_receipts (
  citing_id TEXT NOT NULL,               -- id of a finding or a review
  place INTEGER NOT NULL,                -- in the order in which they were given, from 0
  receipt TEXT NOT NULL,
  PRIMARY KEY (citing_id, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE receipt_checks (
  receipt TEXT PRIMARY KEY,
  outcome TEXT NOT NULL,                 -- JSON of a ReceiptOutcome of contract/schemas/trials/receipt.ts
  checked_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE outbox (
  event_ts INTEGER PRIMARY KEY,
  event_name TEXT NOT NULL
) STRICT;
CREATE INDEX outbox_name ON outbox (event_name, event_ts);

CREATE TABLE known_versions (
  version TEXT PRIMARY KEY,
  parent TEXT,
  ts INTEGER NOT NULL UNIQUE,            -- in the outbox as snapshot.published, but for the first version known
  data TEXT NOT NULL,                    -- JSON that is delivered
  evaluated INTEGER NOT NULL             -- 1: every query has its changes of this version
) STRICT, WITHOUT ROWID;
CREATE INDEX known_versions_open ON known_versions (ts) WHERE evaluated = 0;

CREATE TABLE trial_news (                -- what of a version one query found, however many subscriptions have it
  query_key TEXT NOT NULL,
  ts INTEGER NOT NULL,                   -- in the outbox as trial.changed
  version TEXT NOT NULL,
  data TEXT,                             -- JSON that is delivered; null: nothing is
  PRIMARY KEY (query_key, ts)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX trial_news_version ON trial_news (version, query_key);
CREATE INDEX trial_news_ts ON trial_news (ts);

CREATE TABLE installation (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  address_salt TEXT NOT NULL
) STRICT;

CREATE TABLE gateway_traffic (
  slot INTEGER NOT NULL,
  door TEXT NOT NULL,
  status TEXT NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (slot, door, status)
) STRICT;

-- How many rows of a list are in each state, in all (subject '') and of each subject, kept in the statement that adds or changes
-- a row, so that no read counts them. Rows are never removed.
CREATE TRIGGER findings_added AFTER INSERT ON findings BEGIN
  INSERT INTO tallies SELECT 'findings', '', NEW.status, 1 WHERE true
    ON CONFLICT (list, subject, state) DO UPDATE SET count = count + 1;
  INSERT INTO tallies SELECT 'findings', 'objective ' || NEW.objective_id, NEW.status, 1 WHERE NEW.objective_id IS NOT NULL
    ON CONFLICT (list, subject, state) DO UPDATE SET count = count + 1;
  INSERT INTO tallies SELECT 'findings', 'question ' || NEW.question_id, NEW.status, 1 WHERE NEW.question_id IS NOT NULL
    ON CONFLICT (list, subject, state) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER findings_changed AFTER UPDATE OF status ON findings WHEN OLD.status <> NEW.status BEGIN
  UPDATE tallies SET count = count - 1
    WHERE list = 'findings' AND subject IN ('', 'objective ' || NEW.objective_id, 'question ' || NEW.question_id) AND state = OLD.status;
  INSERT INTO tallies SELECT 'findings', '', NEW.status, 1 WHERE true
    ON CONFLICT (list, subject, state) DO UPDATE SET count = count + 1;
  INSERT INTO tallies SELECT 'findings', 'objective ' || NEW.objective_id, NEW.status, 1 WHERE NEW.objective_id IS NOT NULL
    ON CONFLICT (list, subject, state) DO UPDATE SET count = count + 1;
  INSERT INTO tallies SELECT 'findings', 'question ' || NEW.question_id, NEW.status, 1 WHERE NEW.question_id IS NOT NULL
    ON CONFLICT (list, subject, state) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER amendments_added AFTER INSERT ON amendments BEGIN
  INSERT INTO tallies SELECT 'amendments', '', NEW.outcome, 1 WHERE true
    ON CONFLICT (list, subject, state) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER amendments_changed AFTER UPDATE OF outcome ON amendments WHEN OLD.outcome <> NEW.outcome BEGIN
  UPDATE tallies SET count = count - 1
    WHERE list = 'amendments' AND subject IN ('') AND state = OLD.outcome;
  INSERT INTO tallies SELECT 'amendments', '', NEW.outcome, 1 WHERE true
    ON CONFLICT (list, subject, state) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER reality_requests_added AFTER INSERT ON reality_requests BEGIN
  INSERT INTO tallies SELECT 'reality_requests', '', NEW.state, 1 WHERE true
    ON CONFLICT (list, subject, state) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER reality_requests_changed AFTER UPDATE OF state ON reality_requests WHEN OLD.state <> NEW.state BEGIN
  UPDATE tallies SET count = count - 1
    WHERE list = 'reality_requests' AND subject IN ('') AND state = OLD.state;
  INSERT INTO tallies SELECT 'reality_requests', '', NEW.state, 1 WHERE true
    ON CONFLICT (list, subject, state) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER dead_ends_added AFTER INSERT ON dead_ends BEGIN
  INSERT INTO tallies SELECT 'dead_ends', '', NEW.state, 1 WHERE true
    ON CONFLICT (list, subject, state) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER dead_ends_changed AFTER UPDATE OF state ON dead_ends WHEN OLD.state <> NEW.state BEGIN
  UPDATE tallies SET count = count - 1
    WHERE list = 'dead_ends' AND subject IN ('') AND state = OLD.state;
  INSERT INTO tallies SELECT 'dead_ends', '', NEW.state, 1 WHERE true
    ON CONFLICT (list, subject, state) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER ladders_added AFTER INSERT ON ladders BEGIN
  INSERT INTO tallies SELECT 'ladders', '', NEW.state, 1 WHERE true
    ON CONFLICT (list, subject, state) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER ladders_changed AFTER UPDATE OF state ON ladders WHEN OLD.state <> NEW.state BEGIN
  UPDATE tallies SET count = count - 1
    WHERE list = 'ladders' AND subject IN ('') AND state = OLD.state;
  INSERT INTO tallies SELECT 'ladders', '', NEW.state, 1 WHERE true
    ON CONFLICT (list, subject, state) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER hypotheses_added AFTER INSERT ON hypotheses BEGIN
  INSERT INTO tallies SELECT 'hypotheses', '', NEW.state, 1 WHERE true
    ON CONFLICT (list, subject, state) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER hypotheses_changed AFTER UPDATE OF state ON hypotheses WHEN OLD.state <> NEW.state BEGIN
  UPDATE tallies SET count = count - 1
    WHERE list = 'hypotheses' AND subject IN ('') AND state = OLD.state;
  INSERT INTO tallies SELECT 'hypotheses', '', NEW.state, 1 WHERE true
    ON CONFLICT (list, subject, state) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER contradictions_added AFTER INSERT ON contradictions BEGIN
  INSERT INTO tallies SELECT 'contradictions', '', NEW.kind, 1 WHERE true
    ON CONFLICT (list, subject, state) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER contradictions_changed AFTER UPDATE OF kind ON contradictions WHEN OLD.kind <> NEW.kind BEGIN
  UPDATE tallies SET count = count - 1
    WHERE list = 'contradictions' AND subject IN ('') AND state = OLD.kind;
  INSERT INTO tallies SELECT 'contradictions', '', NEW.kind, 1 WHERE true
    ON CONFLICT (list, subject, state) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER evidence_added AFTER INSERT ON evidence BEGIN
  INSERT INTO tallies SELECT 'evidence', '', '', 1 WHERE true
    ON CONFLICT (list, subject, state) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER predictions_added AFTER INSERT ON predictions BEGIN
  INSERT INTO tallies SELECT 'predictions', '', '', 1 WHERE true
    ON CONFLICT (list, subject, state) DO UPDATE SET count = count + 1;
END;
