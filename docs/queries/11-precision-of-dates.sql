-- How many start dates are known to the day, and how many to the month only?
SELECT registry, start_date.precision AS known_to, count(*) AS registrations
FROM registrations
WHERE start_date IS NOT NULL
GROUP BY ALL
ORDER BY registry, known_to;
