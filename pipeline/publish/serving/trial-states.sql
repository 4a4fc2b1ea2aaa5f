-- One number per trial, for what its part of the image is made from (the tables that the -parts.sql files beside this
-- one read), apart from the columns in the roots of trials and registrations. The number is a sum, so that
-- nothing needs sorting and a row that occurs twice counts twice.
CREATE TABLE trial_states AS
SELECT canonical_id, CAST(sum(state) % 18446744073709551616 AS UBIGINT) AS state
FROM (
  SELECT m.canonical_id, hash(r.registry, r.id, r.retrieved_at) AS state
  FROM registrations r JOIN members m ON m.registry = r.registry AND m.registration_id = r.id
  UNION ALL
  -- In no root of a trial: the whole row.
  SELECT m.canonical_id, hash(r) AS state
  FROM registrations r JOIN superseded_members m ON m.registry = r.registry AND m.registration_id = r.id
  UNION ALL
  SELECT m.canonical_id, hash(i, coalesce(held.canonical_id, ''))
  FROM identifiers i
  JOIN all_members m ON m.registry = i.registry AND m.registration_id = i.registration_id
  LEFT JOIN members held ON held.registration_id = i.resolves_to
  UNION ALL
  SELECT m.canonical_id, hash(p)
  FROM publications p JOIN all_members m ON m.registry = p.registry AND m.registration_id = p.registration_id
  UNION ALL
  SELECT m.canonical_id, hash(l) FROM links l JOIN all_members m ON m.registry = l.from_registry AND m.registration_id = l.from_id
  UNION ALL
  SELECT m.canonical_id, hash(l) FROM links l JOIN all_members m ON m.registry = l.to_registry AND m.registration_id = l.to_id
  UNION ALL
  SELECT m.canonical_id, hash(x, coalesce(other.canonical_id, ''))
  FROM relations x
  JOIN all_members m ON m.registry = x.from_registry AND m.registration_id = x.from_id
  LEFT JOIN all_members other ON other.registry = x.to_registry AND other.registration_id = x.to_id
  UNION ALL
  SELECT m.canonical_id, hash(x, coalesce(other.canonical_id, ''), 'to')
  FROM relations x
  JOIN all_members m ON m.registry = x.to_registry AND m.registration_id = x.to_id
  LEFT JOIN all_members other ON other.registry = x.from_registry AND other.registration_id = x.from_id
) parts
GROUP BY canonical_id;
