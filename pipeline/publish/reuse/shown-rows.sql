-- The trials that are not reused from the parent's image.
CREATE TABLE shown_rows AS SELECT r.* FROM main.trial_rows r ANTI JOIN kept USING (canonical_id);
CREATE TABLE shown_members AS SELECT m.* FROM main.members m SEMI JOIN shown_rows USING (canonical_id);
-- Nearly all of them are among the changed ones, whose file has few rows; the file of all is read where one is not.
CREATE TABLE shown_registrations AS
SELECT r.* FROM {changed} r SEMI JOIN shown_members m ON m.registry = r.registry AND m.registration_id = r.id
UNION ALL
SELECT r.* FROM main.registrations r
SEMI JOIN (
  SELECT m.registry, m.registration_id
  FROM shown_members m ANTI JOIN {changed} c ON c.registry = m.registry AND c.id = m.registration_id
) m ON m.registry = r.registry AND m.registration_id = r.id;
