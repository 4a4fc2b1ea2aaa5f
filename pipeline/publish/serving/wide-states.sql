-- The wide rows in full. A payload that changed is told by its SHA-256: a registry's text cannot be made to look unchanged.
SELECT canonical_id, hash(t) AS state FROM trials t
UNION ALL
SELECT m.canonical_id, hash(r) FROM registrations r JOIN members m ON m.registry = r.registry AND m.registration_id = r.id
UNION ALL
SELECT m.canonical_id, md5_number_lower(r.registry || r.payload_sha256)
FROM registrations r JOIN members m ON m.registry = r.registry AND m.registration_id = r.id
