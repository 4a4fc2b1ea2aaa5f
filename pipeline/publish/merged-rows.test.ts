import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import type { StatedTable } from '../../snapshot/sql/row-state.ts';
import { columnList, parquetSource, TABLE_SPECS, writtenColumns } from '../../snapshot/sql/tables.ts';
import { fillWorkingDatabase, makeWorkingDatabase, temporaryDirectory } from '../../test/builders/working-database.ts';
import { anyCorpus } from '../../test/builders/worlds.ts';
import type { Database } from '../store/database.ts';
import { rootOfTable } from './identity/table-root.ts';
import {
  isInOrder,
  mergeableParent,
  mergedRows,
  pickRegistrations,
  pickTrials,
  writeChangedRows,
} from './merged-rows.ts';
import type { PublishedTables } from './raw-parts.ts';
import { hashRegistrationsAgain, hashStated, hashTrialsAgain, keepRowHashes, stateTrials } from './row-hashes.ts';
import { defineTrials } from './write-tables.ts';

const ANY_SHARE = 1;

test('over any corpora in turn, rows put into the parent give the rows, their order and the root that sorting all gives', async () => {
  await using place = await temporaryDirectory();
  await using db = await makeWorkingDatabase(place.path, { trials: [] });
  await db.run('SET threads = 1');
  let parent: PublishedTables | null = null;
  let merged = 0;
  for (const [index, corpus] of fc.sample(anyCorpus, { numRuns: 12, seed: 20261126 }).entries()) {
    await fillWorkingDatabase(db, place.path, corpus);
    // A run time that changed shows in no state.
    await db.run(
      `UPDATE registrations SET retrieved_at = '2026-11-2${index % 9}T03:00:00.000Z' WHERE id LIKE '%${index % 4}'`,
    );
    merged += await oneDay(db, join(place.path, `day-${index}`), parent);
    parent = await published(db, join(place.path, `day-${index}`));
  }
  expect(merged).toBeGreaterThan(12);
});

test('among thousands of rows the order and the row groups stay', async () => {
  await using place = await temporaryDirectory();
  const members = [{ id: 'NCT00000001' }];
  await using db = await makeWorkingDatabase(place.path, { trials: [{ canonicalId: 'wt_a', members }] });
  await db.run(
    `SET threads = 1;
     CREATE TABLE one AS FROM registrations;
     INSERT INTO registrations SELECT one.* REPLACE ('NCT' || lpad((i * 10)::VARCHAR, 8, '0') AS id) FROM one, range(1, 9000) t(i)`,
  );
  await oneDay(db, join(place.path, 'a'), null);
  const parent = await published(db, join(place.path, 'a'));
  const some = (condition: string): string => `${condition} AND id > 'NCT00000001'`;
  await db.run(
    `DELETE FROM registrations WHERE ${some("id LIKE '%770'")};
     UPDATE registrations SET title = 'Another', payload_sha256 = id WHERE ${some("id LIKE '%30'")};
     INSERT INTO registrations SELECT * REPLACE (left(id, 10) || '5' AS id) FROM registrations WHERE ${some("id LIKE '%40'")};
     INSERT INTO registrations SELECT * REPLACE ('NCT00000000' AS id) FROM one;
     INSERT INTO registrations SELECT one.* REPLACE ('NCT99999' || lpad(i::VARCHAR, 3, '0') AS id) FROM one, range(500) t(i)`,
  );
  expect(await oneDay(db, join(place.path, 'b'), parent, 0.5)).toBe(2);
  const groups = await db.all(
    `SELECT DISTINCT row_group_id, row_group_num_rows::DOUBLE AS n
     FROM parquet_metadata('${join(place.path, 'b', 'merged', 'registrations.parquet')}') ORDER BY row_group_id`,
  );
  // A group is full when a chunk of rows fills it, and chunks of merged rows are not all of one size.
  for (const { n } of groups.slice(0, -1)) expect(n).toSatisfy((rows: number) => rows >= 2048 && rows < 4096);
  expect(await pickRegistrations(db, parent, 0.01)).toBe(false);
  expect(await mergeableParent(db, 'registrations', parent)).toBeNull();
});

test('a file whose rows are not in the order of the key is noticed', async () => {
  await using place = await temporaryDirectory();
  await using db = await makeWorkingDatabase(place.path, { trials: [] });
  const write = (ids: string) =>
    db.run(
      `COPY (SELECT 'isrctn' AS registry, unnest([${ids}]) AS id) TO '${join(place.path, 'registrations.parquet')}' (FORMAT parquet)`,
    );
  await write("'a', 'b', 'c'");
  expect(await isInOrder(db, 'registrations', place.path)).toBe(true);
  await write("'a', 'c', 'b'");
  expect(await isInOrder(db, 'registrations', place.path)).toBe(false);
  await write("'a', 'a'");
  expect(await isInOrder(db, 'registrations', place.path)).toBe(false);
});

