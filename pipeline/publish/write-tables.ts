import { join } from 'node:path';
import { type Manifest, SNAPSHOT_TABLES, type SnapshotTable } from '../../snapshot-format/manifest.ts';
import { sqlLiteral } from '../../snapshot-sql/connection.ts';
import {
  columnList,
  PUBLICATIONS_PREFIX,
  parquetSource,
  publicationsFile,
  TABLE_SPECS,
  tableOfFile,
  writtenColumns,
} from '../../snapshot-sql/tables.ts';
import type { Effects } from '../effects.ts';
import type { Connection, Database } from '../store/database.ts';
import { writeDescribedParquet } from '../store/described-parquet.ts';
import { type FileSum, sumFile, sync } from './durable.ts';
import { withTreeFile } from './proof-trees.ts';
import { type PublishedParts, settleRawParts, writeRawParts } from './raw-parts.ts';
import { hashBlocks, isBlocked } from './row-blocks.ts';
import { hashRegistrationsAgain, hashTrialsAgain } from './row-hashes.ts';
import { type LeafTree, rootOfTable, type TableValues } from './table-root.ts';
import { trialsSql } from './trials-sql.ts';

/**
 * Rows in a group of a table that tools scan. Of wide text a group has up to 250 MB before compression; both wide tables are written
 * at once, and took 0.3 GB more than with groups of 20,480.
 */
const ROWS_PER_GROUP = 51_200;
/**
 * Rows in a group that is read by key: half as many make a file a fifth larger, five times as many a look-up 2 ms
 * slower.
 */
const ROWS_PER_LOOK_UP = 4096;

export interface TablePaths {
  partsDir: string;
  dir: string;
  /** Parts of the previous snapshot, some of which are linked again; null when there is no previous snapshot. */
  parentParts: PublishedParts | null;
}

/** Makes the view `merged_trials` over the working tables as they are now; call it again when they change. */
export async function defineTrials(db: Database): Promise<void> {
  await db.run(await trialsSql());
}

/**
 * Writes every table of the working database into `dir` as Parquet, makes the files durable and describes them. Two
 * tables are written at a time, on two connections with one thread each. Needs `defineTrials` first; only the main
 * connection sees its view, and `trials_hashed` is left there. `onRegistrations` gets the connection that sees
 * `registrations_hashed`, which is dropped afterwards. It must keep the row hashes of the registrations, because the
 * row hashes of the trials are made from them. The trees of the tables that are proven row by row are written too.
 */
export async function writeTables(
  db: Database,
  paths: TablePaths,
  onRegistrations: (connection: Connection, root: string) => Promise<void>,
  effects: Effects,
): Promise<{ tables: Manifest['tables']; proofs: FileSum[] }> {
  const described: Partial<Manifest['tables']> = {};
  const proofs: FileSum[] = [];
  // The longest first: they are written while the trials wait for the row hashes of the registrations.
  const waiting = [
    'raw' as const,
    ...SNAPSHOT_TABLES.filter((table) => !['trials', 'registrations', 'raw'].includes(table)),
  ];
  const kept = Promise.withResolvers<string>();
  let isKept = false;
  // A caller that awaits it gets the failure; without one, Node must not report it as unhandled.
  kept.promise.catch(() => undefined);
  const write = async (connection: Connection, table: SnapshotTable, hash?: HashTable) => {
    const hashed = hash ?? ((tree) => describeValues(connection, table, paths.dir, tree));
    const values = async (): Promise<TableValues> => {
      const made = await withTreeFile(paths.dir, table, hashed, effects);
      if (made.file !== null) proofs.push(made.file);
      return made.values;
    };
    described[table] = await writeDescribed(connection, table, { paths, values }, effects);
    const done = Object.keys(described).length;
    effects.progress({ stage: 'publish', label: table, done, total: SNAPSHOT_TABLES.length, unit: 'tables' });
  };
  const writeWaiting = async (connection: Connection, isEnough = () => false): Promise<void> => {
    while (waiting.length > 0 && !isEnough()) await write(connection, waiting.shift()!);
  };
  const trialsFirst = async (): Promise<void> => {
    await write(db, 'trials', async (tree) => {
      await writeWaiting(db, () => isKept);
      return hashTrialsAgain(db, paths.dir, await kept.promise, tree);
    });
    await writeWaiting(db);
  };
  const registrationsFirst = async (connection: Connection): Promise<void> => {
    await write(connection, 'registrations');
    const { root } = described.registrations as TableValues;
    await onRegistrations(connection, root);
    isKept = true;
    kept.resolve(root);
    await writeWaiting(connection);
  };
  const second = await db.secondConnection();
  const orStop = async (work: Promise<void>): Promise<void> => {
    await work.catch((error) => {
      waiting.length = 0;
      kept.reject(error);
      throw error;
    });
  };
  try {
    await withOneThread(db, async () => {
      await bothDone(orStop(trialsFirst()), orStop(registrationsFirst(second)));
    });
  } finally {
    second.close();
  }
  const tables = Object.fromEntries(SNAPSHOT_TABLES.map((table) => [table, described[table]])) as Manifest['tables'];
  return { tables, proofs: proofs.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

/** Hashes a table that was just written, and adds its leaves to a tree. */
type HashTable = (tree?: LeafTree) => Promise<TableValues>;

/** Waits for both even when one fails, so that neither writes into a directory that is being removed. */
export async function bothDone<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b]);
  return [await a, await b];
}

