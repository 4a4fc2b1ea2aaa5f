-- What share of completed studies has results at its registry within 12 months of primary completion (else completion)? ISRCTN states no day of results, so its share is null and its results are undated.
SELECT registry, count(*) AS due,
  count(*) FILTER (results_posted_day <= ended + INTERVAL 1 YEAR) AS within_a_year,
  count(*) FILTER (results_posted_day > ended + INTERVAL 1 YEAR) AS later,
  count(*) FILTER (results_available AND results_posted_day IS NULL) AS undated,
  count(*) FILTER (NOT results_available) AS without_results,
  CASE WHEN count(results_posted_day) > 0 THEN round(within_a_year / due, 3) END AS share
FROM (SELECT *, coalesce(primary_completion_day, completion_day) AS ended FROM registrations)
WHERE status = 'completed' AND superseded_by IS NULL
  AND ended + INTERVAL 1 YEAR < (SELECT max(last_updated_day) FROM registrations)
GROUP BY registry
ORDER BY registry;
