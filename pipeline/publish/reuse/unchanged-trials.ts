import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STATES_FILE } from '../../../snapshot/format/serving.ts';
import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import type { StatedTable } from '../../../snapshot/sql/row-state.ts';
import type { Database } from '../../store/database.ts';
import { type DifferingRows, NotReusable, type ParentSnapshot } from '../serving/reused.ts';
import type { Run } from '../serving/row-gatherer.ts';
import { inImage, type ParentImage } from './parent-image.ts';

export interface UnchangedTrials {
  /** In ascending order on both sides, because unchanged trials keep their order. */
  runs: readonly Run[];
  /** New row by the parent's row; -1 if the trial is gone or changed. */
  rowMap: Int32Array;
  /** Canonical ids of the parent's trials that are gone or changed. */
  gone: ReadonlySet<string>;
}

/**
 * Finds the trials whose rows are equal in the tables of both snapshots, and makes the tables `shown_rows`,
 * `shown_members`, `shown_registrations` and `shown_trials` of the others. Needs the tables of `openTrialTables`.
 * @param mostChanged largest share of new or changed trials; above it a whole build is faster
 * @throws NotReusable when the image is to be made whole; no shown_* table exists then
 */
export async function findUnchanged(
  database: Database,
  image: ParentImage,
  { parent, trials, mostChanged }: { parent: ParentSnapshot; trials: number; mostChanged: number },
): Promise<UnchangedTrials> {
  await openParent(database, parent, image);
  await findDiffering(database, parent, image);
  await database.run(await sqlFile('kept-rows.sql'));
  const counted = await database.one(`SELECT
    (SELECT count(*)::DOUBLE FROM kept) AS kept, (SELECT count(*)::DOUBLE FROM parent.states) AS "before"`);
  const kept = Number(counted?.kept);
  if (trials - kept > mostChanged * trials) {
    throw new NotReusable(`${trials - kept} of ${trials} trials are new or changed`);
  }
  const runs = await runsOf(database);
  const rowMap = new Int32Array(Number(counted?.before)).fill(-1);
  for (const { from, to, length } of runs) for (let at = 0; at < length; at++) rowMap[from + at] = to + at;
  const gone = await database.all('SELECT canonical_id FROM parent.states ANTI JOIN kept USING (canonical_id)');
  await database.run(await sqlFile('shown-rows.sql'));
  const { registrations, trials: ofTrials } = parent.differing?.rows ?? { registrations: [], trials: [] };
  await showWide(database, 'registrations', 'SELECT registration_id AS id FROM shown_members', 'id', registrations);
  const inBoth = 'SELECT canonical_id FROM shown_rows WHERE ctgov_id IS NOT NULL AND isrctn_id IS NOT NULL';
  await showWide(database, 'trials', inBoth, 'canonical_id', ofTrials);
  return { runs, rowMap, gone: new Set(gone.map(({ canonical_id }) => String(canonical_id))) };
}

/**
 * Makes `shown_<table>`: the rows of a wide table whose ids the SQL `shown` gives in the column `id`. Nearly all of them are in the files
 * `known`, which have few rows; the file of all is read only where one is not.
 */
async function showWide(
  database: Database,
  table: StatedTable,
  shown: string,
  id: string,
  known: readonly string[],
): Promise<void> {
  const listed = known.map(sqlLiteral).join(', ');
  const fewRows = known.length === 0 ? `(FROM main.${table} LIMIT 0)` : `read_parquet([${listed}])`;
  await database.run(`CREATE TABLE shown_${table} AS FROM ${fewRows} SEMI JOIN (${shown}) USING (${id})`);
  const missing = await database.all(`${shown} EXCEPT SELECT ${id} FROM shown_${table}`);
  if (missing.length === 0) return;
  const ids = JSON.stringify(missing.map((row) => row[id]));
  await database.run(
    `INSERT INTO shown_${table} FROM main.${table} SEMI JOIN (SELECT unnest(from_json($1, '["VARCHAR"]')) AS ${id}) USING (${id})`,
    [ids],
  );
}

/** Makes views of the parent's states and registrations in the schema `parent`, after checking their SHA-256. */
async function openParent(database: Database, parent: ParentSnapshot, image: ParentImage): Promise<void> {
  await database.run('CREATE SCHEMA parent');
  await viewOfParent(database, { parent, image, name: 'states', path: inImage(STATES_FILE) });
  await viewOfParent(database, { parent, image, name: 'registrations', path: 'registrations.parquet' });
}

async function viewOfParent(
  database: Database,
  { parent, image, name, path }: { parent: ParentSnapshot; image: ParentImage; name: string; path: string },
): Promise<void> {
  // Read only for its checksum: in a damaged file a trial could look unchanged, or have another row.
  image.read(path);
  await database.run(`CREATE VIEW parent.${name} AS FROM read_parquet(${sqlLiteral(join(parent.dir, path))})`);
}

/** Makes the table `differing_trials`: new trials with a row in a wide table that differs from the parent's. */
async function findDiffering(database: Database, parent: ParentSnapshot, image: ParentImage): Promise<void> {
  if (parent.differing) return nameDiffering(database, parent.differing);
  await viewOfParent(database, { parent, image, name: 'trials', path: 'trials.parquet' });
  await database.run(await sqlFile('differing-trials.sql'));
}

async function nameDiffering(database: Database, { trials, registrations }: DifferingRows): Promise<void> {
  await database.run(
    `CREATE TABLE main.differing_trials AS
     SELECT unnest(from_json($1, '["VARCHAR"]')) AS canonical_id
     UNION
     SELECT canonical_id FROM main.members WHERE registration_id IN (SELECT unnest(from_json($2, '["VARCHAR"]')))`,
    [JSON.stringify(trials), JSON.stringify(registrations)],
  );
}

async function runsOf(database: Database): Promise<Run[]> {
  const rows = await database.all(`
    SELECT min(old_row)::DOUBLE AS "from", min(new_row)::DOUBLE AS "to", count(*)::DOUBLE AS length
    FROM kept GROUP BY old_row - place, new_row - place ORDER BY "to"`);
  const runs = rows.map(({ from, to, length }) => ({ from: Number(from), to: Number(to), length: Number(length) }));
  for (const [place, run] of runs.entries()) {
    const before = runs[place - 1];
    if (before === undefined) continue;
    if (run.from < before.from + before.length || run.to < before.to + before.length) {
      throw new NotReusable('unchanged trials changed their order');
    }
  }
  return runs;
}

async function sqlFile(name: string): Promise<string> {
  return readFile(new URL(name, import.meta.url), 'utf8');
}
