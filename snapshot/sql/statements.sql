-- What registrations state on one side only in a table of statements (identifiers, publications), by value: order and number of equal
-- statements do not count. Values are read of registrations that differ, and of those whose statements have another sum of hashes.
CREATE TEMP TABLE {table}_differing AS
SELECT registration_id FROM (
  SELECT registration_id, sum(hash({field}, {columns})::HUGEINT) AS state FROM {table}_a GROUP BY registration_id
  UNION ALL
  SELECT registration_id, sum(hash({field}, {columns})::HUGEINT) FROM {table}_b GROUP BY registration_id
) GROUP BY registration_id HAVING count(*) <> 2 OR min(state) <> max(state)
UNION
SELECT id FROM registrations_kept_a
UNION
SELECT id FROM registrations_kept_b;

CREATE TEMP TABLE {table}_moves AS
WITH stated_a AS (
  SELECT DISTINCT registry, registration_id, {field} AS field, {value} AS stated
  FROM {table}_a SEMI JOIN {table}_differing USING (registration_id)
), stated_b AS (
  SELECT DISTINCT registry, registration_id, {field} AS field, {value} AS stated
  FROM {table}_b SEMI JOIN {table}_differing USING (registration_id)
)
SELECT *, true AS gone FROM (FROM stated_a EXCEPT FROM stated_b)
UNION ALL
SELECT *, false FROM (FROM stated_b EXCEPT FROM stated_a);
