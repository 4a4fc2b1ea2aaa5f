import { join } from 'node:path';
import { type Manifest, SNAPSHOT_TABLES, type SnapshotTable } from '../../snapshot/format/versions/manifest.ts';
import { isProven } from '../../snapshot/format/versions/proof-trees.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import type { StatedTable } from '../../snapshot/sql/row-state.ts';
import {
  columnList,
  PUBLICATIONS_PREFIX,
  parquetSource,
  publicationsFile,
  TABLE_SPECS,
  tableOfFile,
  writtenColumns,
} from '../../snapshot/sql/tables.ts';
import type { Effects } from '../effects.ts';
import type { Connection, Database } from '../store/database.ts';
import { writeDescribedParquet } from '../store/described-parquet.ts';
import { type FileSum, sumFile, sync } from './durable.ts';
import { withTreeFile } from './identity/proof-trees.ts';
import { type LeafTree, rootOfTable, type TableValues } from './identity/table-root.ts';
import {
  type ChangedRows,
  isInOrder,
  mergeableParent,
  mergedRows,
  pickRegistrations,
  pickTrials,
  type SideFiles,
  writeChangedRows,
} from './merged-rows.ts';
import { type PayloadFiles, writePayloadFiles } from './payload-files.ts';
import { type PublishedTables, settleRawParts, writeRawParts } from './raw-parts.ts';
import { holdKeptPayloads } from './retention/superseded.ts';
import { hashBlocks, isBlocked } from './row-blocks.ts';
import { hashRegistrationsAgain, hashStated, hashTrialsAgain, stateTrials } from './row-hashes.ts';
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
  /** An existing folder for files that only the publication reads. */
  scratch: string;
  /** The previous snapshot, from which parts and rows are taken over; null when there is none. */
  parent: PublishedTables | null;
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
 * `changed` has the changed rows of the wide tables into which rows of the parent were taken over. What follows from the payloads is
 * written at the end, beside the wide table that is written last.
 */
export async function writeTables(
  db: Database,
  paths: TablePaths,
  onRegistrations: (connection: Connection, root: string) => Promise<void>,
  effects: Effects,
): Promise<WrittenTables> {
  const writer = new TablesWriter(paths, onRegistrations, effects);
  const second = await db.secondConnection();
  try {
    await withOneThread(db, async () => {
      await bothDone(
        writer.orStop(() => writer.trialsFirst(db)),
        writer.orStop(() => writer.registrationsFirst(second)),
      );
    });
  } finally {
    second.close();
  }
  return writer.written();
}

export interface WrittenTables {
  tables: Manifest['tables'];
  proofs: FileSum[];
  payloadFiles: PayloadFiles;
  changed: Partial<Record<StatedTable, ChangedRows>>;
  /** Files with the registrations of changed trials, and of those that changed; none where they are not known. */
  sides: string[];
}

