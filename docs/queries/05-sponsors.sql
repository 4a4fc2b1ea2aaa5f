-- Which sponsors lead the most trials?
SELECT sponsor_name, sponsor_class, count(*) AS trials
FROM trials
WHERE sponsor_name IS NOT NULL
GROUP BY ALL
ORDER BY trials DESC, sponsor_name
LIMIT 5;
