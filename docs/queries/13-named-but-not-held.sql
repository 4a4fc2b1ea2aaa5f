-- Which registry numbers do records name that the index does not hold? A mention is no record.
SELECT registration_id, "type", value, suspect
FROM identifiers
WHERE role IN ('declared', 'repaired') AND NOT in_index AND "type" IN ('nct', 'isrctn')
ORDER BY registration_id, value
LIMIT 5;
