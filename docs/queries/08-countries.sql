-- In which countries are the most trials, and how many of them take participants?
SELECT country, count(*) AS trials, count(*) FILTER (recruitment_status = 'recruiting') AS recruiting
FROM (SELECT recruitment_status, unnest(all_countries) AS country FROM trials)
GROUP BY country
ORDER BY trials DESC, country
LIMIT 5;
