-- Identifiers that the registrations of shown trials state, and the trial of the record that each resolves to: the same
-- trial, or another's id. A truth value is used where it can be: its reader makes no text of it.
SELECT
  m."row", i.registry = 'isrctn', i.registration_id, i."type", i."value", i."role", i.suspect, i.in_index,
  coalesce(held.canonical_id = m.canonical_id, false), nullif(held.canonical_id, m.canonical_id)
FROM identifiers i
JOIN shown_members m ON m.registry = i.registry AND m.registration_id = i.registration_id
LEFT JOIN members held ON held.registration_id = i.resolves_to
ORDER BY m."row",
  concat_ws('|', i."type", i."value", i.registry, i.registration_id, i."role", i.field, i.raw_value)
