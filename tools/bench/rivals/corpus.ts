import { join } from 'node:path';
import { Database } from '../../../pipeline/store/database.ts';
import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import { foldTexts } from './folding.ts';

/** One trial as every rival is given it: the columns that are shown and counted, and its folded text. */
export interface FoldedTrial {
  /** Place in result order: last update newest first, then id. */
  row: number;
  id: string;
  ctgovId: string | null;
  isrctnId: string | null;
  title: string | null;
  status: string;
  phase: string;
  studyType: string;
  sponsor: string | null;
  /** YYYY-MM-DD; a month counts as its last day. */
  updated: string | null;
  /** Keys between blanks, as written by `foldTexts`. */
  text: string;
}

/** Searched texts of one registration; none where a trial has no registration there. */
const textsOf = (side: string): string => `list_filter(list_concat(
  [${side}.title, ${side}.official_title, ${side}.acronym, ${side}.sponsor_name], ${side}.conditions,
  flatten(list_transform(${side}.interventions, lambda i: list_concat([i."name"], i.other_names, [i.description])))
), lambda text: text IS NOT NULL)`;

/** Memory that the sort of all texts may use before it writes to disk. */
const SORT_MEMORY = '1000MB';

/** Every trial of a published snapshot in result order. `scratch` is a folder for the sort. */
export async function* readFoldedTrials(snapshotDir: string, scratch: string): AsyncGenerator<FoldedTrial[]> {
  await using database = await Database.open(join(scratch, 'folding.duckdb'), { memoryLimit: SORT_MEMORY });
  await database.run('SET preserve_insertion_order = true');
  for await (const rows of database.stream(sqlOf(snapshotDir))) {
    yield rows.map(({ texts, ...trial }) => {
      return { ...(trial as unknown as FoldedTrial), text: ` ${foldTexts(texts as string[])} ` };
    });
  }
}

function sqlOf(snapshotDir: string): string {
  const table = (name: string): string => `read_parquet(${sqlLiteral(join(snapshotDir, `${name}.parquet`))})`;
  return `
    WITH dated AS (
      SELECT *, CASE WHEN last_updated_date."precision" = 'month'
          THEN last_day(CAST(rpad(last_updated_date."date", 10, '-01') AS DATE))
          ELSE CAST(rpad(last_updated_date."date", 10, '-01') AS DATE) END AS updated
      FROM ${table('trials')}
    )
    SELECT CAST(row_number() OVER (ORDER BY updated DESC NULLS LAST, t.canonical_id) - 1 AS INTEGER) AS "row",
      t.canonical_id AS id, t.ctgov_id AS "ctgovId", t.isrctn_id AS "isrctnId", t.title, t.status, t.phase,
      t.study_type AS "studyType", t.sponsor_name AS sponsor, CAST(updated AS VARCHAR) AS updated,
      list_concat(${textsOf('c')}, ${textsOf('i')}) AS texts
    FROM dated t
    LEFT JOIN ${table('registrations')} c ON c.registry = 'clinicaltrials_gov' AND c.id = t.ctgov_id
    LEFT JOIN ${table('registrations')} i ON i.registry = 'isrctn' AND i.id = t.isrctn_id
    ORDER BY "row"`;
}
