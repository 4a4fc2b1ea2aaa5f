-- One row per canonical trial. ClinicalTrials.gov's value is shown where it speaks, else ISRCTN's; what each registry
-- says by itself stays in `registrations`. Values that only make sense together are taken together from one side.

CREATE OR REPLACE TEMP MACRO speaks(word) AS coalesce(word NOT IN ('unknown', 'not-stated'), false);
CREATE OR REPLACE TEMP MACRO pick_word(c, i) AS
  CASE WHEN speaks(c) THEN c WHEN speaks(i) THEN i ELSE coalesce(c, i) END;
CREATE OR REPLACE TEMP MACRO pick_list(c, i) AS
  CASE WHEN len(c) > 0 THEN c WHEN len(i) > 0 THEN i ELSE coalesce(c, i) END;

-- Everything about a trial but what its registrations say. Narrow tables, not views: the planner cannot guess how many
-- rows a recursion or a grouping gives and would else build its hash tables from the wide side, beyond any memory limit.
-- UNION drops what was seen before, so that a ring of aliases would end.
CREATE OR REPLACE TEMP TABLE canonical_aliases AS
WITH RECURSIVE steps(alias, target) AS (
  SELECT canonical_id, alias_of FROM canonical_ids WHERE state = 'alias'
  UNION
  SELECT steps.alias, next.alias_of
  FROM steps JOIN canonical_ids next ON next.canonical_id = steps.target AND next.state = 'alias'
)
SELECT target AS canonical_id, list(alias ORDER BY alias) AS aliases FROM steps GROUP BY target;

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
  -- The side that a compound value is taken from: true for ClinicalTrials.gov. The last test keeps the side that is there.
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
  coalesce(c.title, i.title) AS title,
  coalesce(c.official_title, i.official_title) AS official_title,
  coalesce(c.acronym, i.acronym) AS acronym,
  CASE WHEN status_c THEN c.status ELSE i.status END AS status,
  CASE WHEN status_c THEN c.recruitment_status ELSE i.recruitment_status END AS recruitment_status,
  CASE WHEN status_c THEN c.status_basis ELSE i.status_basis END AS status_basis,
  pick_word(c.phase, i.phase) AS phase,
  pick_word(c.study_type, i.study_type) AS study_type,
  CASE WHEN sponsor_c THEN c.sponsor_name ELSE i.sponsor_name END AS sponsor_name,
  CASE WHEN sponsor_c THEN c.sponsor_class ELSE i.sponsor_class END AS sponsor_class,
  CASE WHEN enrollment_c THEN c.enrollment_count ELSE i.enrollment_count END AS enrollment_count,
  CASE WHEN enrollment_c THEN c.enrollment_type ELSE i.enrollment_type END AS enrollment_type,
  CASE WHEN enrollment_c THEN c.enrollment_note ELSE i.enrollment_note END AS enrollment_note,
  pick_list(c.countries, i.countries) AS countries,
  pick_list(c.conditions, i.conditions) AS conditions,
  pick_list(c.interventions, i.interventions) AS interventions,
  pick_list(c.primary_endpoints, i.primary_endpoints) AS primary_endpoints,
  coalesce(c.start_date, i.start_date) AS start_date,
  coalesce(c.primary_completion_date, i.primary_completion_date) AS primary_completion_date,
  coalesce(c.completion_date, i.completion_date) AS completion_date,
  -- Dates are YYYY-MM or YYYY-MM-DD, so that text order is time order.
  CASE
    WHEN i.first_posted_date."date" < c.first_posted_date."date" THEN i.first_posted_date
    ELSE coalesce(c.first_posted_date, i.first_posted_date)
  END AS first_posted_date,
  CASE
    WHEN i.last_updated_date."date" > c.last_updated_date."date" THEN i.last_updated_date
    ELSE coalesce(c.last_updated_date, i.last_updated_date)
  END AS last_updated_date,
  coalesce(c.results_posted_date, i.results_posted_date) AS results_posted_date,
  coalesce(c.results_available, false) OR coalesce(i.results_available, false) AS results_available,
  CASE WHEN results_c THEN c.results_basis ELSE i.results_basis END AS results_basis
FROM trial_sides s;
