-- Tables of the working database (data/work/pipeline.duckdb). Each stage owns the tables under its heading and
-- replaces their content in one transaction, so that a killed stage leaves the state of its last complete run.

-- normalise -------------------------------------------------------------------------------------------------------
-- The fields of contract/fields/registry-fields.ts.
CREATE TABLE IF NOT EXISTS registrations (
  {registration_columns},
  raw_part VARCHAR NOT NULL               -- file under data/work/raw-parts that holds the payload
);

CREATE TABLE IF NOT EXISTS stated_identifiers (
  registry VARCHAR NOT NULL,
  registration_id VARCHAR NOT NULL,
  "type" VARCHAR NOT NULL,
  "value" VARCHAR NOT NULL,
  "role" VARCHAR NOT NULL,                -- own | alias | declared | repaired | related
  field VARCHAR NOT NULL,
  raw_value VARCHAR NOT NULL,
  suspect BOOLEAN NOT NULL
);

CREATE TABLE IF NOT EXISTS publications (
  registry VARCHAR NOT NULL,
  registration_id VARCHAR NOT NULL,
  ordinal INTEGER NOT NULL,
  kind VARCHAR NOT NULL,
  kind_raw VARCHAR,
  pmid VARCHAR,
  doi VARCHAR,
  url VARCHAR,
  citation VARCHAR,
  "year" INTEGER,
  retracted BOOLEAN NOT NULL
);

CREATE TABLE IF NOT EXISTS quarantine (
  registry VARCHAR NOT NULL,
  id VARCHAR,
  reason VARCHAR NOT NULL,
  detail VARCHAR NOT NULL,
  excerpt VARCHAR NOT NULL,
  "file" VARCHAR NOT NULL                 -- name in its raw set; empty for a record that is older than the published one
);

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

-- dedup -----------------------------------------------------------------------------------------------------------
CREATE TABLE IF NOT EXISTS links (
  link_id VARCHAR NOT NULL,               -- `ln_` + 12 base32 characters of a hash of the row's key columns
  from_registry VARCHAR NOT NULL,         -- the side that declares; for shared identifiers the ClinicalTrials.gov side
  from_id VARCHAR NOT NULL,
  to_registry VARCHAR NOT NULL,
  to_id VARCHAR NOT NULL,
  kind VARCHAR NOT NULL,                  -- explicit-cross-reference | shared-identifier
  rule VARCHAR NOT NULL,                  -- id in data/rules/dedup.json
  field VARCHAR NOT NULL,
  raw_value VARCHAR NOT NULL,
  to_field VARCHAR,                       -- shared identifiers: the field on the other side
  to_raw_value VARCHAR,
  identifier_type VARCHAR NOT NULL,
  identifier_value VARCHAR NOT NULL,
  direction VARCHAR NOT NULL,             -- one-way | mutual | shared
  verdict VARCHAR NOT NULL,               -- accepted | rejected
  reason VARCHAR,                         -- why rejected; null when accepted
  conflict BOOLEAN NOT NULL
);

CREATE TABLE IF NOT EXISTS trial_members (
  canonical_id VARCHAR NOT NULL,
  registry VARCHAR NOT NULL,
  registration_id VARCHAR NOT NULL,
  founding BOOLEAN NOT NULL
);

CREATE TABLE IF NOT EXISTS relations (
  from_registry VARCHAR NOT NULL,
  from_id VARCHAR NOT NULL,
  to_registry VARCHAR NOT NULL,
  to_id VARCHAR NOT NULL,
  kind VARCHAR NOT NULL,                  -- related
  reason VARCHAR NOT NULL,                -- a rule that rejects (pipeline/dedup/rules.ts)
  link_id VARCHAR NOT NULL
);

-- Every canonical id that was ever given, so that old ids keep resolving.
CREATE TABLE IF NOT EXISTS canonical_ids (
  canonical_id VARCHAR NOT NULL,
  founding_registry VARCHAR NOT NULL,
  founding_id VARCHAR NOT NULL,
  state VARCHAR NOT NULL,                 -- current | alias | retired | divided
  alias_of VARCHAR,
  first_seen VARCHAR NOT NULL,            -- ISO 8601; left out of roots
  partner_id VARCHAR                      -- the registration that the founder shared the trial with; kept when they part
);

-- The identifiers as snapshots publish them, with whether the index holds them.
CREATE TABLE IF NOT EXISTS identifiers (
  registry VARCHAR NOT NULL,
  registration_id VARCHAR NOT NULL,
  "type" VARCHAR NOT NULL,
  "value" VARCHAR NOT NULL,
  "role" VARCHAR NOT NULL,
  field VARCHAR NOT NULL,
  raw_value VARCHAR NOT NULL,
  suspect BOOLEAN NOT NULL,
  in_index BOOLEAN NOT NULL,              -- a record with this registry id is held (for nct and isrctn; else false)
  resolves_to VARCHAR                     -- the held registration id (after alias resolution)
);

-- signals ---------------------------------------------------------------------------------------------------------
-- The items of each feed over all runs, until they are 400 days old.
CREATE TABLE IF NOT EXISTS signal_items (
  source VARCHAR NOT NULL,                -- feed id
  id VARCHAR NOT NULL,
  url VARCHAR,
  "domain" VARCHAR,
  title VARCHAR NOT NULL,
  summary VARCHAR,
  published_at VARCHAR,                   -- ISO 8601 UTC
  date_basis VARCHAR NOT NULL,            -- published | updated | first_seen
  first_seen_at VARCHAR NOT NULL          -- left out of roots
);

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

-- The classified items, each once, as snapshots publish them.
CREATE TABLE IF NOT EXISTS signals (
  id VARCHAR NOT NULL,                    -- 16 hex digits of a hash of the address, else of feed and identifier
  source VARCHAR NOT NULL,
  publisher VARCHAR NOT NULL,
  "language" VARCHAR NOT NULL,
  url VARCHAR,
  title VARCHAR NOT NULL,
  summary VARCHAR,
  published_at VARCHAR,
  first_seen_at VARCHAR NOT NULL,
  date_basis VARCHAR NOT NULL,
  category VARCHAR NOT NULL,
  "domain" VARCHAR,
  capital VARCHAR,                        -- M | I | N | D; null where no term matched
  capital_terms VARCHAR[] NOT NULL,
  lexicon_class VARCHAR,
  class_terms VARCHAR[] NOT NULL
);

-- bookkeeping -----------------------------------------------------------------------------------------------------
CREATE TABLE IF NOT EXISTS stage_state (
  stage VARCHAR NOT NULL,
  completed_at VARCHAR NOT NULL,
  inputs VARCHAR NOT NULL,                -- JSON: what it was made from (raw runs, versions, as-of date)
  report VARCHAR NOT NULL                 -- JSON: the stage's report
);
