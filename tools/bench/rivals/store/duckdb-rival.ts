import { statSync } from 'node:fs';
import { Database } from '../../../../pipeline/store/database.ts';
import { sqlLiteral } from '../../../../snapshot/sql/connection.ts';
import {
  type CoverageAnswer,
  PAGE_SIZE,
  type Rival,
  type SearchAnswer,
  type StatusAnswer,
  statusAnswer,
} from '../answers.ts';
import type { FoldedQuery } from '../folding.ts';
import type { FoldedCorpus } from './folded-corpus.ts';

const MEMORY = '4000MB';

/** DuckDB over the folded Parquet file; nothing is loaded. */
export async function openDuckDb(corpus: FoldedCorpus): Promise<Rival> {
  const started = performance.now();
  const database = await Database.open(':memory:', { memoryLimit: MEMORY });
  await database.run('SET parquet_metadata_cache = true');
  await database.run(`CREATE VIEW trials AS SELECT * FROM read_parquet(${sqlLiteral(corpus.path)})`);
  const version = await database.one('SELECT version() AS version');
  return new DuckDbRival(database, corpus.path, String(version?.version), (performance.now() - started) / 1000);
}

class DuckDbRival implements Rival {
  readonly name: string;
  readonly how =
    'in process, 2 threads; a scan of the zstd Parquet file with contains() on the folded text; nothing is loaded, so its load is the opening';
  readonly loadSeconds: number;
  readonly #database: Database;
  readonly #path: string;

  constructor(database: Database, path: string, version: string, loadSeconds: number) {
    this.#database = database;
    this.#path = path;
    this.loadSeconds = loadSeconds;
    this.name = `DuckDB ${version} over Parquet`;
  }

  bytesOnDisk(): number {
    return statSync(this.#path).size;
  }

  async search(query: FoldedQuery): Promise<SearchAnswer> {
    const { where, keys } = conditionsOf(query);
    const rows = await this.#database.all(
      `WITH hits AS MATERIALIZED (SELECT "row", id, title, status FROM trials WHERE ${where})
       SELECT (SELECT count(*)::INTEGER FROM hits) AS total, page.*
       FROM (SELECT * FROM hits ORDER BY "row" LIMIT ${PAGE_SIZE}) page ORDER BY "row"`,
      keys,
    );
    const page = rows.map((row) => ({
      id: String(row.id),
      title: row.title as string | null,
      status: String(row.status),
    }));
    return { total: Number(rows[0]?.total ?? 0), page };
  }

  async coverage(query: FoldedQuery): Promise<CoverageAnswer> {
    const { where, keys } = conditionsOf(query);
    const row = await this.#database.one(
      `SELECT count(*)::INTEGER AS "distinct", count("ctgovId")::INTEGER AS ctgov, count("isrctnId")::INTEGER AS isrctn,
         (count(*) FILTER ("ctgovId" IS NOT NULL AND "isrctnId" IS NOT NULL))::INTEGER AS "both"
       FROM trials WHERE ${where}`,
      keys,
    );
    return row as unknown as CoverageAnswer;
  }

  async statuses(query: FoldedQuery): Promise<StatusAnswer> {
    const { where, keys } = conditionsOf(query);
    const rows = await this.#database.all(
      `SELECT status, count(*)::INTEGER AS trials FROM trials WHERE ${where} GROUP BY status`,
      keys,
    );
    return statusAnswer(rows as unknown as { status: string; trials: number }[]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#database.close();
  }
}

function conditionsOf({ words, phrases }: FoldedQuery): { where: string; keys: string[] } {
  const keys = [...words, ...phrases.map((phrase) => phrase.join(' '))].map((run) => ` ${run} `);
  return { where: keys.map((_, place) => `contains("text", $${place + 1})`).join(' AND '), keys };
}
