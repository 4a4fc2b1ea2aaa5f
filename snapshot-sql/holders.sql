-- The trial of each registration that a change names: in the later snapshot, or in the earlier where it is gone.
CREATE TEMP TABLE holders AS
WITH named AS (
  SELECT id FROM registrations_kept_a
  UNION SELECT id FROM registrations_kept_b
  UNION SELECT from_id FROM links_kept_a UNION SELECT to_id FROM links_kept_a
  UNION SELECT from_id FROM links_kept_b UNION SELECT to_id FROM links_kept_b
  UNION SELECT registration_id FROM identifier_moves
  UNION SELECT registration_id FROM publication_moves
)
SELECT id, arg_min(canonical_id, place) AS canonical_id
FROM (
  SELECT unnest([ctgov_id, isrctn_id]) AS id, canonical_id, 1 AS place FROM trials_b
  UNION ALL
  SELECT unnest([ctgov_id, isrctn_id]), canonical_id, 2 FROM trials_a
) SEMI JOIN named USING (id)
GROUP BY id;
