-- How many trials started in each year since 2020? A month counts from its first day.
SELECT year(start_day) AS started, count(*) AS trials
FROM trials
WHERE start_day >= DATE '2020-01-01'
GROUP BY started
ORDER BY started;
