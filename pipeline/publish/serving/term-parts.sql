-- Texts and values of the registrations of the trials, and of the trials themselves, from which terms are made.
-- `t` holds the trials of both registries; a trial of one has its registration's fields.
SELECT m."row", m.registry, CAST(to_json({
  'registration': {
    'registry': r.registry, 'status': r.status, 'title': r.title, 'official_title': r.official_title, 'acronym': r.acronym,
    'sponsor_name': r.sponsor_name, 'conditions': r.conditions, 'keywords': r.keywords, 'countries': r.countries,
    'condition_mesh': r.condition_mesh, 'condition_mesh_ancestors': r.condition_mesh_ancestors,
    'intervention_mesh': r.intervention_mesh, 'intervention_mesh_ancestors': r.intervention_mesh_ancestors,
    'interventions': r.interventions,
    'sex': r.sex, 'healthy_volunteers': r.healthy_volunteers,
    'sites': list_distinct(list_transform(r.sites, lambda site:
      {'country': site.country, 'city': site.city, 'status': site.status})),
    'organisations': list_transform(r.sponsors || r.collaborators || r.funders, lambda organisation: organisation."name")
  },
  'merged': {
    'status': coalesce(t.status, r.status),
    'recruitment_status': coalesce(t.recruitment_status, r.recruitment_status),
    'phase': coalesce(t.phase, r.phase),
    'study_type': coalesce(t.study_type, r.study_type),
    'sponsor_class': coalesce(t.sponsor_class, r.sponsor_class),
    'results_available': coalesce(t.results_available, r.results_available)
  }
}) AS VARCHAR) AS body
FROM registrations r
JOIN members m ON m.registry = r.registry AND m.registration_id = r.id
LEFT JOIN (
  SELECT canonical_id, status, recruitment_status, phase, study_type, sponsor_class, results_available
  FROM trials WHERE ctgov_id IS NOT NULL AND isrctn_id IS NOT NULL
) t ON t.canonical_id = m.canonical_id
