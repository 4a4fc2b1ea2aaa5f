-- Unchanged trials with their rows in both snapshots; `place` counts them.
CREATE TABLE kept AS
SELECT n.canonical_id, p."row" AS old_row, n."row" AS new_row, row_number() OVER (ORDER BY n."row") AS place
FROM main.trial_rows n
JOIN main.trial_states s USING (canonical_id)
JOIN parent.states p USING (canonical_id)
ANTI JOIN main.differing_trials d ON d.canonical_id = n.canonical_id
WHERE s.state = p.state;
