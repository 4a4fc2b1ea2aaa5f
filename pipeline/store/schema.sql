-- Tables of the working database (data/work/pipeline.duckdb) that snapshots do not publish. The published ones are made
-- before, by contract/fields/snapshot-tables.ts. Each stage replaces the content of its tables in one transaction, so that
-- a killed stage leaves the state of its last complete run.

-- The fields of contract/fields/registry-fields.ts.
CREATE TABLE IF NOT EXISTS registrations (
  {registration_columns},
  raw_part VARCHAR NOT NULL               -- file under data/work/raw-parts that holds the payload
);

CREATE TABLE IF NOT EXISTS stated_identifiers AS
SELECT * EXCLUDE (in_index, resolves_to) FROM identifiers LIMIT 0;

-- Which payload each registration was read from, so that only what changed is read again.
CREATE TABLE IF NOT EXISTS known_payloads (
  registry VARCHAR NOT NULL,
  id VARCHAR NOT NULL,
  payload_sha256 VARCHAR NOT NULL,
  updated VARCHAR NOT NULL,               -- sortable last update; empty where the registry states none
  normaliser_version INTEGER NOT NULL,
  valid_from VARCHAR NOT NULL,            -- as-of days for which the row holds: from the one on, before the other
  valid_until VARCHAR NOT NULL
);

CREATE TABLE IF NOT EXISTS trial_members (
  canonical_id VARCHAR NOT NULL,
  registry VARCHAR NOT NULL,
  registration_id VARCHAR NOT NULL,
  founding BOOLEAN NOT NULL
);

-- The items of each feed over all runs, until they are 400 days old.
CREATE TABLE IF NOT EXISTS signal_items AS
SELECT source, id, url, "domain", title, summary, published_at, date_basis, first_seen_at FROM signals LIMIT 0;

-- The state of each feed, with the validators for its next conditional request.
CREATE TABLE IF NOT EXISTS feed_states (
  feed VARCHAR NOT NULL,
  address VARCHAR NOT NULL,
  reader_version INTEGER NOT NULL,
  etag VARCHAR,
  last_modified VARCHAR,
  body_sha256 VARCHAR,
  last_success_at VARCHAR,
  last_attempt_at VARCHAR,
  last_error VARCHAR,                     -- null when the last attempt succeeded
  refused INTEGER,                        -- counts of the last good answer
  undated INTEGER,
  future INTEGER
);

CREATE TABLE IF NOT EXISTS stage_state (
  stage VARCHAR NOT NULL,
  completed_at VARCHAR NOT NULL,
  inputs VARCHAR NOT NULL,                -- JSON: what it was made from (raw runs, versions, as-of date)
  report VARCHAR NOT NULL                 -- JSON: the stage's report
);
