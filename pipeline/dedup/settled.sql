-- Registrations for which this run has nothing to decide, with the id of their trial. Each is alone in its trial, as in
-- the last run, and founded the trial's id, which is current. Nothing else in the ledger or among the last run's members
-- leads to it. All other registrations are resolved in full, so a row too few here costs only time.
CREATE OR REPLACE TEMP TABLE dedup_settled AS
SELECT c.canonical_id, r.registry, r.id
FROM canonical_ids c
JOIN registrations r ON r.registry = c.founding_registry AND r.id = c.founding_id
SEMI JOIN trial_members m
  ON m.canonical_id = c.canonical_id AND m.registry = r.registry AND m.registration_id = r.id
ANTI JOIN dedup_merged g ON g.id = r.id
ANTI JOIN (SELECT registration_id FROM trial_members WHERE NOT founding) p ON p.registration_id = r.id
ANTI JOIN (SELECT target FROM dedup_targets WHERE "value" <> target) s ON s.target = r.id
ANTI JOIN (SELECT alias_of FROM canonical_ids WHERE alias_of IS NOT NULL) a ON a.alias_of = c.canonical_id
WHERE c.state = 'current' AND c.alias_of IS NULL AND r.superseded_by IS NULL
  -- A ledger with duplicates is read in full instead and refused with the wrong row.
  AND (SELECT count(*) = count(DISTINCT canonical_id) AND count(*) FILTER (state <> 'divided') = count(DISTINCT founding_id) FILTER (state <> 'divided')
    FROM canonical_ids);
