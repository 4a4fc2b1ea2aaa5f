-- The trials that are not reused from the parent's image.
CREATE TABLE shown_rows AS SELECT r.* FROM main.trial_rows r ANTI JOIN kept USING (canonical_id);
CREATE TABLE shown_members AS SELECT m.* FROM main.members m SEMI JOIN shown_rows USING (canonical_id);
CREATE TABLE shown_named AS SELECT m.* FROM main.all_members m SEMI JOIN shown_rows USING (canonical_id);
