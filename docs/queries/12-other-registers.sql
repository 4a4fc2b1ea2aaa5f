-- Which other registers do records name by an identifier?
SELECT "type", count(DISTINCT value) AS identifiers, count(DISTINCT registration_id) AS registrations
FROM identifiers
WHERE role = 'declared' AND "type" NOT IN ('nct', 'isrctn')
GROUP BY "type"
ORDER BY registrations DESC, "type";
