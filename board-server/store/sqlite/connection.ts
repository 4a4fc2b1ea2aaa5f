import SQLite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { keepForOwner } from '../../../server-kit/owner-only.ts';
import { SessionDialect } from '../dialect.ts';
import { keyFileOf, type Sealer, sealerOf } from '../sealed.ts';
import { bytesOf, type Sent, type Session } from '../session.ts';
import type { BoardTables } from '../tables.ts';
import { SQLITE_TEXT } from '../text.ts';
import { BoardFileFault, migrate } from './migrate.ts';

/** Waiting inside SQLite blocks the process, so a serving connection hardly waits; the writer waits between tries. */
const BUSY_TIMEOUT_MS = 5;
/** At start-up no request waits for it. */
const OPEN_TIMEOUT_MS = 2_000;

/** Pages of 4 kB. Four times the default: a page changed by many groups of writes is copied to the file once. */
const CHECKPOINT_PAGES = 4_000;

/** The board has far fewer distinct statements; lists with many combinations of filters make most of them. */
const STATEMENTS_MAX = 500;

interface ConnectOptions {
  readonly: boolean;
  /** Whether transactions of several callers take turns on it: the queries of each wait for the previous one. */
  queues: boolean;
  timeout?: number;
}

/** One connection to a file that is known to be a board. */
export class Connection implements Session {
  readonly dialect = 'sqlite';
  readonly db: Kysely<BoardTables>;
  /** Gives access to the state of the connection. */
  readonly file: SQLite.Database;
  /** Told of every statement that fails. */
  onFailure: (error: unknown) => void = () => undefined;
  bytesWritten = 0;
  readonly #statements = new Map<string, SQLite.Statement>();

  constructor(path: string, { readonly, queues, timeout = BUSY_TIMEOUT_MS }: ConnectOptions) {
    this.file = new SQLite(path, { readonly, timeout });
    try {
      if (!readonly) {
        this.file.pragma('journal_mode = WAL');
        this.file.pragma('synchronous = FULL');
        // Otherwise the undo data of a savepoint goes through a file from 64 kB on, which is nearly every write.
        this.file.pragma('temp_store = MEMORY');
        this.file.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      }
      this.file.pragma('foreign_keys = ON');
    } catch (error) {
      this.file.close();
      throw error;
    }
    const dialect = new SessionDialect('sqlite', (text, parameters) => this.send(text, parameters), { queues });
    this.db = new Kysely<BoardTables>({ dialect });
  }

  /** What one connection sees, another may not see yet. */
  get source(): object {
    return this;
  }

  get inTransaction(): boolean {
    return this.file.inTransaction;
  }

  /** Runs one statement at once. Texts are stored in their storable form and come back as they were given. */
  send(text: string, parameters: readonly unknown[] = []): Sent {
    try {
      return this.#run(text, parameters);
    } catch (error) {
      this.onFailure(error);
      throw error;
    }
  }

  sendLater(text: string, parameters: readonly unknown[] = []): void {
    this.send(text, parameters);
  }

  #run(text: string, parameters: readonly unknown[]): Sent {
    const statement = this.#prepared(text);
    const values = parameters.map((value) => (typeof value === 'string' ? SQLITE_TEXT.storable(value) : value));
    if (!statement.reader) {
      this.bytesWritten += bytesOf(values);
      return { rows: [], changes: statement.run(values).changes };
    }
    const rows = statement.all(values) as Record<string, unknown>[];
    for (const row of rows) {
      for (const name in row) {
        const value = row[name];
        if (typeof value === 'string') row[name] = SQLITE_TEXT.given(value);
      }
    }
    return { rows, changes: 0 };
  }

  /** Nothing streams rows, so a statement is never in use when it is asked for again. */
  #prepared(text: string): SQLite.Statement {
    const known = this.#statements.get(text);
    if (known) return known;
    if (this.#statements.size >= STATEMENTS_MAX) this.#statements.clear();
    const statement = this.file.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }

  async close(): Promise<void> {
    await this.db.destroy();
    this.file.close();
  }
}

/** Writes run one after the other, so whatever runs on their connection belongs to the one that runs. */
export const WRITER = { readonly: false, queues: false } as const;
/** For single look-ups: each sees what is committed, and waits for no transaction. */
export const READER = { readonly: true, queues: false } as const;
/** For transactions that read one moment. */
export const SNAPSHOT_READER = { readonly: true, queues: true } as const;

/**
 * Opens the writer of a file for its owner alone, brings its schema up to date and proves that it can be written to. Throws BoardFileFault
 * with what to do for a file that is damaged, locked, read-only, of a newer program or no board at all.
 */
export async function openWriter(path: string): Promise<{ writer: Connection; sealer: Sealer }> {
  let connection: Connection | null = null;
  try {
    keepForOwner(path);
    connection = new Connection(path, { ...WRITER, timeout: OPEN_TIMEOUT_MS });
    const sealer = sealerOf(keyFileOf(path));
    await migrate(connection.db, path);
    proveWritable(connection.file);
    connection.file.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return { writer: connection, sealer };
  } catch (error) {
    await connection?.close();
    throw error instanceof BoardFileFault ? error : new BoardFileFault(openingFault(path, error), { cause: error });
  }
}

/** SQLite begins a write even on a read-only disk with a left-over write-ahead file, so only a real write proves it. */
function proveWritable(file: SQLite.Database): void {
  const version = file.pragma('user_version', { simple: true });
  file.exec('BEGIN IMMEDIATE');
  try {
    file.pragma(`user_version = ${version}`);
  } finally {
    file.exec('ROLLBACK');
  }
}

/** SQLite's code of an error, for example SQLITE_BUSY; empty for any other error. */
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
