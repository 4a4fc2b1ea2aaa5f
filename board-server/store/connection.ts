import SQLite from 'better-sqlite3';
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import { BoardFileFault, migrate } from './migrate.ts';
import type { BoardTables } from './tables.ts';
import { givenTexts } from './text.ts';

/** One connection: `db` for queries, `file` for its state. */
export interface Connection {
  db: Kysely<BoardTables>;
  file: SQLite.Database;
}

/** Waiting inside SQLite blocks the process, so a serving connection barely does; the writer waits between its tries. */
const BUSY_TIMEOUT_MS = 5;
/** At start-up nothing else is kept waiting. */
const OPEN_TIMEOUT_MS = 2_000;

/** A connection to a file that is known to be a board. */
export function connect(path: string, readonly: boolean, timeout = BUSY_TIMEOUT_MS): Connection {
  const file = new SQLite(path, { readonly, timeout });
  try {
    if (!readonly) {
      file.pragma('journal_mode = WAL');
      file.pragma('synchronous = FULL');
    }
    file.pragma('foreign_keys = ON');
  } catch (error) {
    file.close();
    throw error;
  }
  return {
    file,
    db: new Kysely<BoardTables>({
      dialect: new SqliteDialect({ database: preparingOnce(file) }),
      plugins: [givenTexts],
    }),
  };
}

/** Distinct statements of the board are far fewer; lists with many filter combinations make the most. */
const STATEMENTS_MAX = 500;

/**
 * Kysely prepares each query anew; preparing took a sixth of the time of a write. Statements are kept by their text. No
 * store streams rows, so a statement is never in use when it is asked for again.
 */
function preparingOnce(file: SQLite.Database): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    prepare(text) {
      const known = statements.get(text);
      if (known) return known;
      if (statements.size >= STATEMENTS_MAX) statements.clear();
      const statement = file.prepare(text) as unknown as SqliteStatement;
      statements.set(text, statement);
      return statement;
    },
    close: () => file.close(),
  };
}

/** Kysely closes only what it has used once, so the file is closed too. */
export async function disconnect({ db, file }: Connection): Promise<void> {
  await db.destroy();
  file.close();
}

/**
 * Opens the writer of a file, brings its schema up to date and proves that it can be written to. Throws BoardFileFault
 * with what to do for a file that is damaged, locked, read-only, of a newer program or no board at all.
 */
export async function openWriter(path: string): Promise<Connection> {
  let connection: Connection | null = null;
  try {
    connection = connect(path, false, OPEN_TIMEOUT_MS);
    await migrate(connection.db, path);
    connection.file.exec('BEGIN IMMEDIATE; ROLLBACK');
    connection.file.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return connection;
  } catch (error) {
    if (connection) await disconnect(connection);
    throw error instanceof BoardFileFault ? error : new BoardFileFault(openingFault(path, error), { cause: error });
  }
}

/** SQLite's own code of what a store threw, e.g. SQLITE_BUSY; empty for anything else. */
export function sqliteCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : '';
}

export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error));
}

function openingFault(path: string, error: unknown): string {
  const code = sqliteCode(error);
  const said = error instanceof Error ? error.message : String(error);
  if (isBusy(error)) return `${path} is locked by another process (${said}): stop that process, then start again`;
  if (/^SQLITE_(READONLY|PERM)/.test(code))
    return `${path} cannot be written to (${said}): give the service the right to write it and its directory`;
  if (code.startsWith('SQLITE_FULL')) return `${path} cannot grow (${said}): free space on its disk`;
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code))
    return `${path} is damaged (${said}): restore a backup with \`npm run board -- restore\``;
  return `${path} cannot be opened as a board (${said}): check the file and BOARD_DB`;
}
