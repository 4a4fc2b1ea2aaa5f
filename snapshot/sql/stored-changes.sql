-- Every difference of two compared snapshots in one row, as `changes.parquet` has it: of rows on one side only all values. A
-- column that a SELECT does not name is null.
CREATE TEMP TABLE found_changes AS
SELECT 'trial-removed' AS kind, k AS canonical_id, title, {trials_row} AS "old" FROM trials_gone t ANTI JOIN merged USING (k)
UNION ALL BY NAME
SELECT 'trial-merged' AS kind, k AS canonical_id, title, {trials_row} AS "old", into_ids AS related
FROM trials_gone t JOIN merged USING (k)
UNION ALL BY NAME
SELECT 'trial-added' AS kind, k AS canonical_id, title, {trials_row} AS "new" FROM trials_fresh t ANTI JOIN split USING (k)
UNION ALL BY NAME
SELECT 'trial-split' AS kind, k AS canonical_id, title, {trials_row} AS "new", out_of AS related
FROM trials_fresh t JOIN split USING (k)
UNION ALL BY NAME
SELECT 'trial-changed' AS kind, k AS canonical_id, title, field, "old", "new" FROM trials_fields JOIN trials_kept_b USING (k)
UNION ALL BY NAME
SELECT 'registration-removed' AS kind, canonical_id, registry, t.id AS registration_id, title, {registrations_row} AS "old"
FROM registrations_gone t LEFT JOIN holders h ON h.id = t.id
UNION ALL BY NAME
SELECT 'registration-added' AS kind, canonical_id, registry, t.id AS registration_id, title, {registrations_row} AS "new"
FROM registrations_fresh t LEFT JOIN holders h ON h.id = t.id
UNION ALL BY NAME
SELECT 'registration-changed' AS kind, canonical_id, registry, t.id AS registration_id, title, field, "old", "new"
FROM registrations_fields JOIN registrations_kept_b t USING (k) LEFT JOIN holders h ON h.id = t.id
UNION ALL BY NAME
-- Both rows of a changed link whole: they are small, and name both ends. It belongs to the trial of its first end.
SELECT l.kind, coalesce(h.canonical_id, g.canonical_id) AS canonical_id, l.item, l."old", l."new",
  CASE WHEN g.canonical_id <> h.canonical_id THEN [g.canonical_id] END AS related
FROM (
  SELECT 'link-lost' AS kind, k AS item, from_id, to_id, {links_row} AS "old" FROM links_gone t
  UNION ALL BY NAME
  SELECT 'link-gained' AS kind, k AS item, from_id, to_id, {links_row} AS "new" FROM links_fresh t
  UNION ALL BY NAME
  SELECT 'link-changed' AS kind, k AS item, from_id, to_id, o."old", {links_row} AS "new"
  FROM links_kept_b t JOIN (SELECT k, {links_row} AS "old" FROM links_kept_a t) o USING (k) SEMI JOIN links_fields USING (k)
) l LEFT JOIN holders h ON h.id = l.from_id LEFT JOIN holders g ON g.id = l.to_id
UNION ALL BY NAME
SELECT CASE WHEN gone THEN what || '-lost' ELSE what || '-gained' END AS kind, canonical_id, registry, registration_id, field,
  CASE WHEN gone THEN stated END AS "old", CASE WHEN NOT gone THEN stated END AS "new"
FROM (
  SELECT 'identifier' AS what, * FROM identifiers_moves
  UNION ALL
  SELECT 'publication' AS what, * FROM publications_moves
) LEFT JOIN holders ON id = registration_id
UNION ALL BY NAME
SELECT 'signal-lost' AS kind, id AS item FROM signals_a ANTI JOIN signals_b USING (id)
UNION ALL BY NAME
SELECT 'signal-gained' AS kind, id AS item FROM signals_b ANTI JOIN signals_a USING (id);
