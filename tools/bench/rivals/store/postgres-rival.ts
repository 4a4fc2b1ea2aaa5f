import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  type CoverageAnswer,
  PAGE_SIZE,
  type Rival,
  type SearchAnswer,
  type StatusAnswer,
  statusAnswer,
} from '../answers.ts';
import type { FoldedQuery } from '../folding.ts';
import { type Cluster, startCluster } from '../postgres/cluster.ts';
import { tsqueryOf, tsvectorOf } from '../postgres/text-search.ts';
import { type FoldedCorpus, type FoldedTrial, readFoldedCorpus } from './folded-corpus.ts';

/** The columns of AACT's studies that a search shows or filters by, what repeats as arrays, and the searched text. */
const SCHEMA = `
  CREATE TABLE trials (
    id text PRIMARY KEY, ctgov_id text, isrctn_id text, title text, status text NOT NULL, recruitment_status text NOT NULL,
    phase text NOT NULL, study_type text NOT NULL, sponsor text, updated date, started text, completed text,
    conditions text[] NOT NULL, interventions text[] NOT NULL, searched tsvector NOT NULL
  )`;

const INDEXES = `
  CREATE INDEX ON trials USING gin (searched);
  CREATE INDEX ON trials (updated DESC NULLS LAST, id);
  CREATE INDEX ON trials (status);
  CREATE INDEX ON trials (phase);
  CREATE INDEX ON trials (study_type);
  CREATE INDEX ON trials (sponsor);
  CREATE INDEX ON trials (ctgov_id);
  CREATE INDEX ON trials (isrctn_id)`;

/** One pass over the hits for both the total and the page; the columns to show are fetched for the page alone. */
const SEARCH = `
  WITH hits AS MATERIALIZED (SELECT id, updated FROM trials WHERE searched @@ $1::tsquery),
  page AS (SELECT id, updated FROM hits ORDER BY updated DESC NULLS LAST, id LIMIT ${PAGE_SIZE})
  SELECT (SELECT count(*) FROM hits), t.id, t.title, t.status
  FROM page JOIN trials t ON t.id = page.id ORDER BY page.updated DESC NULLS LAST, page.id`;

const COVERAGE = `
  SELECT count(*), count(ctgov_id), count(isrctn_id),
    count(*) FILTER (WHERE ctgov_id IS NOT NULL AND isrctn_id IS NOT NULL)
  FROM trials WHERE searched @@ $1::tsquery`;

const STATUSES = 'SELECT status, count(*) FROM trials WHERE searched @@ $1::tsquery GROUP BY status';

/** Prepared by the server at the first use of its name; rows come as arrays in the order of the columns. */
function prepared(name: string, text: string) {
  return (values: string[] = []): pg.QueryArrayConfig => ({ name, text, values, rowMode: 'array' });
}
const QUESTIONS = {
  search: prepared('search', SEARCH),
  coverage: prepared('coverage', COVERAGE),
  statuses: prepared('statuses', STATUSES),
  nothing: prepared('nothing', 'SELECT'),
};

/** @returns a text with the reason when PostgreSQL is not available */
export async function loadPostgres(corpus: FoldedCorpus, parent: string): Promise<Rival | string> {
  const cluster = await startCluster(parent);
  if (typeof cluster === 'string') return cluster;
  try {
    const client = new pg.Client({ host: cluster.socketFolder, user: 'postgres', database: 'postgres' });
    // A query under way is told of a lost connection by itself; without a listener the event would end the process.
    client.on('error', () => {});
    await client.connect();
    const started = performance.now();
    await client.query(SCHEMA);
    await pipeline(copyLines(corpus), client.query(copyFrom('COPY trials FROM STDIN')));
    await client.query(INDEXES);
    await client.query('VACUUM ANALYZE trials');
    const loadSeconds = (performance.now() - started) / 1000;
    const version = await client.query<{ server_version: string }>('SHOW server_version');
    return new PostgresRival(cluster, client, String(version.rows[0]?.server_version), loadSeconds);
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
}

class PostgresRival implements Rival {
  readonly name: string;
  readonly how =
    'GIN index over a tsvector, b-trees, VACUUM ANALYZE; prepared statements over one Unix socket, so that each figure includes one round trip';
  readonly loadSeconds: number;
  readonly #cluster: Cluster;
  readonly #client: pg.Client;

  constructor(cluster: Cluster, client: pg.Client, version: string, loadSeconds: number) {
    this.#cluster = cluster;
    this.#client = client;
    this.name = `PostgreSQL ${version.split(' ')[0]}`;
    this.loadSeconds = loadSeconds;
  }

  async bytesOnDisk(): Promise<number> {
    const { rows } = await this.#client.query<{ bytes: string }>("SELECT pg_total_relation_size('trials') AS bytes");
    return Number(rows[0]?.bytes);
  }

  async roundTrip(): Promise<void> {
    await this.#client.query(QUESTIONS.nothing());
  }

  async search(query: FoldedQuery): Promise<SearchAnswer> {
    type Row = [total: string, id: string, title: string | null, status: string];
    const { rows } = await this.#client.query<Row>(QUESTIONS.search([tsqueryOf(query)]));
    return { total: Number(rows[0]?.[0] ?? 0), page: rows.map(([, id, title, status]) => ({ id, title, status })) };
  }

  async coverage(query: FoldedQuery): Promise<CoverageAnswer> {
    const { rows } = await this.#client.query<string[]>(QUESTIONS.coverage([tsqueryOf(query)]));
    const [distinct, ctgov, isrctn, both] = rows[0]!.map(Number) as [number, number, number, number];
    return { distinct, ctgov, isrctn, both };
  }

  async statuses(query: FoldedQuery): Promise<StatusAnswer> {
    const { rows } = await this.#client.query<[string, string]>(QUESTIONS.statuses([tsqueryOf(query)]));
    return statusAnswer(rows.map(([status, trials]) => ({ status, trials: Number(trials) })));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
    await this.#cluster[Symbol.asyncDispose]();
  }
}

async function* copyLines(corpus: FoldedCorpus): AsyncGenerator<string> {
  for await (const trials of readFoldedCorpus(corpus)) {
    yield trials.map((trial) => `${copyValues(trial).map(copyField).join('\t')}\n`).join('');
  }
}

function copyValues(trial: FoldedTrial): (string | null)[] {
  const { id, ctgovId, isrctnId, title, status, recruitmentStatus, phase, studyType, sponsor } = trial;
  return [
    ...[id, ctgovId, isrctnId, title, status, recruitmentStatus, phase, studyType, sponsor],
    ...[trial.updated, trial.started, trial.completed],
    ...[arrayText(trial.conditions), arrayText(trial.interventions), tsvectorOf(trial.text)],
  ];
}

function arrayText(values: string[]): string {
  return `{${values.map((value) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`;
}

const COPY_ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function copyField(value: string | null): string {
  return value === null ? '\\N' : value.replace(/[\\\t\n\r]/g, (character) => COPY_ESCAPES[character] as string);
}
