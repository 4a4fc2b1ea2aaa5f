CREATE MACRO first_day(stated) AS CAST(rpad(stated."date", 10, '-01') AS DATE);
-- The last day that a date covers, since 1970-01-01; a month is made a day before it is cast, since both arms of a CASE are evaluated.
CREATE MACRO last_day_number(stated) AS
  CASE WHEN stated."precision" = 'month' THEN last_day(first_day(stated)) ELSE first_day(stated) END - DATE '1970-01-01';

-- All trials with their rows: last update newest first (a month counts as its last day), trials without one last, then
-- canonical id.
CREATE TABLE trial_rows AS
SELECT canonical_id, aliases, ctgov_id, isrctn_id,
  CAST(row_number() OVER (ORDER BY last_day_number(last_updated_date) DESC NULLS LAST, canonical_id) - 1 AS INTEGER) AS "row"
FROM trials;

CREATE TABLE members AS
SELECT 'clinicaltrials_gov' AS registry, ctgov_id AS registration_id, "row", canonical_id
FROM trial_rows WHERE ctgov_id IS NOT NULL
UNION ALL
SELECT 'isrctn', isrctn_id, "row", canonical_id
FROM trial_rows WHERE isrctn_id IS NOT NULL;

-- The members, and records that count no more with the trial of the record that superseded each.
CREATE TABLE all_members AS
FROM members
UNION ALL
SELECT r.registry, r.id, m."row", m.canonical_id
FROM registrations r JOIN members m ON m.registry = r.registry AND m.registration_id = r.superseded_by
WHERE r.superseded_by IS NOT NULL;

-- The rows that a link leads from or to.
CREATE TABLE touching_links AS
SELECT l.link_id, m."row" FROM links l JOIN all_members m ON m.registry = l.from_registry AND m.registration_id = l.from_id
UNION
SELECT l.link_id, m."row" FROM links l JOIN all_members m ON m.registry = l.to_registry AND m.registration_id = l.to_id;
