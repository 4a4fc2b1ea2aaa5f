import { totalmem } from 'node:os';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { plainPostgres } from '../../cluster/plain-postgres.ts';
import { freePorts } from '../../cluster/ports.ts';
import { readFoldedTrials } from './corpus.ts';
import { type Answer, countsByName, type Engine, PAGE_SIZE, type Question } from './engine.ts';
import { BREAK, foldQuery } from './folding.ts';

const SCHEMA = `
  CREATE TABLE trials (
    id text PRIMARY KEY, ctgov_id text, isrctn_id text, title text, status text NOT NULL, phase text NOT NULL,
    study_type text NOT NULL, sponsor text, updated date, searched tsvector NOT NULL
  )`;

const INDEXES = `
  CREATE INDEX ON trials USING gin (searched);
  CREATE INDEX ON trials (updated DESC NULLS LAST, id);
  CREATE INDEX ON trials (status)`;

const QUESTIONS: Record<Question, string> = {
  // One pass over the hits for both the total and the page.
  search: `
    WITH hits AS MATERIALIZED (SELECT id, updated FROM trials WHERE searched @@ $1::tsquery)
    SELECT (SELECT count(*) FROM hits) AS total, h.id, t.title, t.status
    FROM (SELECT * FROM hits ORDER BY updated DESC NULLS LAST, id LIMIT ${PAGE_SIZE}) h JOIN trials t ON t.id = h.id
    ORDER BY h.updated DESC NULLS LAST, h.id`,
  coverage: `
    SELECT count(*)::int AS "distinct", count(ctgov_id)::int AS ctgov, count(isrctn_id)::int AS isrctn,
      (count(*) FILTER (WHERE ctgov_id IS NOT NULL AND isrctn_id IS NOT NULL))::int AS "both"
    FROM trials WHERE searched @@ $1::tsquery`,
  statuses: 'SELECT status, count(*) AS trials FROM trials WHERE searched @@ $1::tsquery GROUP BY status',
};

/** Tuned for reading on a dedicated machine; no data need to survive a crash. */
function settings(): string[] {
  // The share of the machine's memory that PostgreSQL's manual recommends.
  const buffersMb = Math.floor(totalmem() / 4 / 2 ** 20);
  return [
    `shared_buffers=${buffersMb}MB`,
    `effective_cache_size=${2 * buffersMb}MB`,
    'work_mem=128MB',
    'maintenance_work_mem=512MB',
    'max_wal_size=8GB',
    'fsync=off',
    'full_page_writes=off',
    'random_page_cost=1.1',
    // Compiling a plan takes longer than any of these queries.
    'jit=off',
  ];
}

export async function loadPostgres(snapshotDir: string, folder: string): Promise<Engine> {
  const [port] = (await freePorts(1)) as [number];
  const { member, url } = await plainPostgres(folder, port, settings());
  await member.start();
  const client = new pg.Client(url);
  try {
    await client.connect();
    const started = performance.now();
    await client.query(SCHEMA);
    await pipeline(copyLines(snapshotDir, folder), client.query(copyFrom('COPY trials FROM STDIN')));
    await client.query(INDEXES);
    await client.query('VACUUM ANALYZE trials');
    const { rows } = await client.query<{ version: string; bytes: string }>(
      "SELECT current_setting('server_version') AS version, pg_total_relation_size('trials') AS bytes",
    );
    return {
      name: `PostgreSQL ${rows[0]!.version.split(' ')[0]}`,
      how: 'GIN index over a tsvector, b-trees, VACUUM ANALYZE; prepared statements over one connection of the loopback network',
      loadSeconds: (performance.now() - started) / 1000,
      bytesOnDisk: Number(rows[0]!.bytes),
      ask: (question, q) => ask(client, question, q),
      async [Symbol.asyncDispose]() {
        await client.end();
        await member.stop();
      },
    };
  } catch (error) {
    await member.stop();
    throw error;
  }
}

/** Prepared by the server at the first use of its name. */
async function ask(client: pg.Client, question: Question, q: string): Promise<Answer> {
  const { rows } = await client.query({ name: question, text: QUESTIONS[question], values: [tsqueryOf(q)] });
  if (question === 'search') return { total: Number(rows[0]?.total ?? 0), page: rows.map(({ id }) => id) };
  return question === 'coverage' ? rows[0] : countsByName(rows);
}

async function* copyLines(snapshotDir: string, folder: string): AsyncGenerator<string> {
  for await (const trials of readFoldedTrials(snapshotDir, folder)) {
    const lines = trials.map(({ row, text, ...trial }) => [...Object.values(trial), tsvectorOf(text)].map(copyField));
    yield lines.map((fields) => `${fields.join('\t')}\n`).join('');
  }
}

const COPY_ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function copyField(value: string | null): string {
  return value === null ? '\\N' : value.replace(/[\\\t\n\r]/g, (character) => COPY_ESCAPES[character] as string);
}

/** The longest lexeme that a tsvector takes, in bytes. */
const LEXEME_BYTES_MAX = 2046;

/**
 * The tsvector of a folded text, lexeme by lexeme, because PostgreSQL's parsers would cut keys up again: each key with
 * its places; between two texts a place is left out, so that no phrase crosses.
 */
function tsvectorOf(text: string): string {
  const places = new Map<string, number[]>();
  let place = 0;
  for (const key of text.split(' ')) {
    if (key === '') continue;
    place += 1;
    if (key === BREAK || Buffer.byteLength(key) > LEXEME_BYTES_MAX) continue;
    const known = places.get(key);
    if (known) known.push(place);
    else places.set(key, [place]);
  }
  return [...places].map(([key, at]) => `${quoted(key)}:${at.join(',')}`).join(' ');
}

function tsqueryOf(q: string): string {
  const { words, phrases } = foldQuery(q);
  const runs = phrases.map((keys) => `(${keys.map(quoted).join(' <-> ')})`);
  return [...words.map(quoted), ...runs].join(' & ');
}

function quoted(key: string): string {
  return `'${key.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
