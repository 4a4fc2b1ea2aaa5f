-- How many trials have each status?
SELECT status, count(*) AS trials
FROM trials
GROUP BY status
ORDER BY trials DESC, status;
