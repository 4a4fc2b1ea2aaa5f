-- Compares two snapshots: rows are told apart by a hash, and values are looked at only where the hashes differ.
-- Filled in for each of trials, registrations and links; the rows of either side come as their key `k` and a `row_hash`.
CREATE TEMP TABLE {table}_states AS
SELECT coalesce(a.k, b.k) AS k, a.k IS NOT NULL AS in_a, b.k IS NOT NULL AS in_b
FROM {rows_a} a
FULL JOIN {rows_b} b ON a.k = b.k
WHERE a.row_hash IS DISTINCT FROM b.row_hash;
