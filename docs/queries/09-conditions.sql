-- Which conditions do registries name most often, in their own words?
SELECT lower(condition) AS condition, count(DISTINCT canonical_id) AS trials
FROM (SELECT canonical_id, unnest(all_conditions) AS condition FROM trials)
GROUP BY ALL
ORDER BY trials DESC, condition
LIMIT 5;
