-- Finds the rows of a table that differ between the sides a and b, by a hash of each row, and then their fields. Filled in
-- for each of the keyed tables. Rows with equal fields are kept too where their records differ; they have no field here.
CREATE TEMP TABLE {table}_differing AS
SELECT k FROM (
  SELECT {key} AS k, {state} AS state FROM {table}_a
  UNION ALL
  SELECT {key}, {state} FROM {table}_b
) GROUP BY k HAVING count(*) <> 2 OR min(state) <> max(state)
{or_differing};

CREATE TEMP TABLE {table}_kept_a AS SELECT {key} AS k, * FROM {table}_a WHERE {key} IN (FROM {table}_differing);
CREATE TEMP TABLE {table}_kept_b AS SELECT {key} AS k, * FROM {table}_b WHERE {key} IN (FROM {table}_differing);
CREATE TEMP VIEW {table}_gone AS FROM {table}_kept_a ANTI JOIN {table}_kept_b USING (k);
CREATE TEMP VIEW {table}_fresh AS FROM {table}_kept_b ANTI JOIN {table}_kept_a USING (k);

CREATE TEMP TABLE {table}_fields AS
SELECT k, unnest(list_filter([{fields}], lambda f: f IS NOT NULL), recursive := true)
FROM {table}_kept_a o JOIN {table}_kept_b t USING (k);
