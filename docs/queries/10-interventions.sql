-- Which kinds of interventions are tested?
SELECT coalesce(intervention.type, 'not stated') AS kind, count(*) AS interventions
FROM (SELECT unnest(interventions) AS intervention FROM trials)
GROUP BY kind
ORDER BY interventions DESC, kind;