/** Writes both wide tables sorted and, where the parent allows, from the parent's; both must be the same. How many were merged. */
async function oneDay(
  db: Database,
  dir: string,
  parent: PublishedTables | null,
  mostChanged = ANY_SHARE,
): Promise<number> {
  await mkdir(join(dir, 'merged'), { recursive: true });
  await defineTrials(db);
  for (const table of ['registrations', 'trials'] as const) {
    const { source, key } = TABLE_SPECS[table];
    await copy(
      db,
      `SELECT ${writtenColumns(table)} FROM ${source} ORDER BY ${columnList(key)}`,
      join(dir, `${table}.parquet`),
    );
  }
  let merged = 0;
  for (const table of ['registrations', 'trials'] as const) {
    const { root } = await rootOfTable(db, dir, table);
    const from = await mergeableParent(db, table, parent);
    if (from === null) await hashWhole(db, table, dir);
    else {
      merged += 1;
      await pick(db, table, from, { dir, mostChanged, sides: merged === 2 });
      expect((await hashStated(db, table, `${table}_fresh`)).root).toBe(root);
      const path = join(dir, 'merged', `${table}.parquet`);
      await copy(db, mergedRows(table, from), path);
      expect(await isInOrder(db, table, join(dir, 'merged'))).toBe(true);
      const places = (file: string): string => `FROM read_parquet('${file}', file_row_number = true)`;
      const sorted = join(dir, `${table}.parquet`);
      expect(
        await db.all(`(${places(path)} EXCEPT ${places(sorted)}) UNION ALL (${places(sorted)} EXCEPT ${places(path)})`),
      ).toEqual([]);
      await holdsEveryChange(db, table, from, dir);
    }
    await keepRowHashes(db, table, root);
  }
  return merged;
}

async function pick(
  db: Database,
  table: StatedTable,
  parent: PublishedTables,
  { dir, mostChanged, sides }: { dir: string; mostChanged: number; sides: boolean },
): Promise<void> {
  if (table === 'registrations') return expect(await pickRegistrations(db, parent, mostChanged)).toBe(true);
  await stateTrials(db, (await rootOfTable(db, dir, 'registrations')).root);
  const at = (name: string): string => join(dir, 'merged', name);
  const files = sides ? { changed: at('registrations-after.parquet'), others: at('other-sides.parquet') } : null;
  expect(await pickTrials(db, parent, files, mostChanged)).toBe(true);
  if (files === null) return;
  // What the image is made from beside the new trials.
  const missing = await db.all(
    `(SELECT ctgov_id AS id FROM trials_fresh UNION ALL SELECT isrctn_id FROM trials_fresh)
     EXCEPT (SELECT id FROM read_parquet(['${files.changed}', '${files.others}'])) EXCEPT SELECT NULL`,
  );
  expect(missing).toEqual([]);
}

async function hashWhole(db: Database, table: StatedTable, dir: string): Promise<void> {
  if (table === 'registrations') await hashRegistrationsAgain(db, dir);
  else await hashTrialsAgain(db, dir, (await rootOfTable(db, dir, 'registrations')).root);
}

/** The files of changed rows have every row that is in one of both tables alone. */
async function holdsEveryChange(db: Database, table: StatedTable, parent: PublishedTables, dir: string): Promise<void> {
  const { before, after, writeBefore } = await writeChangedRows(db, table, parent, join(dir, 'merged'));
  await writeBefore(db);
  for (const [file, side, other] of [
    [before, parent.dir, dir],
    [after, dir, parent.dir],
  ] as const) {
    const missing = await db.all(
      `(FROM ${parquetSource(side, table)} EXCEPT FROM ${parquetSource(other, table)}) EXCEPT FROM read_parquet('${file}')`,
    );
    expect(missing).toEqual([]);
  }
}

function copy(db: Database, rows: string, path: string): Promise<void> {
  return db.run(
    `COPY (${rows}) TO '${path}' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE 2048)`,
  );
}

async function published(db: Database, dir: string): Promise<PublishedTables> {
  const tables: Record<string, unknown> = {};
  for (const table of ['registrations', 'trials'] as const) {
    const values = await rootOfTable(db, dir, table);
    tables[table] = { ...values, files: [{ path: `${table}.parquet`, bytes: 0, sha256: '' }] };
  }
  return { dir, tables: tables as unknown as Manifest['tables'] };
}
