-- Everything of one trial in consecutive rows: (row, kind, key, body), body as JSON. One sort that can spill; the
-- small table of members is the build side of every join, so that no wide table is ever held. `shown_rows` and
-- `shown_members` are the trials that are asked for; whom they name may be any.
SELECT "row", kind, body FROM (
  SELECT m."row", 0 AS kind, '' AS "key", CAST(to_json(t) AS VARCHAR) AS body
  FROM trials t JOIN shown_rows m USING (canonical_id)
  UNION ALL
  SELECT m."row", 1, r.registry || r.id, CAST(to_json(r) AS VARCHAR)
  FROM registrations r JOIN shown_members m ON m.registry = r.registry AND m.registration_id = r.id
  UNION ALL
  SELECT m."row", 2,
    concat_ws('|', i."type", i."value", i.registry, i.registration_id, i."role", i.field, i.raw_value),
    CAST(to_json({
      'registry': i.registry, 'registrationId': i.registration_id, 'type': i."type", 'value': i."value", 'role': i."role",
      'suspect': i.suspect, 'inIndex': i.in_index, 'canonicalId': held.canonical_id
    }) AS VARCHAR)
  FROM identifiers i
  JOIN shown_members m ON m.registry = i.registry AND m.registration_id = i.registration_id
  LEFT JOIN members held ON held.registration_id = i.resolves_to
  UNION ALL
  SELECT touching."row", 3, l.link_id, CAST(to_json(l) AS VARCHAR)
  FROM links l JOIN (
    SELECT k.link_id, m."row"
    FROM links k JOIN shown_members m ON m.registry = k.from_registry AND m.registration_id = k.from_id
    UNION
    SELECT k.link_id, m."row"
    FROM links k JOIN shown_members m ON m.registry = k.to_registry AND m.registration_id = k.to_id
  ) touching USING (link_id)
  UNION ALL
  SELECT m."row", 4, concat_ws('|', x.link_id, x.from_id, x.to_id, x.reason),
    CAST(to_json({
      'kind': x.kind, 'reason': x.reason, 'from': x.from_id, 'to': x.to_id, 'canonicalId': other.canonical_id,
      'linkId': x.link_id
    }) AS VARCHAR)
  FROM relations x
  JOIN shown_members m ON m.registry = x.from_registry AND m.registration_id = x.from_id
  LEFT JOIN members other ON other.registry = x.to_registry AND other.registration_id = x.to_id
  UNION ALL
  SELECT m."row", 4, concat_ws('|', x.link_id, x.from_id, x.to_id, x.reason),
    CAST(to_json({
      'kind': x.kind, 'reason': x.reason, 'from': x.from_id, 'to': x.to_id, 'canonicalId': other.canonical_id,
      'linkId': x.link_id
    }) AS VARCHAR)
  FROM relations x
  JOIN shown_members m ON m.registry = x.to_registry AND m.registration_id = x.to_id
  LEFT JOIN members other ON other.registry = x.from_registry AND other.registration_id = x.from_id
) parts
ORDER BY "row", kind, "key"
