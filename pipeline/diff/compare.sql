-- Compares two snapshots through the views <table>_a and <table>_b (made by compare.ts: same columns on both sides, run
-- times left out). Rows are told apart by a hash of their JSON; values are looked at only where the hashes differ.
-- {table} and {key} are filled in for each of trials, registrations and links.
CREATE TEMP TABLE {table}_states AS
SELECT coalesce(a.k, b.k) AS k, a.k IS NOT NULL AS in_a, b.k IS NOT NULL AS in_b
FROM (SELECT {key} AS k, md5_number(to_json(t)::VARCHAR) AS row_hash FROM {table}_a t) a
FULL JOIN (SELECT {key} AS k, md5_number(to_json(t)::VARCHAR) AS row_hash FROM {table}_b t) b ON a.k = b.k
WHERE a.row_hash IS DISTINCT FROM b.row_hash;
