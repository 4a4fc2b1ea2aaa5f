-- The trial of each registration: in the later snapshot, or in the earlier where it is gone. A superseded registration
-- belongs to the trial of the one in its place.
CREATE TEMP TABLE holders AS
WITH members AS (
  SELECT unnest([ctgov_id, isrctn_id]) AS id, canonical_id, 1 AS place FROM trials_b
  UNION ALL
  SELECT unnest([ctgov_id, isrctn_id]), canonical_id, 2 FROM trials_a
), superseded AS (
  SELECT id, superseded_by, 1 AS place FROM registrations_b WHERE superseded_by IS NOT NULL
  UNION ALL
  SELECT id, superseded_by, 2 FROM registrations_a WHERE superseded_by IS NOT NULL
)
SELECT id, arg_min(canonical_id, place) AS canonical_id
FROM (
  FROM members WHERE id IS NOT NULL
  UNION ALL
  SELECT s.id, m.canonical_id, s.place FROM superseded s JOIN members m ON m.id = s.superseded_by AND m.place = s.place
)
GROUP BY id;
