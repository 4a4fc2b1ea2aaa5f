-- The wide rows where those that differ in what is hashed are named already: what is left is what no value hash holds.
SELECT m.canonical_id, hash(r.registry, r.id, r.retrieved_at) AS state
FROM registrations r JOIN members m ON m.registry = r.registry AND m.registration_id = r.id
