-- Cross references to records of the other registry that are not held.
SELECT count(*)::DOUBLE AS unresolved
FROM (
  SELECT DISTINCT registry, registration_id, "type", "value"
  FROM dedup_stated
  WHERE "role" IN ('declared', 'repaired') AND named_registry <> registry AND target IS NULL
);
