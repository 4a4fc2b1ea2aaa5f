-- The held registration that a registry id means. The number of a superseded record, held or not, means the record that superseded it; a number that
-- several records claim means its own record if that is held, else none.
CREATE OR REPLACE TEMP TABLE dedup_targets AS
SELECT r.registry, r.id AS "value", coalesce(r.superseded_by, r.id) AS target
FROM registrations r
UNION ALL
SELECT s.registry, s."number", s.target
FROM dedup_successors s
ANTI JOIN registrations r ON r.registry = s.registry AND r.id = s."number"
WHERE s.target IS NOT NULL;

-- Stated identifiers of the two registries, each with the registration that stands for the one that states it, and the registration it means;
-- null when that is not held.
CREATE OR REPLACE TEMP VIEW dedup_stated AS
SELECT s.*, named.registry AS named_registry, t.target, own.target AS stands_for
FROM stated_identifiers s
LEFT JOIN (VALUES ('nct', 'clinicaltrials_gov'), ('isrctn', 'isrctn')) AS named ("type", registry)
  ON named."type" = s."type"
LEFT JOIN dedup_targets t ON t.registry = named.registry AND t."value" = s."value"
JOIN dedup_targets own ON own.registry = s.registry AND own."value" = s.registration_id;
