-- The first contradiction between the tables of normalise and dedup; no row when there is none.
SELECT problem FROM (
  SELECT 1 AS "order", 'registration ' || r.id || ' is in ' || count(m.canonical_id) || ' trials instead of one' AS problem
  FROM registrations r LEFT JOIN trial_members m ON m.registry = r.registry AND m.registration_id = r.id
  WHERE r.superseded_by IS NULL
  GROUP BY r.registry, r.id HAVING count(m.canonical_id) <> 1
  UNION ALL
  -- A superseded registration is in no trial, and the one in its place is.
  SELECT 1, 'registration ' || r.id || ', superseded by ' || r.superseded_by || ', is in ' || count(m.canonical_id) || ' trials'
  FROM registrations r JOIN trial_members m ON m.registry = r.registry AND m.registration_id = r.id
  WHERE r.superseded_by IS NOT NULL GROUP BY r.id, r.superseded_by
  UNION ALL
  SELECT 1, 'registration ' || r.id || ' is superseded by ' || r.superseded_by || ', which is in no trial'
  FROM registrations r ANTI JOIN trial_members m ON m.registry = r.registry AND m.registration_id = r.superseded_by
  WHERE r.superseded_by IS NOT NULL
  UNION ALL
  SELECT 2, 'there are ' || count(*) || ' registrations ' || id
  FROM registrations GROUP BY registry, id HAVING count(*) > 1
  UNION ALL
  SELECT 3, 'trial ' || m.canonical_id || ' holds ' || m.registration_id || ', which is not a registration'
  FROM trial_members m ANTI JOIN registrations r ON m.registry = r.registry AND m.registration_id = r.id
  UNION ALL
  SELECT 4, 'trial ' || canonical_id || ' holds ' || count(*) || ' registrations of ' || registry
  FROM trial_members GROUP BY canonical_id, registry HAVING count(*) > 1
  UNION ALL
  SELECT 5, 'trial ' || m.canonical_id || ' is not current in canonical_ids'
  FROM trial_members m ANTI JOIN (SELECT canonical_id FROM canonical_ids WHERE state = 'current') c USING (canonical_id)
  UNION ALL
  SELECT 6, 'canonical id ' || c.canonical_id || ' is current but holds no registration'
  FROM canonical_ids c ANTI JOIN trial_members m USING (canonical_id) WHERE c.state = 'current'
  UNION ALL
  SELECT 7, 'there are ' || count(*) || ' canonical ids ' || canonical_id
  FROM canonical_ids GROUP BY canonical_id HAVING count(*) > 1
  UNION ALL
  SELECT 8, 'there are ' || count(*) || ' links ' || link_id FROM links GROUP BY link_id HAVING count(*) > 1
) problems
ORDER BY "order", problem
LIMIT 1
