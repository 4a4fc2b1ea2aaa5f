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

/** Of 4 kB. Four times the default: a page that many groups of writes change is copied into the file once for them all. */
const CHECKPOINT_PAGES = 4_000;

/** `atOnce` lets statements of prepared.ts pass by Kysely's queue: for connections on which nothing waits in it. */
interface ConnectOptions {
  readonly: boolean;
  atOnce: boolean;
  timeout?: number;
}

/** A connection to a file that is known to be a board. */
export function connect(path: string, { readonly, atOnce, timeout = BUSY_TIMEOUT_MS }: ConnectOptions): Connection {
  const file = new SQLite(path, { readonly, timeout });
  try {
    if (!readonly) {
      file.pragma('journal_mode = WAL');
      file.pragma('synchronous = FULL');
      // What a savepoint would have to undo would go through a file as soon as it is 64 kB: nearly every write.
      file.pragma('temp_store = MEMORY');
      file.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    }
    file.pragma('foreign_keys = ON');
  } catch (error) {
    file.close();
    throw error;
  }
  const database = preparingOnce(file);
  const db = new Kysely<BoardTables>({ dialect: new SqliteDialect({ database }), plugins: [givenTexts] });
  if (atOnce) AT_ONCE.set(db.getExecutor().adapter, database);
  return { file, db };
}

/** By what a connection and all its transactions have in common. */
const AT_ONCE = new WeakMap<object, SqliteDatabase>();

/** The statements of a connection that was opened to run them at once; undefined for any other. */
export function statementsOf(db: Kysely<BoardTables>): SqliteDatabase | undefined {
  return AT_ONCE.get(db.getExecutor().adapter);
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

/** Writes run one after the other, so whatever runs on their connection belongs to the one that runs. */
export const WRITER = { readonly: false, atOnce: true } as const;

/**
 * Opens the writer of a file, brings its schema up to date and proves that it can be written to. Throws BoardFileFault
 * with what to do for a file that is damaged, locked, read-only, of a newer program or no board at all.
 */
export async function openWriter(path: string): Promise<Connection> {
  let connection: Connection | null = null;
  try {
    connection = connect(path, { ...WRITER, timeout: OPEN_TIMEOUT_MS });
    await migrate(connection.db, path);
    proveWritable(connection.file);
    connection.file.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return connection;
  } catch (error) {
    if (connection) await disconnect(connection);
    throw error instanceof BoardFileFault ? error : new BoardFileFault(openingFault(path, error), { cause: error });
  }
}

/** SQLite begins a write on a read-only disk where a write-ahead file was left, so that only a write itself tells. */
function proveWritable(file: SQLite.Database): void {
  const version = file.pragma('user_version', { simple: true });
  file.exec('BEGIN IMMEDIATE');
  try {
    file.pragma(`user_version = ${version}`);
  } finally {
    file.exec('ROLLBACK');
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
