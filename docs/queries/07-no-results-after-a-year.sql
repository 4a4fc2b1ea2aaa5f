-- How many completed trials have no results at a registry a year after their primary completion (else completion), as of the newest update?
SELECT sponsor_class, count(*) AS completed, count(*) FILTER (NOT results_available) AS without_results
FROM trials
WHERE status = 'completed'
  AND coalesce(primary_completion_day, completion_day) + INTERVAL 1 YEAR
    < (SELECT max(last_updated_day) FROM registrations)
GROUP BY sponsor_class
ORDER BY completed DESC, sponsor_class;
