import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { Board } from '../../../board-server/store/board.ts';
import { Reader } from '../../../board-server/store/reader.ts';
import { Connection, READER } from '../../../board-server/store/sqlite/connection.ts';
import { countedBytes, TestClock } from './board.ts';

export interface Plans extends AsyncDisposable {
  db: Reader;
  /** The query plan of each query that `read` sends. */
  of(read: () => unknown): Promise<string[]>;
}

/** A connection that records its queries. */
class NotingConnection extends Connection {
  sent: { text: string; parameters: readonly unknown[] }[] = [];

  override send(text: string, parameters: readonly unknown[] = []) {
    this.sent.push({ text, parameters });
    return super.send(text, parameters);
  }
}

/** Opens the plans of an empty board's file. It has no statistics, like every board. */
export async function openPlans(): Promise<Plans> {
  const root = await mkdtemp(join(tmpdir(), 'trial-board-plans-'));
  const path = join(root, 'board.sqlite');
  await (await Board.open(path, { now: new TestClock().now, random: countedBytes() }))[Symbol.asyncDispose]();
  const plans = plansOver(path);
  return {
    ...plans,
    async [Symbol.asyncDispose]() {
      await plans[Symbol.asyncDispose]();
      await rm(root, { recursive: true });
    },
  };
}

export function plansOver(path: string): Plans {
  const file = new SQLite(path, { readonly: true });
  const connection = new NotingConnection(path, READER);
  return {
    db: new Reader(connection),
    async of(read) {
      connection.sent = [];
      await read();
      return connection.sent.map(({ text, parameters }) => {
        const rows = file.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...parameters) as { detail: string }[];
        return rows.map(({ detail }) => detail.replace(/^SEARCH \w+ USING INDEX /, '')).join('; ');
      });
    },
    async [Symbol.asyncDispose]() {
      await connection.close();
      file.close();
    },
  };
}
