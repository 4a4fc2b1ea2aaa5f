-- What became of the trials that are on one side only.

-- Ids that became aliases of a trial of the later snapshot, or of both trials where the id was divided.
CREATE TEMP TABLE merged AS
SELECT s.k, string_agg(b.canonical_id, ', ' ORDER BY b.canonical_id) AS into_id
FROM trials_states s JOIN (SELECT canonical_id, unnest(aliases) AS alias FROM trials_b) b ON b.alias = s.k
WHERE s.in_a AND NOT s.in_b
GROUP BY s.k;

-- New trials with a registration that another trial held before, when that trial still exists without it or its
-- id was divided.
CREATE TEMP TABLE split AS
WITH members_before AS (
  SELECT canonical_id, unnest([ctgov_id, isrctn_id]) AS registration FROM trials_a
), members_new AS (
  SELECT s.k, unnest([b.ctgov_id, b.isrctn_id]) AS registration
  FROM trials_states s JOIN trials_b b ON b.canonical_id = s.k
  WHERE s.in_b AND NOT s.in_a
)
SELECT n.k, list(DISTINCT o.canonical_id ORDER BY o.canonical_id) AS out_of
FROM members_new n
JOIN members_before o ON o.registration = n.registration
JOIN (
  SELECT canonical_id FROM trials_b
  UNION
  SELECT alias FROM (SELECT unnest(aliases) AS alias FROM trials_b) GROUP BY alias HAVING count(*) > 1
) still ON still.canonical_id = o.canonical_id
GROUP BY n.k;
