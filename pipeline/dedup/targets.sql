-- The held registration that a registry id means. A record with that id goes before a record with it as alias; an alias
-- of two records means neither.
CREATE OR REPLACE TEMP TABLE dedup_targets AS
WITH aliases AS (
  SELECT DISTINCT registry, unnest(aliases) AS "value", id FROM registrations
)
SELECT registry, id AS "value", id AS target
FROM registrations
UNION ALL
SELECT a.registry, a."value", min(a.id)
FROM aliases a
WHERE NOT EXISTS (SELECT 1 FROM registrations r WHERE r.registry = a.registry AND r.id = a."value")
GROUP BY a.registry, a."value"
HAVING count(*) = 1;

-- Stated identifiers of the two registries, each with the registration it means; null when that is not held.
CREATE OR REPLACE TEMP VIEW dedup_stated AS
SELECT s.*, named.registry AS named_registry, t.target
FROM stated_identifiers s
LEFT JOIN (VALUES ('nct', 'clinicaltrials_gov'), ('isrctn', 'isrctn')) AS named ("type", registry)
  ON named."type" = s."type"
LEFT JOIN dedup_targets t ON t.registry = named.registry AND t."value" = s."value";
