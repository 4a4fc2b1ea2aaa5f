import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Manifest, SNAPSHOT_TABLES, type SnapshotTable } from '../../snapshot-format/manifest.ts';
import type { Effects } from '../effects.ts';
import { type Database, sqlLiteral } from '../store/database.ts';
import { columnList, parquetSource, TABLE_SPECS } from '../store/snapshot-tables.ts';
import { type FileSum, sumFile, sync } from './durable.ts';
import { writeRawParts } from './raw-parts.ts';
import { hashTable } from './value-hash.ts';

/** Rows of wide text: a sorted group of this size stays below 100 MB before it is compressed. */
const ROWS_PER_GROUP = 20_480;

/** Makes the view `merged_trials` of the working tables as they are now; to be called again when they change. */
export async function defineTrials(db: Database): Promise<void> {
  await db.run(await readFile(new URL('trials.sql', import.meta.url), 'utf8'));
}

/**
 * Writes every table of the working database into `dir` as Parquet, makes the files durable and describes them.
 * Needs `defineTrials` first.
 */
export async function writeTables(
  db: Database,
  paths: { partsDir: string; dir: string },
  effects: Effects,
): Promise<Manifest['tables']> {
  const described: Partial<Manifest['tables']> = {};
  for (const [index, table] of SNAPSHOT_TABLES.entries()) {
    const files = table === 'raw' ? await writeRawParts(db, paths, effects) : [await writeTable(db, table, paths.dir)];
    const sums: FileSum[] = [];
    for (const file of files) {
      if (table !== 'raw') effects.checkpoint(`written:${file}`);
      await sync(join(paths.dir, file));
      effects.checkpoint(`synced:${file}`);
      sums.push(await sumFile(paths.dir, file));
    }
    described[table] = { ...(await hashTable(db, paths.dir, table)), bytes: totalBytes(sums), files: sums };
    effects.progress({
      stage: 'publish',
      label: table,
      done: index + 1,
      total: SNAPSHOT_TABLES.length,
      unit: 'tables',
    });
  }
  return described as Manifest['tables'];
}

/** Numbers of the manifest, counted in the Parquet tables. */
export async function countSnapshot(db: Database, dir: string): Promise<Manifest['counts']> {
  const row = await db.one(`SELECT
    (SELECT count(*)::DOUBLE FROM ${parquetSource(dir, 'trials')}) AS trials,
    (SELECT count(*)::DOUBLE FROM ${parquetSource(dir, 'registrations')}) AS registrations,
    (SELECT count(*)::DOUBLE FROM ${parquetSource(dir, 'trials')} WHERE len(registries) = 2) AS "inBoth",
    (SELECT count(*)::DOUBLE FROM ${parquetSource(dir, 'links')} WHERE verdict = 'accepted') AS "linksAccepted",
    (SELECT count(*)::DOUBLE FROM ${parquetSource(dir, 'links')} WHERE verdict = 'rejected') AS "linksRejected",
    (SELECT count(*)::DOUBLE FROM ${parquetSource(dir, 'links')} WHERE conflict) AS conflicts,
    (SELECT count(DISTINCT (registry, registration_id, "value"))::DOUBLE FROM ${parquetSource(dir, 'identifiers')}
      WHERE "role" = 'declared' AND NOT in_index
        AND (registry, "type") IN (('clinicaltrials_gov', 'isrctn'), ('isrctn', 'nct'))) AS unresolved`);
  return row as Manifest['counts'];
}

async function writeTable(db: Database, table: Exclude<SnapshotTable, 'raw'>, dir: string): Promise<string> {
  const { columns, key, source } = TABLE_SPECS[table];
  const file = `${table}.parquet`;
  await withOneThread(db, () =>
    db.run(
      `COPY (SELECT ${columnList(columns)} FROM ${source} ORDER BY ${columnList(key)})
       TO ${sqlLiteral(join(dir, file))} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROWS_PER_GROUP})`,
    ),
  );
  return file;
}

/** Two threads hold twice the row groups of a sorted COPY and run into the memory limit at full size; one is as fast. */
async function withOneThread(db: Database, work: () => Promise<void>): Promise<void> {
  const setting = await db.one("SELECT current_setting('threads')::DOUBLE AS threads");
  await db.run('SET threads = 1');
  try {
    await work();
  } finally {
    await db.run(`SET threads = ${Number(setting?.threads)}`);
  }
}

function totalBytes(files: readonly FileSum[]): number {
  return files.reduce((sum, file) => sum + file.bytes, 0);
}
