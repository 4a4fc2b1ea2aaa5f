-- Every statement that two held registrations belong together, in the shape of Evidence (evidence.ts).
WITH holders AS (
  -- Holders of each EudraCT, EU CT or UTN number, one row per holder; a superseded record and the one that superseded it are one holder. A record
  -- that states the number in several fields appears with the first field, and with its own before that of a record that it superseded; `relates`
  -- where it says of the number in each of them that it is another study's. A number whose check part is odd (suspect) identifies nothing.
  SELECT "type", "value", registry, stands_for AS id,
    min({'superseded': registration_id <> stands_for, 'by': registration_id, 'field': field, 'raw_value': raw_value}) AS stated,
    bool_and("role" = 'related') AS relates
  FROM dedup_stated
  WHERE "type" IN ('eudract', 'euct', 'utn') AND NOT suspect
  GROUP BY "type", "value", registry, stands_for
),
numbers AS (
  -- The numbers that records of both registries hold, with the first holder of each that does not call it another study's, else the first one.
  SELECT "type", "value", count(*) AS holders,
    count(*) FILTER (registry = 'clinicaltrials_gov' AND NOT relates) = 1
      AND count(*) FILTER (registry = 'isrctn' AND NOT relates) = 1 AS counts,
    coalesce(min(id) FILTER (registry = 'clinicaltrials_gov' AND NOT relates), min(id) FILTER (registry = 'clinicaltrials_gov')) AS first_ctgov,
    coalesce(min(id) FILTER (registry = 'isrctn' AND NOT relates), min(id) FILTER (registry = 'isrctn')) AS first_isrctn
  FROM holders
  GROUP BY "type", "value"
  HAVING count(DISTINCT registry) > 1
)
SELECT DISTINCT 'explicit-cross-reference' AS kind,
  CASE WHEN "role" = 'repaired' THEN 'read-by-repair'
    WHEN registry = 'isrctn' THEN 'declared-by-isrctn' ELSE 'declared-by-clinicaltrials-gov' END AS rule,
  {'registry': registry, 'id': registration_id} AS "from", {'registry': registry, 'id': stands_for} AS "standsFor",
  {'registry': named_registry, 'id': target} AS "to", field, raw_value AS "rawValue",
  NULL AS "toField", NULL AS "toRawValue", "type" AS "identifierType", "value" AS "identifierValue",
  true AS counts, "role" = 'related' AS relates
FROM dedup_stated
WHERE "role" NOT IN ('own', 'alias') AND target IS NOT NULL AND target <> stands_for
UNION ALL
-- Each pair of holders up to ten of them; above, each holder with the first one of the other registry, so that links grow linearly.
SELECT 'shared-identifier', 'shared-' || c."type",
  {'registry': c.registry, 'id': c.stated."by"}, {'registry': c.registry, 'id': c.id}, {'registry': i.registry, 'id': i.id},
  c.stated.field, c.stated.raw_value, i.stated.field, i.stated.raw_value, c."type", c."value", n.counts, c.relates OR i.relates
FROM numbers n
JOIN holders c ON c."type" = n."type" AND c."value" = n."value" AND c.registry = 'clinicaltrials_gov'
JOIN holders i ON i."type" = n."type" AND i."value" = n."value" AND i.registry = 'isrctn'
WHERE n.holders <= 10 OR c.id = n.first_ctgov OR i.id = n.first_isrctn;
