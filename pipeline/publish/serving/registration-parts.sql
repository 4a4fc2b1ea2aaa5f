-- Each registration of the trials that are asked for, with what its trial has of its own, in the order of rows: `record` is
-- what identifies it, `common` what a trial shows too, `own` what only a registration shows. The text on eligibility, the longest by far, is JSON already, so that its reader need not take it apart and put it together again. The
-- narrow tables are the build side of every join, so that no wide table is ever held; the sort can spill.
SELECT
  m."row",
  CAST(to_json({
    'trial': {'canonical_id': s.canonical_id, 'aliases': s.aliases},
    'registration': {record},
    'common': {common},
    'own': {own}
  }) AS VARCHAR),
  CAST(to_json(r.eligibility_text) AS VARCHAR)
FROM shown_registrations r
JOIN shown_members m ON m.registry = r.registry AND m.registration_id = r.id
JOIN shown_rows s ON s.canonical_id = m.canonical_id
ORDER BY m."row", m.registry
