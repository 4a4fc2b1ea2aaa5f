import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Json } from './interfaces.ts';

/** What is true, read from the tables of the snapshot by plain SQL, or from the board over REST. */
export interface Truth {
  /** Trials of a phase that name a condition. */
  inPhase(phase: string, condition: string): Promise<number>;
  /** The trial whose clock of the results gap began first. */
  mostOverdue(): Promise<string>;
  /** Trials with a stored change against the snapshot before. */
  changedTrials(): Promise<number>;
  /** The trial of both registries that was updated last, with the rules of the links that touch it. */
  newestInBoth(): Promise<{ id: string; ctgov_id: string; isrctn_id: string; rules: string[] }>;
  /** Trials that name a condition, by the year of their start. */
  startsByYear(condition: string): Promise<{ year: string; trials: number }[]>;
  get(path: string): Promise<Json>;
  post(path: string, body: unknown): Promise<Json>;
}

/** SQL: whether a trial names a condition. */
const names = (condition: string): string => `len(list_filter(conditions, c -> lower(c) = lower('${condition}'))) > 0`;

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
  const count = async (from: string): Promise<number> => Number((await rows(`SELECT count(*) AS n FROM ${from}`))[0].n);
  return {
    inPhase: (phase, condition) => count(`trials WHERE phase = '${phase}' AND ${names(condition)}`),
    changedTrials: () => count('(SELECT DISTINCT canonical_id FROM changes)'),
    async mostOverdue() {
      const [first] = await rows(
        `SELECT t.canonical_id AS id FROM trials t JOIN registrations r ON r.id = t.ctgov_id
         WHERE r.status = 'completed' AND r.study_type = 'interventional' AND NOT t.results_available
         ORDER BY coalesce(r.primary_completion_date.date, r.completion_date.date) NULLS LAST LIMIT 1`,
      );
      return first.id;
    },
    async newestInBoth() {
      const [trial] = await rows(
        `SELECT canonical_id AS id, ctgov_id, isrctn_id FROM trials WHERE len(registries) = 2
         ORDER BY last_updated_date.date DESC, canonical_id LIMIT 1`,
      );
      const ids = `('${trial.ctgov_id}', '${trial.isrctn_id}')`;
      const links = await rows(`SELECT "rule" FROM links WHERE from_id IN ${ids} OR to_id IN ${ids} ORDER BY "rule"`);
      return { ...trial, rules: links.map(({ rule }) => rule) };
    },
    startsByYear: (condition) =>
      rows(
        `SELECT left(start_date.date, 4) AS year, count(*)::INTEGER AS trials FROM trials
         WHERE ${names(condition)} AND start_date IS NOT NULL GROUP BY year ORDER BY year`,
      ),
    get: (path) => asked(path),
    post: (path, body) =>
      asked(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    async [Symbol.asyncDispose]() {
      db.closeSync();
      instance.closeSync();
    },
  };
}
