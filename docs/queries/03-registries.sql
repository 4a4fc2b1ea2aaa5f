-- How many trials are in each registry, and in both?
SELECT registries, count(*) AS trials
FROM trials
GROUP BY registries
ORDER BY trials DESC;
