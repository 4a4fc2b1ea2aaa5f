-- Faults of the normalised tables: a registration that is there twice, or an identifier of one that is missing.
SELECT 'there are ' || count(*) || ' registrations ' || id AS fault
FROM registrations
GROUP BY id
HAVING count(*) > 1
UNION ALL
SELECT DISTINCT 'identifier ' || s."value" || ' is stated by ' || s.registration_id || ', which is not held'
FROM stated_identifiers s
ANTI JOIN registrations r ON r.registry = s.registry AND r.id = s.registration_id
ORDER BY fault
LIMIT 5;
