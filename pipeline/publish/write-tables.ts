import { join } from 'node:path';
import { type Manifest, SNAPSHOT_TABLES, type SnapshotTable } from '../../snapshot/format/versions/manifest.ts';
import { isProven } from '../../snapshot/format/versions/proof-trees.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import { columnList, parquetSource, TABLE_SPECS, writtenColumns } from '../../snapshot/sql/tables.ts';
import type { Effects } from '../effects.ts';
import type { Connection, Database } from '../store/database.ts';
import { writeDescribedParquet } from '../store/described-parquet.ts';
import { bothDone, type FileSum, settleFile } from './durable.ts';
import { withTreeFile } from './identity/proof-trees.ts';
import { rootOfRows, rootOfTable, type TableValues } from './identity/table-root.ts';
import { type PayloadFiles, writePayloadFiles } from './payload-index.ts';
import { settleRawParts, writeRawParts } from './raw-parts.ts';
import { trialsSql } from './trials-sql.ts';

/**
 * Rows in a group of a table that tools scan. Of wide text a group has up to 250 MB before compression; both wide tables are written
 * at once, and took 0.3 GB more than with groups of 20,480.
 */
const ROWS_PER_GROUP = 51_200;

export interface TablePaths {
  partsDir: string;
  dir: string;
  /** The previous snapshot, which may share parts of the payloads; null when there is none. */
  parent: { dir: string; tables: Manifest['tables'] } | null;
}

/** Makes the view `merged_trials` over the working tables as they are now; call it again when they change. */
export async function defineTrials(db: Database): Promise<void> {
  await db.run(await trialsSql());
}

/**
 * Writes every table of the working database into `dir` as Parquet, makes the files durable and describes them, with the trees of the
 * tables that are proven row by row. Two tables are written at a time, on two connections with one thread each. Needs `defineTrials`
 * first; only the main connection sees its view.
 */
export async function writeTables(db: Database, paths: TablePaths, effects: Effects): Promise<WrittenTables> {
  const written: WrittenTables = { tables: {} as Manifest['tables'], proofs: [], payloadFiles: null as never };
  const waiting = SNAPSHOT_TABLES.filter((table) => !['trials', 'registrations'].includes(table));
  /** Writes `first` and then the tables that no connection has begun. Where one of both connections fails, the other ends early. */
  const write = async (connection: Connection, first: SnapshotTable): Promise<void> => {
    try {
      for (let table: SnapshotTable | undefined = first; table !== undefined; table = waiting.shift()) {
        await writeTable(connection, table, paths, written, effects);
        const done = Object.keys(written.tables).length;
        effects.progress({ stage: 'publish', label: table, done, total: SNAPSHOT_TABLES.length, unit: 'tables' });
      }
    } catch (error) {
      waiting.length = 0;
      throw error;
    }
  };
  const second = await db.secondConnection();
  try {
    await withOneThread(db, async () => {
      await bothDone(write(db, 'trials'), write(second, 'registrations'));
    });
  } finally {
    second.close();
  }
  const tables = Object.fromEntries(SNAPSHOT_TABLES.map((table) => [table, written.tables[table]]));
  return { ...written, tables: tables as Manifest['tables'] };
}

export interface WrittenTables {
  tables: Manifest['tables'];
  proofs: FileSum[];
  payloadFiles: PayloadFiles;
}

async function writeTable(
  connection: Connection,
  table: SnapshotTable,
  paths: TablePaths,
  written: WrittenTables,
  effects: Effects,
): Promise<void> {
  const { dir } = paths;
  const files = await writeFiles(connection, table, paths, effects);
  const settled = table === 'raw' ? settleRawParts(paths, files, effects) : settleFiles(dir, files, effects);
  // The database hashes while the disk syncs.
  const [sums, values] = await bothDone(settled, hashTable(connection, table, dir, written.proofs, effects));
  const bytes = sums.reduce((sum, file) => sum + file.bytes, 0);
  written.tables[table] = { ...values, bytes, files: sums };
  if (table !== 'raw') return;
  written.payloadFiles = await writePayloadFiles(connection, dir, { rows: values.rows, files: sums }, effects);
}

