-- By which rules are registrations joined into one trial?
SELECT rule, direction, count(*) AS links
FROM links
WHERE verdict = 'accepted'
GROUP BY ALL
ORDER BY links DESC, rule, direction;
