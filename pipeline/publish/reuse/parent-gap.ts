import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import {
  RESULTS_GAP_BASES,
  RESULTS_GAP_FILE,
  RESULTS_GAP_PRECISIONS,
  RESULTS_GAP_STATES,
  RESULTS_GAP_TOPICS_KEY,
  type ResultsGapState,
} from '../../../snapshot/format/results-gap.ts';
import { binaryColumn, listColumn, numberColumn, onlyBatch, textAt } from '../../../snapshot/image/arrow-reader.ts';
import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import type { Database } from '../../store/database.ts';
import { type GapRow, readStates } from '../serving/results-gap-writer.ts';
import { inImage, type ParentImage } from './parent-image.ts';

/**
 * Reuses the parent's results gap: rows of unchanged trials, and states of registrations whose payload is unchanged.
 */
export async function reusedGap(
  database: Database,
  snapshotDir: string,
  { image, gone }: { image: ParentImage; gone: ReadonlySet<string> },
): Promise<{ rows: GapRow[]; states: ReadonlyMap<string, ResultsGapState> }> {
  const before = readGapRows(image.table(inImage(RESULTS_GAP_FILE)));
  const states = new Map(before.map(({ nctId, state }) => [nctId, state]));
  const rows = before.filter(({ canonicalId }) => !gone.has(canonicalId));
  await database.run(await readFile(new URL('asked-payloads.sql', import.meta.url), 'utf8'));
  const asked = await database.all('SELECT id FROM asked');
  for (const { id } of asked) states.delete(String(id));
  const parts = (await partsOfAsked(database, join(snapshotDir, 'raw'), image)).join(', ');
  const holding = await database.all(`
    SELECT DISTINCT filename FROM read_parquet([${parts}], filename = true)
    SEMI JOIN asked USING (id, payload_sha256) WHERE registry = 'clinicaltrials_gov' ORDER BY filename`);
  if (holding.length === 0) return { rows, states };
  const files = holding.map(({ filename }) => sqlLiteral(String(filename))).join(', ');
  await database.run(
    `CREATE VIEW payloads AS SELECT registry, id, payload FROM read_parquet([${files}])
     SEMI JOIN asked USING (id, payload_sha256)`,
  );
  for (const [id, state] of await readStates(database)) states.set(id, state);
  return { rows, states };
}

function readGapRows(table: Table): GapRow[] {
  const batch = onlyBatch(table, RESULTS_GAP_FILE);
  const text = (name: string): ((row: number) => string) => {
    const column = binaryColumn(batch, name, RESULTS_GAP_FILE);
    return (row) => textAt(column, row);
  };
  const number = (name: string): ArrayLike<number> => numberColumn(batch, name, RESULTS_GAP_FILE);
  const [nctId, canonicalId, title] = [text('nctId'), text('canonicalId'), text('title')];
  const [day, basis, precision, state] = [
    number('completionDay'),
    number('basis'),
    number('precision'),
    number('resultsState'),
  ];
  const topicIds = JSON.parse(table.schema.metadata.get(RESULTS_GAP_TOPICS_KEY) as string) as string[];
  const topics = (column: string): ((row: number) => string[]) => {
    const { values, offsets } = listColumn(batch, column, RESULTS_GAP_FILE);
    return (row) => Array.from(values.subarray(offsets[row], offsets[row + 1]), (place) => topicIds[place] as string);
  };
  const [byWords, byConcepts] = [topics('topics'), topics('topicsByConcepts')];
  return Array.from({ length: table.numRows }, (_, row) => ({
    nctId: nctId(row),
    canonicalId: canonicalId(row),
    title: title(row),
    completionDay: day[row] as number,
    basis: RESULTS_GAP_BASES[basis[row] as number] as GapRow['basis'],
    precision: RESULTS_GAP_PRECISIONS[precision[row] as number] as GapRow['precision'],
    topics: { byWords: byWords(row), byConcepts: byConcepts(row) },
    state: RESULTS_GAP_STATES[state[row] as number] as ResultsGapState,
  }));
}

/**
 * Part files, as SQL literals, that hold all payloads asked for. A day's payloads are in its own parts, whose lengths
 * no part of the parent has; if a payload is elsewhere, all parts are returned.
 */
async function partsOfAsked(database: Database, dir: string, parent: ParentImage): Promise<string[]> {
  const known = parent.lengthsBelow('raw/');
  const [all, own]: [string[], string[]] = [[], []];
  for (const name of (await readdir(dir)).sort()) {
    const path = join(dir, name);
    all.push(sqlLiteral(path));
    if (!known.has((await stat(path)).size)) own.push(sqlLiteral(path));
  }
  if (own.length === 0) return all;
  const elsewhere = await database.one(
    `SELECT id FROM asked ANTI JOIN read_parquet([${own.join(', ')}]) USING (id, payload_sha256) LIMIT 1`,
  );
  return elsewhere === null ? own : all;
}
