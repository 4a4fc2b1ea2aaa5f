import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Json } from './doors.ts';

/** What is true, read from the tables of the snapshot by plain SQL, or from the board over REST. */
export interface Truth {
  count(from: string): Promise<number>;
  rows(sql: string): Promise<Json[]>;
  get(path: string): Promise<Json>;
  post(path: string, body: unknown): Promise<Json>;
}

const TABLES = ['trials', 'registrations', 'links', 'changes'] as const;

export async function openTruth(snapshot: string, origin: string): Promise<Truth & AsyncDisposable> {
  const instance = await DuckDBInstance.create(':memory:');
  const db = await instance.connect();
  for (const table of TABLES) {
    await db.run(`CREATE VIEW ${table} AS FROM '${join(snapshot, `${table}.parquet`)}'`);
  }
  const rows = async (sql: string): Promise<Json[]> => (await db.runAndReadAll(sql)).getRowObjectsJson();
  const asked = async (path: string, init: RequestInit = {}): Promise<Json> => {
    const response = await fetch(`${origin}${path}`, init);
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  return {
    rows,
    count: async (from) => Number((await rows(`SELECT count(*) AS n FROM ${from}`))[0].n),
    get: (path) => asked(path),
    post: (path, body) =>
      asked(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    async [Symbol.asyncDispose]() {
      db.closeSync();
      instance.closeSync();
    },
  };
}
