-- What registrations state on one side only in a table of statements (identifiers, publications). Values are read only of
-- registrations whose record or reading differs, and of those whose statements have another sum of hashes.
CREATE TEMP TABLE {kind}_touched AS
SELECT coalesce(a.registration_id, b.registration_id) AS registration_id
FROM (SELECT registration_id, sum(hash({field}, {columns})::HUGEINT) AS hashes FROM {source_a} GROUP BY ALL) a
FULL JOIN (SELECT registration_id, sum(hash({field}, {columns})::HUGEINT) AS hashes FROM {source_b} GROUP BY ALL) b
  ON a.registration_id = b.registration_id
WHERE a.hashes IS DISTINCT FROM b.hashes
UNION
SELECT id FROM registrations_kept_a
UNION
SELECT id FROM registrations_kept_b;

CREATE TEMP TABLE {kind}_moves AS
WITH stated_a AS (
  SELECT DISTINCT registry, registration_id, {field} AS field, {value} AS stated
  FROM {source_a} SEMI JOIN {kind}_touched USING (registration_id)
), stated_b AS (
  SELECT DISTINCT registry, registration_id, {field} AS field, {value} AS stated
  FROM {source_b} SEMI JOIN {kind}_touched USING (registration_id)
)
SELECT *, true AS gone FROM (FROM stated_a EXCEPT FROM stated_b)
UNION ALL
SELECT *, false FROM (FROM stated_b EXCEPT FROM stated_a);
