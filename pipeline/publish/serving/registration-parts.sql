-- Each registration of the trials that are asked for, with what its trial has of its own, in the order of rows. The text on
-- eligibility, the longest by far, is JSON already, so that its reader need not take it apart and put it together again. The
-- narrow tables are the build side of every join, so that no wide table is ever held; the sort can spill.
SELECT
  m."row",
  CAST(to_json({
    'trial': {'canonical_id': s.canonical_id, 'aliases': s.aliases},
    'registration': {
      'registry': r.registry, 'id': r.id, 'url': r.url, 'aliases': r.aliases, 'payload_sha256': r.payload_sha256,
      'retrieved_at': r.retrieved_at, 'source_version': r.source_version, 'title': r.title,
      'official_title': r.official_title, 'acronym': r.acronym, 'status': r.status,
      'recruitment_status': r.recruitment_status, 'status_raw': r.status_raw, 'status_basis': r.status_basis,
      'phase': r.phase, 'phase_raw': r.phase_raw, 'study_type': r.study_type, 'study_type_raw': r.study_type_raw,
      'sponsor_name': r.sponsor_name, 'sponsor_class': r.sponsor_class, 'sponsor_class_raw': r.sponsor_class_raw,
      'enrollment_count': r.enrollment_count, 'enrollment_type': r.enrollment_type,
      'enrollment_raw': r.enrollment_raw, 'enrollment_note': r.enrollment_note, 'countries': r.countries,
      'countries_raw': r.countries_raw, 'conditions': r.conditions, 'interventions': r.interventions,
      'primary_endpoints': r.primary_endpoints, 'start_date': r.start_date,
      'primary_completion_date': r.primary_completion_date, 'completion_date': r.completion_date,
      'first_posted_date': r.first_posted_date, 'last_updated_date': r.last_updated_date,
      'results_posted_date': r.results_posted_date, 'results_available': r.results_available,
      'results_basis': r.results_basis
    }
  }) AS VARCHAR),
  CAST(to_json(r.eligibility_text) AS VARCHAR)
FROM shown_registrations r
JOIN shown_members m ON m.registry = r.registry AND m.registration_id = r.id
JOIN shown_rows s ON s.canonical_id = m.canonical_id
ORDER BY m."row", m.registry
