-- The figures of a run, from the tables that it wrote.
SELECT
  (SELECT count(*) - count(superseded_by) FROM registrations)::DOUBLE AS registrations,
  (SELECT count(superseded_by) FROM registrations)::DOUBLE AS superseded,
  (SELECT count(DISTINCT canonical_id) FROM trial_members)::DOUBLE AS trials,
  (SELECT count(*) FROM trial_members WHERE NOT founding)::DOUBLE AS merged,
  (SELECT count(*) FROM links WHERE verdict = 'accepted')::DOUBLE AS "linksAccepted",
  (SELECT count(*) FROM links WHERE verdict = 'rejected')::DOUBLE AS "linksRejected",
  (SELECT count(*) FROM links WHERE conflict)::DOUBLE AS conflicts,
  (SELECT count(*) FROM relations)::DOUBLE AS relations,
  -- Cross references to records of the other registry that are not held; those of superseded records do not count.
  (SELECT count(*) FROM (
    SELECT DISTINCT registry, registration_id, "type", "value" FROM dedup_stated
    WHERE "role" IN ('declared', 'repaired') AND named_registry <> registry AND target IS NULL
      AND registration_id = stands_for
  ))::DOUBLE AS unresolved,
  (SELECT count(*) FROM canonical_ids WHERE state = 'current')::DOUBLE AS "current",
  (SELECT count(*) FROM canonical_ids WHERE state = 'alias')::DOUBLE AS alias,
  (SELECT count(*) FROM canonical_ids WHERE state = 'retired')::DOUBLE AS retired;
