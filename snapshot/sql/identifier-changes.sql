-- What the changed registrations state differently in their id fields: for each field the identifiers that are gone (old)
-- and those that are new. One that is not simply declared has its role behind it.
CREATE OR REPLACE TEMP TABLE identifier_changes AS
WITH stated_a AS (
  SELECT DISTINCT registry || ' ' || registration_id AS k, field,
    "type" || ' ' || "value" || CASE WHEN "role" = 'declared' THEN '' ELSE ' (' || "role" || ')' END AS stated
  FROM {identifiers_a} i SEMI JOIN registrations_kept_a r ON r.registry = i.registry AND r.id = i.registration_id
), stated_b AS (
  SELECT DISTINCT registry || ' ' || registration_id AS k, field,
    "type" || ' ' || "value" || CASE WHEN "role" = 'declared' THEN '' ELSE ' (' || "role" || ')' END AS stated
  FROM {identifiers_b} i SEMI JOIN registrations_kept_b r ON r.registry = i.registry AND r.id = i.registration_id
), moved AS (
  SELECT *, true AS gone FROM (FROM stated_a EXCEPT FROM stated_b)
  UNION ALL
  SELECT *, false FROM (FROM stated_b EXCEPT FROM stated_a)
), by_field AS (
  SELECT k, 'identifiers.' || field AS field,
    coalesce(list(stated ORDER BY stated) FILTER (gone), []) AS old,
    coalesce(list(stated ORDER BY stated) FILTER (NOT gone), []) AS new
  FROM moved GROUP BY k, field
)
SELECT k, list({'field': field, 'old': to_json(old), 'new': to_json(new)} ORDER BY field) AS fields
FROM by_field GROUP BY k;
