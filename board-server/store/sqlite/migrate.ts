import { type Kysely, sql } from 'kysely';
import { StoreFault } from '../engine.ts';
import { MIGRATIONS } from '../migrations/all.ts';
import type { Sealer } from '../sealed.ts';
import type { BoardTables } from '../tables.ts';
import { isCheckedFirst } from './file-check.ts';

/** The file cannot be used as the board; start-up stops and says what to do. */
export class BoardFileFault extends StoreFault {}

/**
 * Brings a file to the newest schema, one transaction for each migration; user_version holds the number applied. A file
 * that needs a migration, or is short, is checked for damage first.
 */
export async function migrate(db: Kysely<BoardTables>, path: string, sealer: Sealer): Promise<void> {
  const version = await schemaVersion(db, path);
  if (version > MIGRATIONS.length) {
    throw new BoardFileFault(
      `${path} has schema ${version}, this program knows ${MIGRATIONS.length}: run the newer program, or restore a backup made with this one`,
    );
  }
  for (let next = version; next < MIGRATIONS.length; next += 1) {
    await db.transaction().execute(async (tx) => {
      await MIGRATIONS[next]!.up(tx as unknown as Kysely<never>, sealer, 'sqlite');
      await sql.raw(`PRAGMA user_version = ${next + 1}`).execute(tx);
    });
  }
}

async function schemaVersion(db: Kysely<BoardTables>, path: string): Promise<number> {
  const { rows } = await sql<{ user_version: number }>`PRAGMA user_version`.execute(db);
  const version = rows[0]?.user_version ?? 0;
  if (version < MIGRATIONS.length || isCheckedFirst(path)) await refuseDamaged(db, path);
  if (version === 0 && (await holdsTables(db))) {
    throw new BoardFileFault(`${path} is a database of something else: name another file in BOARD_DB`);
  }
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
