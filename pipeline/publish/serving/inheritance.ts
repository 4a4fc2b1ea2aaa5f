import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVING_DIR, STATES_FILE } from '../../../snapshot-format/serving.ts';
import { sqlLiteral } from '../../../snapshot-sql/connection.ts';
import type { Database } from '../../store/database.ts';
import { type DifferingRows, ParentImage, type ParentSnapshot, ParentUnusable } from './parent-image.ts';

/** `length` trials that lie side by side in both images: from row `from` on in the parent's, from `to` on in the new one. */
export interface Run {
  from: number;
  to: number;
  length: number;
}

/** What a new image takes over from its parent's: the trials of which the tables say the same on both sides. */
export interface Inheritance {
  image: ParentImage;
  /** In ascending order on both sides, because unchanged trials keep their order. */
  runs: readonly Run[];
  /** New row by the parent's row, -1 where the trial is gone or changed. */
  rowMap: Int32Array;
  /** Canonical ids of the parent that are gone or changed. */
  gone: ReadonlySet<string>;
}

/** What the terms of a new image are taken over by. */
export type TermInheritance = Pick<Inheritance, 'image' | 'runs' | 'rowMap'>;

/**
 * Finds what can be taken over, and makes `shown_rows`, `shown_members` and `shown_registrations` tables of the other trials. Needs the tables
 * of `openTrialTables`.
 * @param mostShown part of all trials from which on a whole build is the shorter way
 * @throws ParentUnusable when nothing can be taken over; then neither table was made
 */
export async function inherit(
  database: Database,
  { parent, trials, mostShown }: { parent: ParentSnapshot; trials: number; mostShown: number },
): Promise<Inheritance> {
  const image = new ParentImage(parent);
  await openParent(database, parent, image);
  await findDiffering(database, parent, image);
  await database.run(await sqlFile('kept-rows.sql'));
  const counted = await database.one(`SELECT
    (SELECT count(*)::DOUBLE FROM kept) AS kept, (SELECT count(*)::DOUBLE FROM parent.states) AS "before"`);
  const kept = Number(counted?.kept);
  if (trials - kept > mostShown * trials) {
    throw new ParentUnusable(`${trials - kept} of ${trials} trials are new or changed`);
  }
  const runs = await runsOf(database);
  const rowMap = new Int32Array(Number(counted?.before)).fill(-1);
  for (const { from, to, length } of runs) for (let at = 0; at < length; at++) rowMap[from + at] = to + at;
  const gone = await database.all('SELECT canonical_id FROM parent.states ANTI JOIN kept USING (canonical_id)');
  await database.run(await sqlFile('shown-rows.sql'));
  return { image, runs, rowMap, gone: new Set(gone.map(({ canonical_id }) => String(canonical_id))) };
}

/** Makes the parent's states and registrations views of the schema `parent`, each when its checksum is right. */
async function openParent(database: Database, parent: ParentSnapshot, image: ParentImage): Promise<void> {
  await database.run('CREATE SCHEMA parent');
  await viewOfParent(database, { parent, image, name: 'states', path: inImage(STATES_FILE) });
  await viewOfParent(database, { parent, image, name: 'registrations', path: 'registrations.parquet' });
}

async function viewOfParent(
  database: Database,
  { parent, image, name, path }: { parent: ParentSnapshot; image: ParentImage; name: string; path: string },
): Promise<void> {
  // Read for its checksum alone: a damaged file would make a trial look unchanged or stand in another row.
  image.read(path);
  await database.run(`CREATE VIEW parent.${name} AS FROM read_parquet(${sqlLiteral(join(parent.dir, path))})`);
}

/** Makes `differing_trials`: the new trials that cannot be taken over because a wide row of theirs differs. */
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
      throw new ParentUnusable('unchanged trials changed their order');
    }
  }
  return runs;
}

async function sqlFile(name: string): Promise<string> {
  return readFile(new URL(name, import.meta.url), 'utf8');
}

/** Path of an image file inside a snapshot. */
export function inImage(file: string): string {
  return `${SERVING_DIR}/${file}`;
}
