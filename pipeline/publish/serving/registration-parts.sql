-- Registrations of the shown trials with the columns that only a trial has. `record` identifies
-- the registration; a trial shows the fields of `common` too, and only a registration shows those of `own`. The text on
-- eligibility, by far the longest, is JSON already, so that its reader need not parse and write it again. The narrow
-- tables are the build side of every join, so that no wide table is ever held.
SELECT
  m."row",
  m.registry,
  CAST(to_json({
    'trial': {'canonical_id': s.canonical_id, 'aliases': s.aliases},
    'registration': {record},
    'common': {common},
    'own': {own}
  }) AS VARCHAR) AS body,
  CAST(to_json(r.eligibility_text) AS VARCHAR) AS eligibility
FROM shown_registrations r
JOIN shown_members m ON m.registry = r.registry AND m.registration_id = r.id
JOIN shown_rows s ON s."row" = m."row"
