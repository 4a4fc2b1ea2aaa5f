-- Compares a table of two snapshots by row hashes. Filled in for trials, registrations and links; the rows of each side
-- have a key `k` and a `row_hash`. Values are read only where the hashes differ.
CREATE TEMP TABLE {table}_states AS
SELECT coalesce(a.k, b.k) AS k, a.k IS NOT NULL AS in_a, b.k IS NOT NULL AS in_b
FROM {rows_a} a
FULL JOIN {rows_b} b ON a.k = b.k
WHERE a.row_hash IS DISTINCT FROM b.row_hash;
