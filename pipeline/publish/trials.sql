-- One row per canonical trial: ClinicalTrials.gov's value where it states one, else ISRCTN's. Values that only make
-- sense together are taken from the same registry. Each registry's own values stay in `registrations`.

CREATE OR REPLACE TEMP MACRO speaks(word) AS coalesce(word NOT IN ('unknown', 'not-stated'), false);
CREATE OR REPLACE TEMP MACRO pick_word(c, i) AS
  CASE WHEN speaks(c) THEN c WHEN speaks(i) THEN i ELSE coalesce(c, i) END;
CREATE OR REPLACE TEMP MACRO pick_list(c, i) AS
  CASE WHEN len(c) > 0 THEN c WHEN len(i) > 0 THEN i ELSE coalesce(c, i) END;

-- A trial without the values of its registrations. These are narrow tables and not views: the planner cannot guess how
-- many rows a recursion or a grouping gives, and would build its hash tables from the wide side, beyond any memory
-- limit. UNION drops rows seen before, so that a ring of aliases ends too.
CREATE OR REPLACE TEMP TABLE canonical_aliases AS
WITH RECURSIVE steps(alias, target) AS (
  SELECT canonical_id, alias_of FROM canonical_ids WHERE state = 'alias'
  UNION
  SELECT steps.alias, next.alias_of
  FROM steps JOIN canonical_ids next ON next.canonical_id = steps.target AND next.state = 'alias'
)
, divided AS (
  -- A divided id leads to the trials of both registrations that it was cited with.
  SELECT DISTINCT c.canonical_id AS alias, m.canonical_id AS target
  FROM (SELECT canonical_id, unnest([founding_id, partner_id]) AS named FROM canonical_ids WHERE state = 'divided') c
  JOIN (SELECT id, unnest(list_append(aliases, id)) AS named FROM registrations) r USING (named)
  JOIN trial_members m ON m.registration_id = r.id
), leads AS (
  SELECT alias, target FROM steps
  UNION
  SELECT alias, target FROM divided
  UNION
  SELECT steps.alias, divided.target FROM steps JOIN divided ON divided.alias = steps.target
)
SELECT target AS canonical_id, list(alias ORDER BY alias) AS aliases FROM leads GROUP BY target;

CREATE OR REPLACE TEMP TABLE trial_heads AS
SELECT
  m.canonical_id,
  coalesce(any_value(a.aliases), []::VARCHAR[]) AS aliases,
  max(m.registration_id) FILTER (m.registry = 'clinicaltrials_gov') AS ctgov_id,
  max(m.registration_id) FILTER (m.registry = 'isrctn') AS isrctn_id,
  any_value(f.founding_registry) AS founding_registry,
  any_value(f.founding_id) AS founding_id
FROM trial_members m
JOIN canonical_ids f ON f.canonical_id = m.canonical_id AND f.state = 'current'
LEFT JOIN canonical_aliases a ON a.canonical_id = m.canonical_id
GROUP BY m.canonical_id;

CREATE OR REPLACE TEMP VIEW trial_sides AS
SELECT
  p.canonical_id, p.aliases, p.ctgov_id, p.isrctn_id, p.founding_registry, p.founding_id, c, i,
  -- The side that a compound value is taken from: true for ClinicalTrials.gov. ELSE takes the side that exists.
  CASE WHEN speaks(c.status) THEN true WHEN speaks(i.status) THEN false ELSE p.ctgov_id IS NOT NULL END AS status_c,
  CASE
    WHEN c.sponsor_name IS NOT NULL OR speaks(c.sponsor_class) THEN true
    WHEN i.sponsor_name IS NOT NULL OR speaks(i.sponsor_class) THEN false
    ELSE p.ctgov_id IS NOT NULL
  END AS sponsor_c,
  CASE
    WHEN c.enrollment_count IS NOT NULL THEN true
    WHEN i.enrollment_count IS NOT NULL THEN false
    WHEN c.enrollment_note IS NOT NULL THEN true
    WHEN i.enrollment_note IS NOT NULL THEN false
    ELSE p.ctgov_id IS NOT NULL
  END AS enrollment_c,
  CASE
    WHEN c.results_available THEN true
    WHEN i.results_available THEN false
    ELSE p.ctgov_id IS NOT NULL
  END AS results_c
FROM trial_heads p
LEFT JOIN (SELECT * EXCLUDE (eligibility_text) FROM registrations WHERE registry = 'clinicaltrials_gov') c
  ON c.id = p.ctgov_id
LEFT JOIN (SELECT * EXCLUDE (eligibility_text) FROM registrations WHERE registry = 'isrctn') i ON i.id = p.isrctn_id;

CREATE OR REPLACE TEMP VIEW merged_trials AS
SELECT
  s.canonical_id,
  s.aliases,
  s.ctgov_id,
  s.isrctn_id,
  list_filter(
    [CASE WHEN s.ctgov_id IS NOT NULL THEN 'clinicaltrials_gov' END, CASE WHEN s.isrctn_id IS NOT NULL THEN 'isrctn' END],
    lambda registry: registry IS NOT NULL
  ) AS registries,
  s.founding_registry,
  s.founding_id,
  {origins} AS origins,
  {merged_columns}
FROM trial_sides s;
