-- Publications that the registrations of shown trials list, each as the JSON that is served (contract/schemas/trials/related.ts).
SELECT
  m."row",
  p.registry,
  p.ordinal,
  CAST(to_json({
    'registration': p.registration_id, 'registry': p.registry, 'kind': p.kind, 'kindRaw': p.kind_raw, 'pmid': p.pmid, 'doi': p.doi,
    'url': p.url, 'citation': p.citation, 'year': p."year", 'retracted': p.retracted
  }) AS VARCHAR) AS body
FROM publications p
JOIN shown_members m ON m.registry = p.registry AND m.registration_id = p.registration_id
