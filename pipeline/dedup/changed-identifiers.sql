-- Hashes of the rows that `identifiers` holds more or less often than they are stated now. Rows are compared by value, so
-- that no registry's text can pass for another; the hash only finds them again. An equal row by hash is written back.
CREATE OR REPLACE TEMP TABLE dedup_changed AS
SELECT DISTINCT hash(registry, registration_id, "type", "value", "role", field, raw_value, suspect, in_index, resolves_to)
  AS content
FROM (
  SELECT registry, registration_id, "type", "value", "role", field, raw_value, suspect, target IS NOT NULL AS in_index,
    target AS resolves_to, 1 AS more
  FROM dedup_stated
  UNION ALL
  SELECT registry, registration_id, "type", "value", "role", field, raw_value, suspect, in_index, resolves_to, -1
  FROM identifiers
)
GROUP BY registry, registration_id, "type", "value", "role", field, raw_value, suspect, in_index, resolves_to
HAVING sum(more) <> 0;

DELETE FROM identifiers
WHERE hash(registry, registration_id, "type", "value", "role", field, raw_value, suspect, in_index, resolves_to)
  IN (SELECT content FROM dedup_changed);

INSERT INTO identifiers
SELECT registry, registration_id, "type", "value", "role", field, raw_value, suspect, target IS NOT NULL, target
FROM dedup_stated
WHERE hash(registry, registration_id, "type", "value", "role", field, raw_value, suspect, target IS NOT NULL, target)
  IN (SELECT content FROM dedup_changed);
