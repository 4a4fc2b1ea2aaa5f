-- How many studies of a condition began in each year, by registry? A trial in both registries counts in each, so never sum them.
SELECT registry, lower(condition) AS condition, year(start_day) AS year, count(DISTINCT id) AS registrations
FROM (SELECT registry, id, start_day, unnest(conditions) AS condition FROM registrations WHERE superseded_by IS NULL)
WHERE lower(condition) IN ('type 2 diabetes', 'breast cancer')
GROUP BY ALL
ORDER BY registry, condition, year;
