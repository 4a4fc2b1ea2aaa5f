import { statSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import {
  type CoverageAnswer,
  PAGE_SIZE,
  type PageRow,
  type Rival,
  type SearchAnswer,
  type StatusAnswer,
  statusAnswer,
} from '../answers.ts';
import type { FoldedQuery } from '../folding.ts';
import { type FoldedCorpus, type FoldedTrial, readFoldedCorpus } from './folded-corpus.ts';

/** Page cache of the connection in KiB, and mapped bytes of the file: as much as possible. */
const CACHE_KIB = 512 * 1024;
const MAPPED_BYTES = 2 ** 34;

const SCHEMA = `
  CREATE TABLE trials (
    "row" INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, ctgov_id TEXT, isrctn_id TEXT, title TEXT, status TEXT NOT NULL,
    recruitment_status TEXT NOT NULL, phase TEXT NOT NULL, study_type TEXT NOT NULL, sponsor TEXT, conditions TEXT NOT NULL,
    interventions TEXT NOT NULL, updated TEXT, started TEXT, completed TEXT
  ) STRICT;
  CREATE VIRTUAL TABLE searched USING fts5("text", content = '', tokenize = "unicode61 remove_diacritics 0")`;

const INDEXES = `
  CREATE INDEX trials_updated ON trials (updated DESC, id);
  CREATE INDEX trials_status ON trials (status);
  CREATE INDEX trials_phase ON trials (phase);
  INSERT INTO searched (searched) VALUES ('optimize');
  ANALYZE`;

/** Full-text rows are numbered in result order, so that a page is read off without sorting: as fast as FTS5 can be. */
export async function loadSqlite(corpus: FoldedCorpus, dir: string): Promise<Rival> {
  const started = performance.now();
  const path = join(dir, 'rival.sqlite');
  const database = new SQLite(path);
  database.pragma('journal_mode = OFF');
  database.pragma('synchronous = OFF');
  database.pragma(`cache_size = -${CACHE_KIB}`);
  database.exec(SCHEMA);
  const addTrial = database.prepare(
    `INSERT INTO trials VALUES (@row, @id, @ctgovId, @isrctnId, @title, @status, @recruitmentStatus, @phase, @studyType,
       @sponsor, @conditions, @interventions, @updated, @started, @completed)`,
  );
  const addText = database.prepare('INSERT INTO searched (rowid, "text") VALUES (?, ?)');
  const add = ({ text, conditions, interventions, ...trial }: FoldedTrial): void => {
    addTrial.run({
      ...trial,
      conditions: JSON.stringify(conditions),
      interventions: JSON.stringify(interventions),
    });
    addText.run(trial.row, text);
  };
  database.exec('BEGIN');
  for await (const trials of readFoldedCorpus(corpus)) for (const trial of trials) add(trial);
  database.exec('COMMIT');
  database.exec(INDEXES);
  database.pragma(`mmap_size = ${MAPPED_BYTES}`);
  return new SqliteRival(database, path, (performance.now() - started) / 1000);
}

class SqliteRival implements Rival {
  readonly name: string;
  readonly how =
    'in process; contentless FTS5 table whose rows are numbered in result order; one statement for the total, one for the page';
  readonly loadSeconds: number;
  readonly #database: SQLite.Database;
  readonly #path: string;
  readonly #total: SQLite.Statement<[string], number>;
  readonly #page: SQLite.Statement<[string], PageRow>;
  readonly #coverage: SQLite.Statement<[string], CoverageAnswer>;
  readonly #statuses: SQLite.Statement<[string], { status: string; trials: number }>;

  constructor(database: SQLite.Database, path: string, loadSeconds: number) {
    this.#database = database;
    this.#path = path;
    this.loadSeconds = loadSeconds;
    this.name = `SQLite ${database.prepare<[], string>('SELECT sqlite_version()').pluck().get()} FTS5`;
    this.#total = database.prepare<[string], number>('SELECT count(*) FROM searched WHERE searched MATCH ?').pluck();
    this.#page = database.prepare(
      `SELECT t.id, t.title, t.status FROM searched s JOIN trials t ON t."row" = s.rowid
       WHERE searched MATCH ? ORDER BY s.rowid LIMIT ${PAGE_SIZE}`,
    );
    this.#coverage = database.prepare(
      `SELECT count(*) AS "distinct", count(t.ctgov_id) AS ctgov, count(t.isrctn_id) AS isrctn,
         count(*) FILTER (WHERE t.ctgov_id IS NOT NULL AND t.isrctn_id IS NOT NULL) AS "both"
       FROM searched s JOIN trials t ON t."row" = s.rowid WHERE searched MATCH ?`,
    );
    this.#statuses = database.prepare(
      `SELECT t.status, count(*) AS trials FROM searched s JOIN trials t ON t."row" = s.rowid
       WHERE searched MATCH ? GROUP BY t.status`,
    );
  }

  bytesOnDisk(): number {
    return statSync(this.#path).size;
  }

  search(query: FoldedQuery): SearchAnswer {
    const match = matchOf(query);
    return { total: this.#total.get(match) ?? 0, page: this.#page.all(match) };
  }

  coverage(query: FoldedQuery): CoverageAnswer {
    return this.#coverage.get(matchOf(query)) as CoverageAnswer;
  }

  statuses(query: FoldedQuery): StatusAnswer {
    return statusAnswer(this.#statuses.all(matchOf(query)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#database.close();
  }
}

function matchOf({ words, phrases }: FoldedQuery): string {
  const quoted = [...words, ...phrases.map((keys) => keys.join(' '))].map((keys) => `"${keys}"`);
  return quoted.join(' AND ');
}
