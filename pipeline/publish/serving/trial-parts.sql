-- All that the tables hold about each trial, as parts (row, kind, key, body, common, own, design, eligibility): `body` is JSON that is
-- parsed, the other texts are JSON that is served as it is. Parts of a kind are taken in the order of `key`.
-- The narrow tables are the build side of every join, so that no wide table is ever held.
SELECT
  m."row",
  CASE WHEN r.superseded_by IS NULL THEN 'registration' ELSE 'superseded' END AS kind,
  concat_ws('|', r.registry, r.id) AS "key",
  CAST(to_json({
    'canonicalId': t.canonical_id, 'trialAliases': t.aliases, 'name': coalesce(r.title, r.official_title),
    'updated': r.last_updated_date."date", 'sponsorCodes': r.sponsor_codes, 'record': {record}
  }) AS VARCHAR) AS body,
  CAST(to_json({common}) AS VARCHAR) AS common,
  CAST(to_json({own}) AS VARCHAR) AS own,
  CAST(to_json({design}) AS VARCHAR) AS design,
  CAST(to_json(r.eligibility_text) AS VARCHAR) AS eligibility
FROM registrations r
JOIN all_members m ON m.registry = r.registry AND m.registration_id = r.id
JOIN trial_rows t ON t."row" = m."row"
UNION ALL
-- The fields of a trial of both registries; one of a single registry has its registration's.
SELECT m."row", 'merged', '',
  CAST(to_json({'name': coalesce(t.title, t.official_title), 'updated': t.last_updated_date."date"}) AS VARCHAR),
  CAST(to_json({merged}) AS VARCHAR), NULL, NULL, NULL
FROM trials t JOIN trial_rows m USING (canonical_id)
WHERE t.ctgov_id IS NOT NULL AND t.isrctn_id IS NOT NULL
UNION ALL
-- Identifiers, each with the trial of the record that it resolves to.
SELECT m."row", 'identifier',
  concat_ws('|', i."type", i."value", i.registry, i.registration_id, i."role", i.field, i.raw_value),
  CAST(to_json({
    'registry': i.registry, 'registrationId': i.registration_id, 'type': i."type", 'value': i."value", 'role': i."role",
    'suspect': i.suspect, 'inIndex': i.in_index, 'canonicalId': held.canonical_id
  }) AS VARCHAR), NULL, NULL, NULL, NULL
FROM identifiers i
JOIN all_members m ON m.registry = i.registry AND m.registration_id = i.registration_id
LEFT JOIN members held ON held.registration_id = i.resolves_to
UNION ALL
-- Links, each as the JSON that is served (contract/schemas/trials/trial.ts).
SELECT touching."row", 'link', l.link_id,
  CAST(to_json({
    'linkId': l.link_id, 'kind': l.kind, 'rule': l.rule, 'from': l.from_id, 'to': l.to_id, 'field': l.field,
    'rawValue': l.raw_value, 'toField': l.to_field, 'toRawValue': l.to_raw_value,
    'identifier': {'type': l.identifier_type, 'value': l.identifier_value},
    'direction': l.direction, 'verdict': l.verdict, 'reason': l.reason, 'conflict': l.conflict
  }) AS VARCHAR), NULL, NULL, NULL, NULL
FROM links l JOIN touching_links touching USING (link_id)
UNION ALL
SELECT touching."row", 'relation', concat_ws('|', x.link_id, x.from_id, x.to_id, x.reason),
  CAST(to_json({
    'kind': x.kind, 'reason': x.reason, 'from': x.from_id, 'to': x.to_id, 'canonicalId': touching.canonical_id,
    'linkId': x.link_id
  }) AS VARCHAR), NULL, NULL, NULL, NULL
FROM (
  -- Once where both ends belong to one trial: a superseded record and the one in its place.
  SELECT n."row", x, other.canonical_id
  FROM relations x
  JOIN all_members n ON n.registry = x.from_registry AND n.registration_id = x.from_id
  LEFT JOIN all_members other ON other.registry = x.to_registry AND other.registration_id = x.to_id
  UNION
  SELECT n."row", x, other.canonical_id
  FROM relations x
  JOIN all_members n ON n.registry = x.to_registry AND n.registration_id = x.to_id
  LEFT JOIN all_members other ON other.registry = x.from_registry AND other.registration_id = x.from_id
) touching
UNION ALL
-- Publications, each as the JSON that is served (contract/schemas/trials/related.ts).
SELECT m."row", 'publication', concat_ws('|', p.registry, lpad(CAST(p.ordinal AS VARCHAR), 9, '0')),
  CAST(to_json({
    'registration': p.registration_id, 'registry': p.registry, 'kind': p.kind, 'kindRaw': p.kind_raw, 'pmid': p.pmid, 'doi': p.doi,
    'url': p.url, 'citation': p.citation, 'year': p."year", 'retracted': p.retracted
  }) AS VARCHAR), NULL, NULL, NULL, NULL
FROM publications p
JOIN members m ON m.registry = p.registry AND m.registration_id = p.registration_id
