-- One transaction: the tables become what this run read. `winners` (seq, registry, id, unchanged) says which staged rows
-- come in, where not `unchanged`; `replaced` (registry, id) which registrations' rows go.
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

UPDATE registrations t
  SET status = d.status, recruitment_status = d.recruitment_status, status_raw = d.status_raw,
      status_basis = d.status_basis, enrollment_count = d.enrollment_count, enrollment_type = d.enrollment_type,
      enrollment_raw = d.enrollment_raw, enrollment_note = d.enrollment_note
  FROM staged_derived d WHERE d.registry = t.registry AND d.id = t.id
    AND (t.status, t.recruitment_status, t.status_raw, t.status_basis,
         t.enrollment_count, t.enrollment_type, t.enrollment_raw, t.enrollment_note)
      IS DISTINCT FROM (d.status, d.recruitment_status, d.status_raw, d.status_basis,
                        d.enrollment_count, d.enrollment_type, d.enrollment_raw, d.enrollment_note);
UPDATE registrations t SET raw_part = m.moved_to FROM moved_parts m WHERE m.raw_part = t.raw_part;
