import type { SnapshotTable } from '../../snapshot/format/versions/manifest.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import { rowLeaf } from '../../snapshot/sql/row-json.ts';
import { columnList, hashedColumns, parquetSource, TABLE_SPECS } from '../../snapshot/sql/tables.ts';
import { BLOCKED_TABLES, type Connection, LIBRARY_VERSION } from '../store/database.ts';
import { sha256 } from './durable.ts';
import { rootOfJoined, type TableValues } from './identity/table-root.ts';

/**
 * How the rows of a large narrow table are divided into blocks of neighbouring keys: by registry, where the key begins
 * with it, and by the first characters of the id. A day's change touches few blocks.
 */
const BLOCKS = {
  identifiers: { registry: 'registry', id: 'registration_id', characters: 9 },
  publications: { registry: 'registry', id: 'registration_id', characters: 9 },
  raw: { registry: 'registry', id: 'id', characters: 9 },
  canonical_ids: { registry: "''", id: 'canonical_id', characters: 6 },
} as const satisfies Record<(typeof BLOCKED_TABLES)[number], unknown>;
export type BlockedTable = keyof typeof BLOCKS;

export function isBlocked(table: SnapshotTable): table is BlockedTable {
  return (BLOCKED_TABLES as readonly string[]).includes(table);
}

/** Rows hashed in one statement: each needs about 2 kB that cannot spill, and two tables are hashed at once. */
const ROWS_AT_ONCE = 100_000;

/**
 * The root of a table that was just written, equal to that of `rootOfTable`, but with the row hashes of unchanged
 * blocks reused. A changed record shows in its payload's checksum, so that no registry text can be made to look
 * unchanged; a changed reading of the same payloads shows in the sum of DuckDB's 64-bit hashes of the rows. For `raw`
 * the registrations are read, whose payloads `writeRawParts` has found in the parts. Keeps the blocks for the next
 * publish.
 */
export async function hashBlocks(db: Connection, dir: string, table: BlockedTable): Promise<TableValues> {
  const form = formOf(table);
  await findBlocks(db, dir, table, form);
  await hashChanged(db, dir, table);
  const values = await rootOfBlocks(db, table);
  await keepBlocks(db, table, form);
  return values;
}

function sourceOf(dir: string, table: BlockedTable): string {
  return table === 'raw' ? '(SELECT registry, id, payload_sha256 FROM registrations)' : parquetSource(dir, table);
}

function blockOf(table: BlockedTable): string {
  const { registry, id, characters } = BLOCKS[table];
  return `${registry} AS block_registry, left("${id}", ${characters}) AS block`;
}

/** Makes `<table>_found`: each block as it is now, with its kept row hashes where it is unchanged. */
async function findBlocks(db: Connection, dir: string, table: BlockedTable, form: string): Promise<void> {
  const content = columnList(hashedColumns(table));
  const { registry, characters } = BLOCKS[table];
  const payloads =
    registry === "''"
      ? `SELECT '' AS block_registry, '' AS block, '' AS payloads WHERE false`
      : `SELECT registry AS block_registry, left(id, ${characters}) AS block,
           md5(array_to_string(list_sort(list(id || ' ' || payload_sha256)), ' ')) AS payloads
         FROM registrations GROUP BY ALL`;
  await db.run(
    `CREATE OR REPLACE TEMP TABLE ${table}_found AS
     SELECT *, floor(sum(CASE WHEN hashes IS NULL THEN row_count ELSE 0 END) OVER (ORDER BY block_registry, block)
       / ${ROWS_AT_ONCE})::INTEGER AS share
     FROM (
       SELECT block_registry, block, row_count, sha256(concat_ws(' ', row_count, content, coalesce(payloads, ''))) AS state
       FROM (
         SELECT ${blockOf(table)}, count(*) AS row_count, sum(hash(${content})::HUGEINT) AS content
         FROM ${sourceOf(dir, table)} GROUP BY ALL
       ) LEFT JOIN (${payloads}) USING (block_registry, block)
     ) LEFT JOIN (SELECT block_registry, block, state, hashes FROM ${table}_blocks WHERE form = ${sqlLiteral(form)})
       USING (block_registry, block, state)`,
  );
}

/** Makes `<table>_changed`: the row hashes of the other blocks. */
async function hashChanged(db: Connection, dir: string, table: BlockedTable): Promise<void> {
  const key = columnList(TABLE_SPECS[table].key);
  await db.run(`CREATE OR REPLACE TEMP TABLE ${table}_changed (block_registry VARCHAR, block VARCHAR, hashes BLOB)`);
  const shares = await db.all(
    `SELECT share, min(block) AS "first", max(block) AS "last" FROM ${table}_found WHERE hashes IS NULL
     GROUP BY share ORDER BY share`,
  );
  const { id } = BLOCKS[table];
  for (const { share, first, last } of shares) {
    // The range follows from the blocks, since an id begins with its block; it lets files and row groups be skipped.
    await db.run(
      `INSERT INTO ${table}_changed
       SELECT block_registry, block, unhex(string_agg(row_hash, '' ORDER BY ${key}, row_hash))
       FROM (
         SELECT block_registry, block, ${key}, ${rowLeaf(table, hashedColumns(table))} AS row_hash
         FROM (
           SELECT *, ${blockOf(table)} FROM ${sourceOf(dir, table)}
           WHERE "${id}" >= ${sqlLiteral(String(first))} AND "${id}" < ${sqlLiteral(`${last}\u{10ffff}`)}
         )
         SEMI JOIN (SELECT block_registry, block FROM ${table}_found WHERE hashes IS NULL AND share = ${Number(share)})
           USING (block_registry, block)
       ) GROUP BY block_registry, block`,
    );
  }
}

function rootOfBlocks(db: Connection, table: BlockedTable): Promise<TableValues> {
  return rootOfJoined(db, {
    hashes: 'lower(hex(coalesce(found.hashes, changed.hashes)))',
    from: `${table}_found found LEFT JOIN ${table}_changed changed USING (block_registry, block)`,
    order: 'found.block_registry, found.block',
  });
}

/** A kill between the statements leaves fewer blocks, all correct; the next publish then reuses less. */
async function keepBlocks(db: Connection, table: BlockedTable, form: string): Promise<void> {
  await db.run(
    `DELETE FROM ${table}_blocks b WHERE NOT EXISTS (
       SELECT 1 FROM ${table}_found f
       WHERE f.hashes IS NOT NULL AND f.block_registry = b.block_registry AND f.block = b.block);
     INSERT INTO ${table}_blocks
       SELECT block_registry, block, f.state, c.hashes, ${sqlLiteral(form)}
       FROM ${table}_changed c JOIN ${table}_found f USING (block_registry, block);
     DROP TABLE ${table}_found;
     DROP TABLE ${table}_changed`,
  );
}

/** What kept row hashes depend on besides the rows: the library that writes their JSON, and how blocks are made. */
function formOf(table: BlockedTable): string {
  const columns = columnList([...TABLE_SPECS[table].key, ...hashedColumns(table)]);
  return sha256(`${LIBRARY_VERSION} ${blockOf(table)} ${columns} ${rowLeaf(table, hashedColumns(table))}`);
}
