import { copyFile, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOfTest } from '../../test/support/folders.ts';
import { stateOrder } from './parquet-footer.ts';
import { withScratchDatabase } from './scratch-database.ts';

const folder = folderOfTest();
const ROWS = `SELECT 'id-' || range AS id, range::INTEGER AS n, range % 2 = 0 AS even, {'a': range, 'b': ['x', NULL]} AS s,
  range / 3 AS part, NULL::DATE AS day FROM range(9000)`;

// That the order is read by others is shown by test/kits/parquet-readers.deep.test.ts.
test('an order is added to the footer of many row groups, and everything else stays as it was', async () => {
  const [path, plain] = [join(folder.path, 'rows.parquet'), join(folder.path, 'plain.parquet')];
  await withScratchDatabase(async (db) => {
    const text = 'é'.repeat(300);
    await db.run(`COPY (${ROWS}) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048, KV_METADATA {long: '${text}'})`);
    await copyFile(path, plain);
    await stateOrder(path, ['even', 'id']);
    const stated = (file: string) =>
      db.all(`SELECT * EXCLUDE (file_name) FROM parquet_metadata('${file}') ORDER BY row_group_id, column_id`);
    expect(await stated(path)).toEqual(await stated(plain));
    const groups = await db.one(`SELECT count(DISTINCT row_group_id)::INTEGER AS n FROM parquet_metadata('${path}')`);
    expect(groups).toEqual({ n: 5 });
    const pairs = await db.all(`SELECT decode(key) AS name, decode(value) AS text FROM parquet_kv_metadata('${path}')`);
    expect(pairs).toEqual([{ name: 'long', text }]);
    const differing = `(FROM '${path}' EXCEPT ALL FROM '${plain}') UNION ALL (FROM '${plain}' EXCEPT ALL FROM '${path}')`;
    expect(await db.all(differing)).toEqual([]);
  });
  const [ordered, before] = [await readFile(path), await readFile(plain)];
  // Per row group a header, the list's, and for two columns a number and two flags each.
  expect(ordered.length - before.length).toBe(5 * (1 + 1 + 2 * 5));
  await stateOrder(path, ['even', 'id']);
  expect((await readFile(path)).equals(ordered)).toBe(true);
});

test('a column that the file lacks, and a file that is cut or no Parquet file, are refused and stay as they are', async () => {
  const path = join(folder.path, 'rows.parquet');
  await withScratchDatabase((db) => db.run(`COPY (${ROWS}) TO '${path}' (FORMAT parquet)`));
  const before = await readFile(path);
  await expect(stateOrder(path, ['other'])).rejects.toThrow('the Parquet file has no column other to be sorted by');
  await expect(stateOrder(path, ['s'])).rejects.toThrow('has no column s to be sorted by');
  expect((await readFile(path)).equals(before)).toBe(true);
  await truncate(path, before.length - 1);
  await expect(stateOrder(path, ['id'])).rejects.toThrow(`${path} does not end like a Parquet file`);
  await writeFile(path, 'PAR1');
  await expect(stateOrder(path, ['id'])).rejects.toThrow(`${path} does not end like a Parquet file`);
});

test('a table without rows has no row group to state an order for', async () => {
  const path = join(folder.path, 'none.parquet');
  await withScratchDatabase(async (db) => {
    await db.run(`COPY (${ROWS} LIMIT 0) TO '${path}' (FORMAT parquet)`);
    const before = await readFile(path);
    await stateOrder(path, ['id']);
    expect((await readFile(path)).equals(before)).toBe(true);
  });
});