async function writeDescribed(
  db: Connection,
  table: SnapshotTable,
  { paths, values }: { paths: TablePaths; values: () => Promise<TableValues> },
  effects: Effects,
): Promise<Manifest['tables'][SnapshotTable]> {
  const files = await writeFiles(db, table, paths, effects);
  const settled =
    table === 'raw' ? settleRawParts(paths, files, paths.parentParts, effects) : settleFiles(paths.dir, files, effects);
  // The database hashes while the disk syncs.
  const [sums, described] = await bothDone(settled, values());
  return { ...described, bytes: totalBytes(sums), files: sums };
}

/** Makes files that were just written durable and sums them. */
async function settleFiles(dir: string, files: readonly string[], effects: Effects): Promise<FileSum[]> {
  const sums: FileSum[] = [];
  for (const file of files) {
    effects.checkpoint(`written:${file}`);
    await sync(join(dir, file));
    effects.checkpoint(`synced:${file}`);
    sums.push(await sumFile(dir, file));
  }
  return sums;
}

async function writeFiles(
  db: Connection,
  table: SnapshotTable,
  paths: TablePaths,
  effects: Effects,
): Promise<string[]> {
  if (table === 'raw') return writeRawParts(db, paths, effects);
  if (table === 'publications') return writePublications(db, paths.dir);
  const file = `${table}.parquet`;
  await writeTable(db, table, join(paths.dir, file), ROWS_PER_GROUP);
  return [file];
}

/** Writes one file of publications for each prefix of registration ids, in key order; one file for an empty table. */
async function writePublications(db: Connection, dir: string): Promise<string[]> {
  const found = await db.all(
    `SELECT DISTINCT left(registration_id, ${PUBLICATIONS_PREFIX}) AS prefix FROM publications ORDER BY prefix`,
  );
  const prefixes = found.map(({ prefix }) => String(prefix));
  for (const [place, prefix] of prefixes.entries()) {
    const file = publicationsFile(prefix);
    if (tableOfFile(file) !== 'publications')
      throw new Error(`registration ids begin with ${prefix}, which cannot be part of a file name`);
    // A range lets DuckDB skip row groups of the working table.
    const next = prefixes[place + 1];
    const below = next === undefined ? '' : `AND registration_id < ${sqlLiteral(next)}`;
    const condition = `WHERE registration_id >= ${sqlLiteral(prefix)} ${below}`;
    await writeTable(db, 'publications', join(dir, file), ROWS_PER_LOOK_UP, condition);
  }
  if (prefixes.length > 0) return prefixes.map(publicationsFile);
  await writeTable(db, 'publications', join(dir, 'publications.parquet'), ROWS_PER_GROUP);
  return ['publications.parquet'];
}

async function describeValues(
  db: Connection,
  table: SnapshotTable,
  dir: string,
  tree?: LeafTree,
): Promise<TableValues> {
  if (isBlocked(table)) return hashBlocks(db, dir, table);
  return table === 'registrations' ? hashRegistrationsAgain(db, dir, tree) : rootOfTable(db, dir, table, tree);
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
      WHERE "role" IN ('declared', 'repaired') AND NOT in_index
        AND (registry, "type") IN (('clinicaltrials_gov', 'isrctn'), ('isrctn', 'nct'))) AS unresolved`);
  return row as Manifest['counts'];
}

async function writeTable(
  db: Connection,
  table: Exclude<SnapshotTable, 'raw'>,
  path: string,
  rowsPerGroup: number,
  condition = '',
): Promise<void> {
  const { key, source } = TABLE_SPECS[table];
  await writeDescribedParquet(db, {
    table,
    rows: `SELECT ${writtenColumns(table)} FROM ${source} ${condition} ORDER BY ${columnList(key)}`,
    path,
    options: `COMPRESSION_LEVEL 1, ROW_GROUP_SIZE ${rowsPerGroup}`,
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

function totalBytes(files: readonly FileSum[]): number {
  return files.reduce((sum, file) => sum + file.bytes, 0);
}