async function hashTable(
  connection: Connection,
  table: SnapshotTable,
  dir: string,
  proofs: FileSum[],
  effects: Effects,
): Promise<TableValues> {
  // Its parts were found to hold the payload of each registration, whose file may not be written yet.
  if (table === 'raw') return rootOfRows(connection, 'raw', 'registrations');
  if (!isProven(table)) return rootOfTable(connection, dir, table);
  const treed = await withTreeFile(dir, table, (tree) => rootOfTable(connection, dir, table, tree), effects);
  proofs.push(treed.file);
  return treed.values;
}

/** Makes files that were just written durable and sums them. */
async function settleFiles(dir: string, files: readonly string[], effects: Effects): Promise<FileSum[]> {
  const sums: FileSum[] = [];
  for (const file of files) sums.push(await settleFile(dir, file, effects));
  return sums;
}

async function writeFiles(
  db: Connection,
  table: SnapshotTable,
  paths: TablePaths,
  effects: Effects,
): Promise<string[]> {
  if (table === 'raw') return writeRawParts(db, paths, effects);
  const file = `${table}.parquet`;
  await writeRows(db, table, join(paths.dir, file));
  return [file];
}

/** Numbers of the manifest, counted in the Parquet tables. */
export async function countSnapshot(db: Database, dir: string): Promise<Manifest['counts']> {
  const row = await db.one(`SELECT
    (SELECT count(*)::DOUBLE FROM ${parquetSource(dir, 'trials')}) AS trials,
    (SELECT coalesce(sum(len(registries)), 0)::DOUBLE FROM ${parquetSource(dir, 'trials')}) AS registrations,
    (SELECT count(*)::DOUBLE FROM ${parquetSource(dir, 'trials')} WHERE len(registries) = 2) AS "inBoth",
    (SELECT count(*)::DOUBLE FROM ${parquetSource(dir, 'links')} WHERE verdict = 'accepted') AS "linksAccepted",
    (SELECT count(*)::DOUBLE FROM ${parquetSource(dir, 'links')} WHERE verdict = 'rejected') AS "linksRejected",
    (SELECT count(*)::DOUBLE FROM ${parquetSource(dir, 'links')} WHERE conflict) AS conflicts,
    (SELECT count(DISTINCT (registry, registration_id, "value"))::DOUBLE FROM ${parquetSource(dir, 'identifiers')}
      WHERE "role" IN ('declared', 'repaired') AND NOT in_index
        AND (registry, "type") IN (('clinicaltrials_gov', 'isrctn'), ('isrctn', 'nct'))) AS unresolved`);
  return row as Manifest['counts'];
}

async function writeRows(db: Connection, table: Exclude<SnapshotTable, 'raw'>, path: string): Promise<void> {
  const { key, source } = TABLE_SPECS[table];
  await writeDescribedParquet(db, {
    table,
    rows: `SELECT ${writtenColumns(table)} FROM ${source} ORDER BY ${columnList(key)}`,
    path,
    options: `COMPRESSION_LEVEL 1, ROW_GROUP_SIZE ${ROWS_PER_GROUP}`,
  });
}

/**
 * At full size both wide tables are sorted at once; rows that do not fit are spilled to disk, which costs a fifth of
 * the time.
 */
const SORT_MEMORY = '2500MB';

/**
 * Runs `work` with one DuckDB thread. Two threads would hold twice the row groups of a sorted COPY, exceed the memory
 * limit at full size, and leave the order of row groups open. Queries on two connections still run side by side.
 */
async function withOneThread(db: Database, work: () => Promise<void>): Promise<void> {
  const setting = await db.one(
    "SELECT current_setting('threads')::DOUBLE AS threads, current_setting('memory_limit') AS memory",
  );
  await db.run(`SET threads = 1; SET memory_limit = ${sqlLiteral(SORT_MEMORY)}`);
  try {
    await work();
  } finally {
    await db.run(
      `SET threads = ${Number(setting?.threads)}; SET memory_limit = ${sqlLiteral(String(setting?.memory))}`,
    );
  }
}
