-- All trials with their rows: last update newest first (a month counts as its last day), trials without one last, then
-- canonical id.
CREATE TABLE trial_rows AS
SELECT
  canonical_id,
  aliases,
  ctgov_id,
  isrctn_id,
  CAST(row_number() OVER (
    ORDER BY CASE WHEN updated_month THEN last_day(updated) ELSE updated END DESC NULLS LAST, canonical_id
  ) - 1 AS INTEGER) AS "row"
FROM (
  SELECT
    canonical_id,
    aliases,
    ctgov_id,
    isrctn_id,
    -- Both arms of a CASE are evaluated, so a month is made a day before it is cast.
    CAST(rpad(last_updated_date."date", 10, '-01') AS DATE) AS updated,
    last_updated_date."precision" = 'month' AS updated_month
  FROM trials
);

CREATE TABLE members AS
SELECT 'clinicaltrials_gov' AS registry, ctgov_id AS registration_id, "row", canonical_id
FROM trial_rows WHERE ctgov_id IS NOT NULL
UNION ALL
SELECT 'isrctn', isrctn_id, "row", canonical_id
FROM trial_rows WHERE isrctn_id IS NOT NULL;

-- Records that count no more, with the trial of the record that superseded each.
CREATE TABLE superseded_members AS
SELECT r.registry, r.id AS registration_id, m."row", m.canonical_id, r.superseded_by
FROM registrations r JOIN members m ON m.registry = r.registry AND m.registration_id = r.superseded_by
WHERE r.superseded_by IS NOT NULL;

CREATE VIEW all_members AS
FROM members
UNION ALL
SELECT registry, registration_id, "row", canonical_id FROM superseded_members;
