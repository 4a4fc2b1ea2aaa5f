import { type Kysely, sql } from 'kysely';
import { StoreFault } from '../engine.ts';
import { FIRST_SCHEMA, MIGRATIONS, newestSchema, refusalOfOld, searchTables } from '../migrations.ts';
import type { BoardTables } from '../tables.ts';
import { isCheckedFirst } from './file-check.ts';

/** The file cannot be used as the board; start-up stops and says what to do. */
export class BoardFileFault extends StoreFault {}

/**
 * Brings a file to the newest schema, one transaction for each migration; user_version holds the schema. A file that needs a
 * migration, or is short, is checked for damage first.
 */
export async function migrate(db: Kysely<BoardTables>, path: string): Promise<void> {
  const version = await schemaVersion(db, path);
  if (version > newestSchema()) {
    throw new BoardFileFault(
      `${path} has schema ${version}, this program knows ${newestSchema()}: run the newer program, or restore a backup made with this one`,
    );
  }
  for (const { schema, statements } of MIGRATIONS.filter((one) => one.schema > version)) {
    await db.transaction().execute(async (tx) => {
      const searches = schema === FIRST_SCHEMA ? searchTables('sqlite') : [];
      for (const statement of [...statements, ...searches]) await sql.raw(statement).execute(tx);
      await sql.raw(`PRAGMA user_version = ${schema}`).execute(tx);
    });
  }
}

async function schemaVersion(db: Kysely<BoardTables>, path: string): Promise<number> {
  const { rows } = await sql<{ user_version: number }>`PRAGMA user_version`.execute(db);
  const version = rows[0]?.user_version ?? 0;
  if (version < newestSchema() || isCheckedFirst(path)) await refuseDamaged(db, path);
  if (version === 0 && (await holdsTables(db))) {
    throw new BoardFileFault(`${path} is a database of something else: name another file in BOARD_DB`);
  }
  if (version > 0 && version < FIRST_SCHEMA) throw new BoardFileFault(refusalOfOld(path, version));
  return version;
}

async function refuseDamaged(db: Kysely<BoardTables>, path: string): Promise<void> {
  const check = await sql<{ quick_check: string }>`PRAGMA quick_check(1)`.execute(db);
  const finding = check.rows[0]?.quick_check;
  if (finding !== 'ok') {
    throw new BoardFileFault(`${path} is damaged (${finding}): restore a backup with \`npm run board -- restore\``);
  }
}

async function holdsTables(db: Kysely<BoardTables>): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM sqlite_schema LIMIT 1`.execute(db);
  return rows.length > 0;
}
