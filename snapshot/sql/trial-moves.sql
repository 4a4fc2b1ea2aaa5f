-- What became of the trials that are on one side only.

-- Ids that became aliases of a trial of the later snapshot, or of both trials where the id was divided.
CREATE TEMP TABLE merged AS
SELECT a.k, list(b.canonical_id ORDER BY b.canonical_id) AS into_ids
FROM trials_gone a JOIN (SELECT canonical_id, unnest(aliases) AS alias FROM trials_kept_b) b ON b.alias = a.k
GROUP BY a.k;

-- New trials with a registration that another trial held before, when that trial still exists without it or its
-- id was divided.
CREATE TEMP TABLE split AS
SELECT n.k, list(DISTINCT o.k ORDER BY o.k) AS out_of
FROM (SELECT k, unnest([ctgov_id, isrctn_id]) AS registration FROM trials_fresh) n
JOIN (SELECT k, unnest([ctgov_id, isrctn_id]) AS registration FROM trials_kept_a) o USING (registration)
WHERE o.k IN (SELECT k FROM trials_kept_b UNION SELECT k FROM merged WHERE len(into_ids) > 1)
GROUP BY n.k;
