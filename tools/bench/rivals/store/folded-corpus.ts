import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Database } from '../../../../pipeline/store/database.ts';
import { sqlLiteral } from '../../../../snapshot/sql/connection.ts';
import { foldTexts } from '../folding.ts';

/** One trial as every rival is given it: the columns that are shown and counted, and its folded text. */
export interface FoldedTrial {
  /** Place in result order: last update newest first, then id. */
  row: number;
  id: string;
  ctgovId: string | null;
  isrctnId: string | null;
  title: string | null;
  status: string;
  recruitmentStatus: string;
  phase: string;
  studyType: string;
  sponsor: string | null;
  conditions: string[];
  interventions: string[];
  /** YYYY-MM-DD; a month counts as its last day. */
  updated: string | null;
  /** As the registry gave them: YYYY-MM or YYYY-MM-DD. */
  started: string | null;
  completed: string | null;
  /** Keys between blanks, as written by `foldTexts`. */
  text: string;
}

/** A Parquet file of folded trials in result order, and how many there are. */
export interface FoldedCorpus {
  path: string;
  trials: number;
}

const FIELDS = {
  id: 'canonical_id',
  ctgovId: 'ctgov_id',
  isrctnId: 'isrctn_id',
  title: 'title',
  status: 'status',
  recruitmentStatus: 'recruitment_status',
  phase: 'phase',
  studyType: 'study_type',
  sponsor: 'sponsor_name',
  conditions: 'conditions',
  interventions: `list_filter(list_transform(interventions, lambda i: i."name"), lambda name: name IS NOT NULL)`,
  updated: 'CAST(updated AS VARCHAR)',
  started: 'start_date."date"',
  completed: 'completion_date."date"',
} as const;

/** Searched texts of one registration. */
const TEXTS = `list_filter(list_concat(
  [title, official_title, acronym, sponsor_name], conditions,
  flatten(list_transform(interventions, lambda i: list_concat([i."name"], i.other_names, [i.description])))
), lambda text: text IS NOT NULL)`;

/** Memory that the sort of all texts may use before it writes to disk. */
const SORT_MEMORY = '1000MB';

/** Small enough that both threads have groups to scan in a small corpus too. */
const ROWS_PER_GROUP = 20_480;

/** Reads the published tables `trials` and `registrations` and writes `folded.parquet` into `dir`, in one pass. */
export async function writeFoldedCorpus(snapshotDir: string, dir: string): Promise<FoldedCorpus> {
  const scratch = join(dir, 'folding');
  await mkdir(scratch, { recursive: true });
  const path = join(dir, 'folded.parquet');
  {
    await using database = await Database.open(join(scratch, 'folding.duckdb'), { memoryLimit: SORT_MEMORY });
    await database.run(tablesSql(snapshotDir));
    await database.run('CREATE TABLE folded ("row" INTEGER, body VARCHAR, "text" VARCHAR)');
    await foldAll(database);
    const json = (name: string): string => `json_extract_string(body, '$.${name}') AS "${name}"`;
    const list = (name: string): string => `json_extract(body, '$.${name}')::VARCHAR[] AS "${name}"`;
    const columns = Object.keys(FIELDS).map((name) =>
      name === 'conditions' || name === 'interventions' ? list(name) : json(name),
    );
    await database.run(
      `COPY (SELECT "row", ${columns.join(', ')}, "text" FROM folded ORDER BY "row")
       TO ${sqlLiteral(path)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROWS_PER_GROUP})`,
    );
  }
  await rm(scratch, { recursive: true, force: true });
  return { path, trials: await countTrials(path) };
}

/** Every trial of the file in result order. */
export async function* readFoldedCorpus({ path }: FoldedCorpus): AsyncGenerator<FoldedTrial[]> {
  await using database = await Database.open(':memory:');
  // Without this the chunks of a file come in any order; SQLite's full text wants ascending rows.
  await database.run('SET preserve_insertion_order = true');
  for await (const rows of database.stream(`SELECT * FROM read_parquet(${sqlLiteral(path)})`)) {
    yield rows as unknown as FoldedTrial[];
  }
}

async function countTrials(path: string): Promise<number> {
  await using database = await Database.open(':memory:');
  const row = await database.one(`SELECT count(*)::DOUBLE AS trials FROM read_parquet(${sqlLiteral(path)})`);
  return Number(row?.trials);
}

function tablesSql(snapshotDir: string): string {
  const table = (name: string): string => `read_parquet(${sqlLiteral(join(snapshotDir, `${name}.parquet`))})`;
  const fields = Object.entries(FIELDS).map(([name, sql]) => `'${name}': ${sql}`);
  return `
    CREATE VIEW dated AS
    SELECT *, CASE WHEN last_updated_date."precision" = 'month'
        THEN last_day(CAST(rpad(last_updated_date."date", 10, '-01') AS DATE))
        ELSE CAST(rpad(last_updated_date."date", 10, '-01') AS DATE) END AS updated
    FROM ${table('trials')};
    CREATE TABLE members AS
    SELECT canonical_id, ctgov_id, isrctn_id,
      CAST(row_number() OVER (ORDER BY updated DESC NULLS LAST, canonical_id) - 1 AS INTEGER) AS "row"
    FROM dated;
    CREATE VIEW parts AS
    SELECT m."row", 0 AS kind, CAST(to_json({${fields.join(', ')}}) AS VARCHAR) AS body, []::VARCHAR[] AS texts
    FROM dated JOIN (SELECT canonical_id, "row" FROM members) m USING (canonical_id)
    UNION ALL
    SELECT m."row", 1, '', ${TEXTS}
    FROM ${table('registrations')} r JOIN (SELECT ctgov_id, "row" FROM members) m
      ON r.registry = 'clinicaltrials_gov' AND r.id = m.ctgov_id
    UNION ALL
    SELECT m."row", 1, '', ${TEXTS}
    FROM ${table('registrations')} r JOIN (SELECT isrctn_id, "row" FROM members) m
      ON r.registry = 'isrctn' AND r.id = m.isrctn_id`;
}

/** A trial's parts are consecutive rows, its own first. Rows are written on a second connection, because the stream needs its own. */
async function foldAll(database: Database): Promise<void> {
  const writer = await database.secondConnection();
  const appender = await writer.appender('folded');
  let body: string | null = null;
  let row = 0;
  let texts: string[] = [];
  const finish = (): void => {
    if (body === null) return;
    appender.appendInteger(row);
    appender.appendVarchar(body);
    appender.appendVarchar(` ${foldTexts(texts)} `);
    appender.endRow();
  };
  for await (const parts of database.stream('SELECT "row", kind, body, texts FROM parts ORDER BY "row", kind')) {
    for (const part of parts) {
      if (Number(part.kind) === 0) {
        finish();
        [row, body, texts] = [Number(part.row), String(part.body), []];
      } else {
        texts.push(...(part.texts as string[]));
      }
    }
  }
  finish();
  appender.closeSync();
  writer.close();
}
