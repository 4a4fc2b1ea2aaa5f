-- Every entry of the lists of a comparison: `k` orders the entries of a list, `entry` is JSON, and filters read `ids` (one
-- text), `registries` and `fields`.
WITH trials AS (
  SELECT k, into_ids, out_of, if(b.k IS NULL, a.title, b.title) AS title,
    CASE WHEN b.k IS NULL THEN [a.ctgov_id, a.isrctn_id] ELSE [b.ctgov_id, b.isrctn_id] END AS members,
    list_filter(members, lambda id: id IS NOT NULL) AS registrations,
    concat_ws(' ', k, a.ctgov_id, a.isrctn_id, b.ctgov_id, b.isrctn_id, array_to_string(into_ids, ' ')) AS ids,
    list_distinct(list_concat(a.registries, b.registries)) AS registries,
    CASE WHEN b.k IS NULL THEN if(into_ids IS NULL, 'removed', 'merged')
      WHEN a.k IS NULL THEN if(out_of IS NULL, 'added', 'split')
      ELSE 'changed' END AS verb
  FROM trials_kept_a a FULL JOIN trials_kept_b b USING (k) LEFT JOIN merged USING (k) LEFT JOIN split USING (k)
), causes AS (
  -- Of each earlier trial the links that are newly accepted between one of its registrations and another trial's.
  SELECT k, list({'linkId': link_id, 'rule': rule, 'from': from_id, 'to': to_id} ORDER BY link_id) AS causes
  FROM (SELECT k, members, unnest(registrations) AS member FROM trials WHERE verb = 'merged')
  JOIN (
    SELECT n.* EXCLUDE (k), unnest([n.from_id, n.to_id]) AS one_end, unnest([n.to_id, n.from_id]) AS other_end
    FROM links_kept_b n LEFT JOIN links_kept_a b USING (k)
    WHERE n.verdict = 'accepted' AND b.verdict IS DISTINCT FROM 'accepted'
  ) ON one_end = member AND NOT coalesce(list_contains(members, other_end), false)
  GROUP BY k
), trials_changed AS (
  SELECT k, list({'field': field, 'old': "old"::JSON, 'new': "new"::JSON} ORDER BY place) AS changes FROM trials_fields GROUP BY k
), identifiers_changed AS (
  -- Of each field the identifiers that are gone and those that are new. One that is not simply declared has its role behind it.
  SELECT registry || ' ' || registration_id AS k, 1000 AS place, 'identifiers.' || field AS field,
    to_json(coalesce(list(identifier ORDER BY identifier) FILTER (gone), [])) AS "old",
    to_json(coalesce(list(identifier ORDER BY identifier) FILTER (NOT gone), [])) AS "new"
  FROM (
    SELECT *, (stated->>'type') || ' ' || (stated->>'value')
      || CASE stated->>'role' WHEN 'declared' THEN '' ELSE ' (' || (stated->>'role') || ')' END AS identifier
    FROM identifiers_moves
  )
  GROUP BY registry, registration_id, field
), registrations AS (
  SELECT k, coalesce(b.registry, a.registry) AS registry, coalesce(b.id, a.id) AS id, if(b.k IS NULL, a.title, b.title) AS title,
    CASE WHEN b.k IS NULL THEN 'removed' WHEN a.k IS NULL THEN 'added' ELSE 'changed' END AS verb,
    a.payload_sha256 <> b.payload_sha256 AS payload_changed
  FROM registrations_kept_a a FULL JOIN registrations_kept_b b USING (k)
), registrations_changed AS (
  SELECT k, list({'field': field, 'old': "old"::JSON, 'new': "new"::JSON} ORDER BY place, field) AS changes
  FROM (FROM registrations_fields UNION ALL SELECT k, place, field, "old", "new" FROM identifiers_changed SEMI JOIN registrations_fields USING (k))
  GROUP BY k
), links AS (
  SELECT 'lost' AS verb, * FROM links_gone
  UNION ALL
  SELECT 'gained', * FROM links_fresh
  UNION ALL
  SELECT 'changed', * FROM links_kept_b SEMI JOIN links_fields USING (k)
), links_changed AS (
  SELECT k, list({'field': field, 'old': "old"::JSON, 'new': "new"::JSON} ORDER BY place) AS changes FROM links_fields GROUP BY k
)
SELECT 'trials-' || verb AS list, k, ids, registries, coalesce(list_transform(changes, lambda f: f.field), []) AS fields,
  CASE verb
    WHEN 'changed' THEN to_json({'canonicalId': k, 'title': title, 'fields': changes})
    WHEN 'merged' THEN to_json({'canonicalId': k, 'into': array_to_string(into_ids, ', '), 'causes': coalesce(causes, [])})
    WHEN 'split' THEN to_json({'canonicalId': k, 'title': title, 'registrations': registrations, 'outOf': out_of})
    ELSE to_json({'canonicalId': k, 'title': title, 'registrations': registrations})
  END::VARCHAR AS entry
FROM trials LEFT JOIN trials_changed USING (k) LEFT JOIN causes USING (k)
WHERE verb <> 'changed' OR changes IS NOT NULL
UNION ALL BY NAME
SELECT 'registrations-' || verb AS list, k, id AS ids, [registry] AS registries,
  coalesce(list_transform(changes, lambda f: f.field), []) AS fields,
  CASE verb
    WHEN 'changed' THEN to_json({'registry': registry, 'id': id, 'title': title, 'payloadChanged': payload_changed, 'fields': changes})
    ELSE to_json({'registry': registry, 'id': id, 'title': title})
  END::VARCHAR AS entry
FROM registrations LEFT JOIN registrations_changed USING (k)
WHERE verb <> 'changed' OR changes IS NOT NULL
UNION ALL BY NAME
SELECT 'links-' || l.verb AS list, k, concat_ws(' ', k, o.from_id, o.to_id, l.from_id, l.to_id) AS ids,
  list_distinct([o.from_registry, o.to_registry, l.from_registry, l.to_registry]) AS registries,
  coalesce(list_transform(changes, lambda f: f.field), []) AS fields,
  CASE l.verb
    WHEN 'changed' THEN to_json({'linkId': k, 'from': l.from_id, 'to': l.to_id, 'kind': l.kind, 'rule': l.rule, 'verdict': l.verdict, 'fields': changes})
    ELSE to_json({'linkId': k, 'from': l.from_id, 'to': l.to_id, 'kind': l.kind, 'rule': l.rule, 'verdict': l.verdict})
  END::VARCHAR AS entry
FROM links l LEFT JOIN links_kept_a o USING (k) LEFT JOIN links_changed USING (k)
