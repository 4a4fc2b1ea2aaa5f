-- What became of the trials that are on one side only.

-- Ids that became aliases of a trial of the later snapshot.
CREATE TEMP TABLE merged AS
SELECT s.k, b.canonical_id AS into_id
FROM trials_states s JOIN (SELECT canonical_id, unnest(aliases) AS alias FROM trials_b) b ON b.alias = s.k
WHERE s.in_a AND NOT s.in_b;

-- New trials with a registration that another trial held before, when that trial still exists without it.
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
JOIN trials_b still ON still.canonical_id = o.canonical_id
GROUP BY n.k;