class TablesWriter {
  readonly #paths: TablePaths;
  readonly #onRegistrations: (connection: Connection, root: string) => Promise<void>;
  readonly #effects: Effects;
  readonly #described: Partial<Manifest['tables']> = {};
  readonly #proofs: FileSum[] = [];
  #payloadFiles: PayloadFiles | null = null;
  readonly #changed: WrittenTables['changed'] = {};
  #sidesOfTrials: SideFiles | null = null;
  /** The longest first: they are written while the trials wait for the row hashes of the registrations. */
  readonly #waiting: SnapshotTable[] = [
    'raw',
    ...SNAPSHOT_TABLES.filter((table) => !['trials', 'registrations', 'raw'].includes(table)),
  ];
  /** Work for the connection that has written its tables first. */
  readonly #last: ((connection: Connection) => Promise<void>)[] = [];
  /** The root of the registrations, once their row hashes are kept. */
  readonly #kept = Promise.withResolvers<string>();
  #isKept = false;

  constructor(
    paths: TablePaths,
    onRegistrations: (connection: Connection, root: string) => Promise<void>,
    effects: Effects,
  ) {
    this.#paths = paths;
    this.#onRegistrations = onRegistrations;
    this.#effects = effects;
    // A caller that awaits it gets the failure; without one, Node must not report it as unhandled.
    this.#kept.promise.catch(() => undefined);
  }

  written(): WrittenTables {
    const entries = SNAPSHOT_TABLES.map((table) => [table, this.#described[table]]);
    return {
      tables: Object.fromEntries(entries) as Manifest['tables'],
      proofs: this.#proofs,
      payloadFiles: this.#payloadFiles as PayloadFiles,
      changed: this.#changed,
      sides: this.#sidesOfTrials === null ? [] : Object.values(this.#sidesOfTrials),
    };
  }

  /** Where one of both fails, the other ends early. */
  async orStop(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#waiting.length = 0;
      this.#last.length = 0;
      this.#kept.reject(error);
      throw error;
    }
  }

  async trialsFirst(db: Connection): Promise<void> {
    const { dir } = this.#paths;
    const parent = await mergeableParent(db, 'trials', this.#paths.parent);
    const hashAgain = async (tree?: LeafTree): Promise<TableValues> =>
      hashTrialsAgain(db, dir, await this.#keptRoot(db), tree);
    if (parent === null) await this.#write(db, 'trials', hashAgain);
    else {
      await stateTrials(db, await this.#keptRoot(db));
      const sides = this.#sides();
      if (await pickTrials(db, parent, sides)) {
        this.#sidesOfTrials = sides;
        await this.#writeMerged(db, 'trials', parent);
      } else await this.#write(db, 'trials', hashAgain);
    }
    await this.#writeRest(db);
  }

  async registrationsFirst(db: Connection): Promise<void> {
    const keep = async (root: string): Promise<void> => {
      await this.#onRegistrations(db, root);
      this.#isKept = true;
      this.#kept.resolve(root);
    };
    const parent = await mergeableParent(db, 'registrations', this.#paths.parent);
    if (parent !== null && (await pickRegistrations(db, parent))) {
      await this.#writeMerged(db, 'registrations', parent, keep);
    } else {
      await this.#write(db, 'registrations');
      await keep((this.#described.registrations as TableValues).root);
    }
    await this.#writeRest(db);
  }

  #sides(): SideFiles | null {
    const changed = this.#changed.registrations?.after;
    return changed === undefined ? null : { changed, others: join(this.#paths.scratch, 'other-sides.parquet') };
  }

  /** Writes other tables until the row hashes of the registrations are kept. */
  async #keptRoot(connection: Connection): Promise<string> {
    await this.#writeWaiting(connection, () => this.#isKept);
    return this.#kept.promise;
  }

  async #writeWaiting(connection: Connection, isEnough = () => false): Promise<void> {
    while (this.#waiting.length > 0 && !isEnough()) await this.#write(connection, this.#waiting.shift()!);
  }

  async #writeRest(connection: Connection): Promise<void> {
    await this.#writeWaiting(connection);
    for (let work = this.#last.shift(); work !== undefined; work = this.#last.shift()) await work(connection);
  }

  /** Writes a table into which rows of the parent are taken over. Its row hashes are known before, and `onHashed` gets their root. */
  async #writeMerged(
    connection: Connection,
    table: StatedTable,
    parent: PublishedTables,
    onHashed: (root: string) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const { writeBefore, ...changed } = await writeChangedRows(connection, table, parent, this.#paths.scratch);
    this.#changed[table] = changed;
    const values = await this.#hashed(table, (tree) => hashStated(connection, table, `${table}_fresh`, tree));
    await onHashed(values.root);
    this.#last.push(writeBefore);
    await this.#describe(connection, table, { values: async () => values, rows: mergedRows(table, parent) });
  }

  async #write(
    connection: Connection,
    table: SnapshotTable,
    hash: HashTable = (tree) => describeValues(connection, table, this.#paths.dir, tree),
  ): Promise<void> {
    await this.#describe(connection, table, { values: () => this.#hashed(table, hash) });
  }

  /** From the parts as they are linked now, and the working table of registrations: the file of them is the last to be written. */
  async #writePayloadFiles(connection: Connection): Promise<void> {
    const from = { dir: this.#paths.dir, registrations: 'registrations' };
    const raw = this.#described.raw as Manifest['tables']['raw'];
    this.#payloadFiles = await writePayloadFiles(connection, from, raw, this.#effects, holdKeptPayloads);
  }

  async #hashed(table: SnapshotTable, hash: HashTable): Promise<TableValues> {
    if (!isProven(table)) return hash();
    const { values, file } = await withTreeFile(this.#paths.dir, table, hash, this.#effects);
    this.#proofs.push(file);
    return values;
  }

  async #describe(
    connection: Connection,
    table: SnapshotTable,
    given: { values: () => Promise<TableValues>; rows?: string },
  ): Promise<void> {
    this.#described[table] = await writeDescribed(connection, table, { paths: this.#paths, ...given }, this.#effects);
    if (table === 'raw') this.#last.push((free) => this.#writePayloadFiles(free));
    const done = Object.keys(this.#described).length;
    this.#effects.progress({ stage: 'publish', label: table, done, total: SNAPSHOT_TABLES.length, unit: 'tables' });
  }
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
  { paths, values, rows }: { paths: TablePaths; values: () => Promise<TableValues>; rows?: string | undefined },
  effects: Effects,
): Promise<Manifest['tables'][SnapshotTable]> {
  const files =
    rows === undefined
      ? await writeFiles(db, table, paths, effects)
      : await writeRows(db, table as StatedTable, paths, rows);
  const settled =
    table === 'raw' ? settleRawParts(paths, files, paths.parent, effects) : settleFiles(paths.dir, files, effects);
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

/** Writes a wide table from SQL that gives its rows in order; sorts them where they were not. */
async function writeRows(db: Connection, table: StatedTable, { dir }: TablePaths, rows: string): Promise<string[]> {
  const file = `${table}.parquet`;
  const path = join(dir, file);
  await writeDescribedParquet(db, { table, rows, path, options: optionsOf(ROWS_PER_GROUP) });
  if (!(await isInOrder(db, table, dir))) await writeTable(db, table, path, ROWS_PER_GROUP);
  return [file];
}

function optionsOf(rowsPerGroup: number): string {
  return `COMPRESSION_LEVEL 1, ROW_GROUP_SIZE ${rowsPerGroup}`;
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
    options: optionsOf(rowsPerGroup),
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
