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
  END AS people_c,
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
  with_others(c.countries, i.countries) AS all_countries,
  with_others(c.conditions, i.conditions) AS all_conditions,
  with_others(c.interventions, i.interventions) AS all_interventions,
  list_filter(with_others([c.sponsor_name], [i.sponsor_name]), lambda name: name IS NOT NULL) AS all_sponsor_names,
  {merged_columns}
FROM trial_sides s;
