-- The trials whose rows in the wide tables differ between both snapshots; for a parent whose row hashes are unknown. A
-- changed payload is found by its SHA-256: a registry's text cannot be made to look unchanged.
CREATE TABLE main.differing_trials AS
WITH
ours AS (
  SELECT canonical_id, hash(t) AS state FROM main.trials t
  UNION ALL
  SELECT m.canonical_id, hash(r) + md5_number_lower(r.registry || r.payload_sha256)::UHUGEINT
  FROM main.registrations r JOIN main.members m ON m.registry = r.registry AND m.registration_id = r.id
),
theirs AS (
  SELECT canonical_id, hash(t) AS state FROM parent.trials t
  UNION ALL
  SELECT m.canonical_id, hash(r) + md5_number_lower(r.registry || r.payload_sha256)::UHUGEINT
  FROM parent.registrations r
  JOIN (
    SELECT canonical_id, 'clinicaltrials_gov' AS registry, ctgov_id AS id FROM parent.trials WHERE ctgov_id IS NOT NULL
    UNION ALL
    SELECT canonical_id, 'isrctn', isrctn_id FROM parent.trials WHERE isrctn_id IS NOT NULL
  ) m USING (registry, id)
)
SELECT canonical_id
FROM (SELECT canonical_id, sum(state) AS state FROM ours GROUP BY canonical_id) a
LEFT JOIN (SELECT canonical_id, sum(state) AS state FROM theirs GROUP BY canonical_id) b USING (canonical_id)
WHERE a.state IS DISTINCT FROM b.state;
