import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { type CompiledQuery, Kysely, type LogEvent, type SqliteDatabase, SqliteDialect } from 'kysely';
import { Board } from '../../board-server/store/board.ts';
import type { BoardTables } from '../../board-server/store/tables.ts';
import { countedBytes, TestClock } from './board.ts';

export interface Plans extends AsyncDisposable {
  /** An empty board's file, as every board has it: without statistics. */
  db: Kysely<BoardTables>;
  /** How SQLite carries out each query that `read` sends. */
  of(read: () => Promise<unknown>): Promise<string[]>;
}

export async function openPlans(): Promise<Plans> {
  const root = await mkdtemp(join(tmpdir(), 'trial-board-plans-'));
  const path = join(root, 'board.sqlite');
  await (await Board.open(path, { now: new TestClock().now, random: countedBytes() }))[Symbol.asyncDispose]();
  const file = new SQLite(path);
  let sent: CompiledQuery[] = [];
  const db = new Kysely<BoardTables>({
    dialect: new SqliteDialect({ database: file as unknown as SqliteDatabase }),
    log: ({ query }: LogEvent): void => {
      sent.push(query);
    },
  });
  return {
    db,
    async of(read) {
      sent = [];
      await read();
      return sent.map(({ sql, parameters }) => {
        const rows = file.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[];
        return rows.map(({ detail }) => detail.replace(/^SEARCH \w+ USING INDEX /, '')).join('; ');
      });
    },
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await rm(root, { recursive: true });
    },
  };
}
