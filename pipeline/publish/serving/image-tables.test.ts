import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderOfTest } from '../../../test/support/folders.ts';
import { Database } from '../../store/database.ts';
import { streamByRow } from './image-tables.ts';

const root = folderOfTest();

it('gives parts by row and registry over many ranges of rows, and leaves no file', async () => {
  const folder = join(root.path, 'parts');
  await using database = await Database.open(':memory:');
  // 120 ranges of 20,000 rows, more than DuckDB keeps open at a time, read from the end; each third row has two parts.
  const sql = `
    SELECT CAST(part * 997 AS INTEGER) AS "row", 'isrctn' AS registry, 'second ' || part AS body
    FROM range(2400) AS s(part) WHERE part % 3 = 0
    UNION ALL
    SELECT CAST(part * 997 AS INTEGER), 'clinicaltrials_gov', 'first ' || part FROM range(2399, -1, -1) AS f(part)`;
  const read: unknown[][] = [];
  for await (const { row, parts } of streamByRow(database, sql, folder, ['registry']))
    for (const [, body] of parts) read.push([row, body]);
  const expected = Array.from({ length: 2400 }, (_, part) => {
    const first = [part * 997, `first ${part}`];
    return part % 3 === 0 ? [first, [part * 997, `second ${part}`]] : [first];
  });
  expect(read).toEqual(expected.flat());
  expect(await readdir(folder)).toEqual([]);
});

it('gives nothing when there are no parts', async () => {
  const folder = join(root.path, 'parts');
  await using database = await Database.open(':memory:');
  const sql = `SELECT 1 AS "row", 'isrctn' AS registry, '' AS body WHERE false`;
  expect(await Array.fromAsync(streamByRow(database, sql, folder, ['registry']))).toEqual([]);
});
