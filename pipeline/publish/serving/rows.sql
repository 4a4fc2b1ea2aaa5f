-- One row per trial with the columns of rows.arrow by their names (snapshot/format/serving-columns.ts), and the name of its sponsor. NULL
-- stands for a number that is not stated, and for a word that is in no vocabulary.
WITH stated AS (
  SELECT m."row", m.registry, r.minimum_age, r.maximum_age, {presence} AS presence,
    -- Only completed interventional registrations are in the results gap.
    CASE WHEN r.study_type <> 'interventional' OR r.status <> 'completed' THEN {outside}
      WHEN r.results_available THEN {withResults} ELSE {withoutResults} END AS gap,
    -- Their clock runs from the primary completion, else from the completion.
    CASE WHEN gap <> {outside} THEN last_day_number(coalesce(r.primary_completion_date, r.completion_date)) END AS gap_day
  FROM registrations r JOIN members m ON m.registry = r.registry AND m.registration_id = r.id
), linked AS (
  -- A link inside a registry leads to a superseded record and joins no registrations.
  SELECT touching."row", bit_or(
    CASE WHEN l.conflict THEN {conflict} ELSE 0 END | CASE
      WHEN l.verdict <> 'accepted' OR l.from_registry = l.to_registry THEN 0
      WHEN l.direction = 'mutual' THEN {mutual}
      WHEN l.direction = 'one-way' THEN {oneWay}
      ELSE {shared}
    END
  ) AS flags
  FROM links l JOIN touching_links touching USING (link_id)
  GROUP BY touching."row"
), unresolved AS (
  SELECT m."row", count(DISTINCT (i.registration_id, i."value")) AS ids
  FROM identifiers i JOIN members m ON m.registry = i.registry AND m.registration_id = i.registration_id
  WHERE i."role" IN ('declared', 'repaired') AND NOT i.in_index
    AND (i.registry, i."type") IN (('clinicaltrials_gov', 'isrctn'), ('isrctn', 'nct'))
  GROUP BY m."row"
)
SELECT
  m."row",
  t.sponsor_name,
  list_position({statuses}, t.status) - 1 AS status,
  list_position({recruitmentStatuses}, t.recruitment_status) - 1 AS recruitment,
  list_position({phases}, t.phase) - 1 AS phase,
  list_position({studyTypes}, t.study_type) - 1 AS "studyType",
  list_position({sponsorClasses}, t.sponsor_class) - 1 AS "sponsorClass",
  CAST(t.ctgov_id IS NOT NULL AS INTEGER) + 2 * CAST(t.isrctn_id IS NOT NULL AS INTEGER) AS registries,
  t.results_available AS results,
  t.start_day - DATE '1970-01-01' AS "startFirst",
  last_day_number(t.start_date) AS "startLast",
  t.completion_day - DATE '1970-01-01' AS "completionFirst",
  last_day_number(t.completion_date) AS "completionLast",
  t.last_updated_day - DATE '1970-01-01' AS "updatedFirst",
  last_day_number(t.last_updated_date) AS "updatedLast",
  t.first_posted_day - DATE '1970-01-01' AS "postedFirst",
  t.primary_completion_day - DATE '1970-01-01' AS "primaryCompletionFirst",
  last_day_number(t.primary_completion_date) AS "primaryCompletionLast",
  t.results_posted_day - DATE '1970-01-01' AS "resultsPostedFirst",
  -- Both limits come from one registration: one that states the youngest age only has no limit above.
  coalesce(c.minimum_age, c.maximum_age) IS NOT NULL AS ages_of_first,
  coalesce(floor(CASE WHEN ages_of_first THEN c.minimum_age ELSE i.minimum_age END), {noAge}) AS "minAge",
  coalesce(floor(CASE WHEN ages_of_first THEN c.maximum_age ELSE i.maximum_age END), {noAge}) AS "maxAge",
  -- A count beyond 32 bits cannot be a number of people: the record keeps it, sums leave it out.
  CASE WHEN t.enrollment_count <= 2147483647 THEN t.enrollment_count END AS enrollment,
  coalesce(linked.flags, 0) AS links,
  coalesce(unresolved.ids, 0) AS unresolved,
  coalesce(c.presence, 0) AS presence0,
  coalesce(i.presence, 0) AS presence1,
  coalesce(c.gap, {outside}) AS gap0,
  coalesce(i.gap, {outside}) AS gap1,
  c.gap_day AS "gapDay0",
  i.gap_day AS "gapDay1"
FROM trials t
JOIN trial_rows m USING (canonical_id)
LEFT JOIN stated c ON c."row" = m."row" AND c.registry = 'clinicaltrials_gov'
LEFT JOIN stated i ON i."row" = m."row" AND i.registry = 'isrctn'
LEFT JOIN linked ON linked."row" = m."row"
LEFT JOIN unresolved ON unresolved."row" = m."row"
