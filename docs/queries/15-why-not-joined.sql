-- Why was evidence rejected?
SELECT reason, kind, count(*) AS links
FROM links
WHERE verdict = 'rejected'
GROUP BY ALL
ORDER BY links DESC, reason, kind;
