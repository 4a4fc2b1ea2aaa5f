-- Cross references to records of the other registry that are not held; those of superseded records do not count.
SELECT count(*)::DOUBLE AS unresolved
FROM (
  SELECT DISTINCT registry, registration_id, "type", "value"
  FROM dedup_stated
  WHERE "role" IN ('declared', 'repaired') AND named_registry <> registry AND target IS NULL
    AND registration_id = stands_for
);
