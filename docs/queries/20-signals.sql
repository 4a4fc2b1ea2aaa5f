-- What do public feeds announce, month by month and by capital?
SELECT strftime(coalesce(published_at, first_seen_at), '%Y-%m') AS "month", capital, count(*) AS items
FROM signals
WHERE capital IS NOT NULL
GROUP BY ALL
ORDER BY "month" DESC, capital
LIMIT 4;
