-- Of trials in both registries: which registry does the phase come from? Null: neither states one.
SELECT origins.phase AS registry, count(*) AS trials
FROM trials
WHERE len(registries) = 2
GROUP BY registry
ORDER BY trials DESC, registry;
