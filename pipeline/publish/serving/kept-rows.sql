-- Trials of which both snapshots say the same, with their rows in both; `place` counts them.
CREATE TABLE kept AS
SELECT n.canonical_id, p."row" AS old_row, n."row" AS new_row, row_number() OVER (ORDER BY n."row") AS place
FROM main.trial_rows n
JOIN parent.trial_rows p USING (canonical_id)
JOIN main.trial_states ns USING (canonical_id)
JOIN parent.trial_states ps USING (canonical_id)
ANTI JOIN main.differing_trials d ON d.canonical_id = n.canonical_id
WHERE ns.state = ps.state;
