-- Parts that few of the shown trials have, as (row, kind, body), body as JSON: the fields of a trial of both registries
-- (0; a trial of one registry has its registration's fields), its links (1) and its relations (2), also those of records that it superseded. The narrow tables
-- are the build side of every join. Links and relations may name any trial.
SELECT "row", kind, body FROM (
  SELECT m."row", 0 AS kind, '' AS "key", CAST(to_json({common}) AS VARCHAR) AS body
  FROM shown_trials t JOIN shown_rows m USING (canonical_id)
  UNION ALL
  SELECT touching."row", 1, l.link_id, CAST(to_json(l) AS VARCHAR)
  FROM links l JOIN (
    SELECT k.link_id, m."row"
    FROM links k JOIN shown_named m ON m.registry = k.from_registry AND m.registration_id = k.from_id
    UNION
    SELECT k.link_id, m."row"
    FROM links k JOIN shown_named m ON m.registry = k.to_registry AND m.registration_id = k.to_id
  ) touching USING (link_id)
  UNION ALL
  SELECT touching."row", 2, concat_ws('|', x.link_id, x.from_id, x.to_id, x.reason),
    CAST(to_json({
      'kind': x.kind, 'reason': x.reason, 'from': x.from_id, 'to': x.to_id, 'canonicalId': touching.canonical_id,
      'linkId': x.link_id
    }) AS VARCHAR)
  FROM (
    -- Once where both ends belong to one trial: a superseded record and the one in its place.
    SELECT n."row", x, other.canonical_id
    FROM relations x
    JOIN shown_named n ON n.registry = x.from_registry AND n.registration_id = x.from_id
    LEFT JOIN all_members other ON other.registry = x.to_registry AND other.registration_id = x.to_id
    UNION
    SELECT n."row", x, other.canonical_id
    FROM relations x
    JOIN shown_named n ON n.registry = x.to_registry AND n.registration_id = x.to_id
    LEFT JOIN all_members other ON other.registry = x.from_registry AND other.registration_id = x.from_id
  ) touching
) parts
ORDER BY "row", kind, "key"
