import { statSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { readFoldedTrials } from './corpus.ts';
import { type Answer, countsByName, type Engine, PAGE_SIZE, type Question } from './engine.ts';
import { foldQuery } from './folding.ts';

/** Page cache of the connection in KiB, and mapped bytes of the file: as much as possible. */
const CACHE_KIB = 512 * 1024;
const MAPPED_BYTES = 2 ** 34;

const SCHEMA = `
  CREATE TABLE trials (
    "row" INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, ctgov_id TEXT, isrctn_id TEXT, title TEXT, status TEXT NOT NULL,
    phase TEXT NOT NULL, study_type TEXT NOT NULL, sponsor TEXT, updated TEXT
  ) STRICT;
  CREATE VIRTUAL TABLE searched USING fts5("text", content = '', tokenize = "unicode61 remove_diacritics 0")`;

const FOUND = 'FROM searched s JOIN trials t ON t."row" = s.rowid WHERE searched MATCH ?';

/** Full-text rows are numbered in result order, so that a page is read off without sorting: as fast as FTS5 can be. */
export async function loadSqlite(snapshotDir: string, folder: string): Promise<Engine> {
  const started = performance.now();
  const path = join(folder, 'rival.sqlite');
  const database = new SQLite(path);
  for (const setting of ['journal_mode = OFF', 'synchronous = OFF', `cache_size = -${CACHE_KIB}`])
    database.pragma(setting);
  database.exec(SCHEMA);
  const addTrial = database.prepare(
    'INSERT INTO trials VALUES (@row, @id, @ctgovId, @isrctnId, @title, @status, @phase, @studyType, @sponsor, @updated)',
  );
  const addText = database.prepare('INSERT INTO searched (rowid, "text") VALUES (?, ?)');
  database.exec('BEGIN');
  for await (const trials of readFoldedTrials(snapshotDir, folder)) {
    for (const { text, ...trial } of trials) {
      addTrial.run(trial);
      addText.run(trial.row, text);
    }
  }
  database.exec("COMMIT; INSERT INTO searched (searched) VALUES ('optimize'); ANALYZE");
  database.pragma(`mmap_size = ${MAPPED_BYTES}`);
  const total = database.prepare<[string], number>('SELECT count(*) FROM searched WHERE searched MATCH ?').pluck();
  const page = database.prepare<[string], string>(`SELECT t.id ${FOUND} ORDER BY s.rowid LIMIT ${PAGE_SIZE}`).pluck();
  const coverage = database.prepare<[string], Record<string, number>>(
    `SELECT count(*) AS "distinct", count(t.ctgov_id) AS ctgov, count(t.isrctn_id) AS isrctn,
       count(*) FILTER (WHERE t.ctgov_id IS NOT NULL AND t.isrctn_id IS NOT NULL) AS "both" ${FOUND}`,
  );
  const statuses = database.prepare<[string], { status: string; trials: number }>(
    `SELECT t.status, count(*) AS trials ${FOUND} GROUP BY t.status`,
  );
  return {
    name: `SQLite ${database.prepare<[], string>('SELECT sqlite_version()').pluck().get()} FTS5`,
    how: 'in process; contentless FTS5 table whose rows are numbered in result order; one statement for the total, one for the page',
    loadSeconds: (performance.now() - started) / 1000,
    bytesOnDisk: statSync(path).size,
    ask(question: Question, q: string): Answer {
      const match = matchOf(q);
      if (question === 'search') return { total: total.get(match) ?? 0, page: page.all(match) };
      return question === 'coverage' ? coverage.get(match)! : countsByName(statuses.all(match));
    },
    async [Symbol.asyncDispose]() {
      database.close();
    },
  };
}

function matchOf(q: string): string {
  const { words, phrases } = foldQuery(q);
  const quoted = [...words, ...phrases.map((keys) => keys.join(' '))].map((keys) => `"${keys}"`);
  return quoted.join(' AND ');
}
