-- Puts the rows of this run into the tables, in one transaction. `winners` (seq, registry, id, unchanged) names the
-- staged rows to insert, except the `unchanged` ones; `replaced` (registry, id) names the registrations whose rows are
-- deleted.
DELETE FROM registrations t WHERE EXISTS (SELECT 1 FROM replaced g WHERE g.registry = t.registry AND g.id = t.id);
DELETE FROM stated_identifiers t
  WHERE EXISTS (SELECT 1 FROM replaced g WHERE g.registry = t.registry AND g.id = t.registration_id);
DELETE FROM publications t
  WHERE EXISTS (SELECT 1 FROM replaced g WHERE g.registry = t.registry AND g.id = t.registration_id);
DELETE FROM normalised_payloads t
  WHERE EXISTS (SELECT 1 FROM replaced g WHERE g.registry = t.registry AND g.id = t.id);
DELETE FROM quarantine;

INSERT INTO registrations BY NAME
  SELECT s.* EXCLUDE (seq), p.raw_part
  FROM staged_registrations s JOIN winners w USING (seq) JOIN staged_parts p USING (seq) WHERE NOT w.unchanged;
INSERT INTO stated_identifiers BY NAME
  SELECT s.* EXCLUDE (seq) FROM staged_identifiers s JOIN winners w USING (seq) WHERE NOT w.unchanged;
INSERT INTO publications BY NAME
  SELECT s.* EXCLUDE (seq) FROM staged_publications s JOIN winners w USING (seq) WHERE NOT w.unchanged;
INSERT INTO normalised_payloads BY NAME
  SELECT s.* EXCLUDE (seq) FROM staged_payloads s JOIN winners w USING (seq) WHERE NOT w.unchanged;
INSERT INTO quarantine BY NAME SELECT * FROM staged_quarantine;

UPDATE registrations t SET {derived_set}
  FROM staged_derived d WHERE d.registry = t.registry AND d.id = t.id
    AND ({derived_now}) IS DISTINCT FROM ({derived_new});
UPDATE registrations t SET raw_part = m.moved_to FROM moved_parts m WHERE m.raw_part = t.raw_part;
