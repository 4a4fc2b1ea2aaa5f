-- Puts the rows of this run into the tables, in one transaction. `winners` (seq, registry, id, unchanged, received_at) names the
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
-- A payload is retrieved when the last snapshot says so, else when these sets first held it: never when some earlier run read it that
-- was not published, since another folder would not know of that.
UPDATE registrations t SET retrieved_at = known.retrieved_at
  FROM (
    SELECT r.registry, r.id, coalesce(p.retrieved_at, w.received_at, r.retrieved_at) AS retrieved_at
    FROM registrations r
    LEFT JOIN winners w ON w.registry = r.registry AND w.id = r.id
    LEFT JOIN {published_registrations} p
      ON p.registry = r.registry AND p.id = r.id AND p.payload_sha256 = r.payload_sha256
  ) known
  WHERE known.registry = t.registry AND known.id = t.id AND known.retrieved_at <> t.retrieved_at;
UPDATE registrations t SET raw_part = m.moved_to FROM moved_parts m WHERE m.raw_part = t.raw_part;
