-- What became of the canonical ids that were ever given?
SELECT state, count(*) AS ids
FROM canonical_ids
GROUP BY state
ORDER BY ids DESC, state;
