INSERT INTO identifiers
SELECT registry, registration_id, "type", "value", "role", field, raw_value, suspect, target IS NOT NULL, target
FROM dedup_stated;
