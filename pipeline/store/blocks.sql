-- Row hashes of a large narrow table, grouped by the first characters of the key (publish/row-blocks.ts).
CREATE TABLE IF NOT EXISTS {table}_blocks (
  block_registry VARCHAR NOT NULL,
  block VARCHAR NOT NULL,                 -- first characters of the id that the key begins with
  state VARCHAR NOT NULL,                 -- hash of what the rows are made from
  hashes BLOB NOT NULL,                   -- SHA-256 of each row's JSON, in key order
  form VARCHAR NOT NULL                   -- hash of what a row hash depends on beside the row
);
