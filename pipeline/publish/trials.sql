-- One row per canonical trial: ClinicalTrials.gov's value where it states one, else ISRCTN's. Values that only make
-- sense together are taken from the same registry. Each registry's own values stay in `registrations`.

CREATE OR REPLACE TEMP MACRO speaks(word) AS coalesce(word NOT IN ('unknown', 'not-stated'), false);
-- The items of both lists, those of the second that the first has too left out.
CREATE OR REPLACE TEMP MACRO with_others(c, i) AS
  CASE WHEN c IS NULL THEN i WHEN i IS NULL THEN c ELSE list_concat(c, list_filter(i, lambda item: NOT list_contains(c, item))) END;

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
