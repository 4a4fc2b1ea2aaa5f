-- Holders of each EudraCT, EU CT or UTN number that records of both registries hold, one row per holder; a superseded record and the one that
-- superseded it are one holder. A record that states the number in several fields appears with the first field, and with its own before that of
-- a record that it superseded; `relates` where it says of the number in each of them that it is another study's. A number whose check part is odd
-- (suspect) identifies nothing.
WITH holders AS (
  SELECT "type", "value", registry, stands_for AS id,
    min({'superseded': registration_id <> stands_for, 'by': registration_id, 'field': field, 'raw_value': raw_value}) AS stated,
    bool_and("role" = 'related') AS relates
  FROM dedup_stated
  WHERE "type" IN ('eudract', 'euct', 'utn') AND NOT suspect
  GROUP BY "type", "value", registry, stands_for
)
SELECT "type", "value", registry, id, stated."by" AS "by", stated.field AS field, stated.raw_value AS raw_value, relates
FROM holders
SEMI JOIN (SELECT "type", "value" FROM holders GROUP BY "type", "value" HAVING count(DISTINCT registry) > 1) AS both_sides
  USING ("type", "value")
ORDER BY "type", "value", registry, id;
