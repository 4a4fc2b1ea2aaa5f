-- Hashes of the rows that `identifiers` holds more or fewer of than are stated now.
CREATE OR REPLACE TEMP TABLE dedup_changed AS
SELECT content
FROM (
  SELECT hash(registry, registration_id, "type", "value", "role", field, raw_value, suspect, target IS NOT NULL, target)
    AS content, 1 AS more
  FROM dedup_stated
  UNION ALL
  SELECT hash(registry, registration_id, "type", "value", "role", field, raw_value, suspect, in_index, resolves_to), -1
  FROM identifiers
)
GROUP BY content
HAVING sum(more) <> 0;

DELETE FROM identifiers
WHERE hash(registry, registration_id, "type", "value", "role", field, raw_value, suspect, in_index, resolves_to)
  IN (SELECT content FROM dedup_changed);

INSERT INTO identifiers
SELECT registry, registration_id, "type", "value", "role", field, raw_value, suspect, target IS NOT NULL, target
FROM dedup_stated
WHERE hash(registry, registration_id, "type", "value", "role", field, raw_value, suspect, target IS NOT NULL, target)
  IN (SELECT content FROM dedup_changed);
