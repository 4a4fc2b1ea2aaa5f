import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderOfTest } from '../../test/support/folders.ts';
import { type Connection, Database, openWorkingDatabase } from './database.ts';

test('given chunks are read in order, once, with their limits kept as row groups', async () => {
  await using db = await Database.open(':memory:');
  const chunks = [
    [
      ['b', 'a'],
      [Buffer.from('x'), Buffer.alloc(0)],
    ],
    [['c'], [Buffer.from([0xff])]],
  ];
  const source = { columns: { id: 'text', body: 'bytes' } as const, next: () => chunks.shift() ?? null };
  const rows = await db.givingChunks('some', source, () =>
    db.all("SELECT id, hex(body) AS body FROM given_chunks('some')"),
  );
  expect(rows).toEqual([
    { id: 'b', body: '78' },
    { id: 'a', body: '' },
    { id: 'c', body: 'FF' },
  ]);
  await expect(db.all("SELECT * FROM given_chunks('some')")).rejects.toThrow("given_chunks('some') has no source");
});

describe('a database file whose row groups are small', () => {
  const folder = folderOfTest();
  const ROWS = 4096;
  const groupsOf = async (db: Connection, table: string): Promise<number[]> => {
    const rows = await db.all(
      `SELECT sum(count)::DOUBLE AS n FROM pragma_storage_info('${table}')
       WHERE column_id = 0 AND segment_type <> 'VALIDITY' GROUP BY row_group_id ORDER BY row_group_id`,
    );
    return rows.map(({ n }) => Number(n));
  };
  const numbers = (from: number, to: number): string => `SELECT n::INTEGER AS n FROM range(${from}, ${to}) t(n)`;

  test('keeps them so, on any of its connections, and one with large ones can go on in small ones', async () => {
    const path = join(folder.path, 'some.duckdb');
    {
      await using before = await Database.open(path);
      await before.run(`CREATE TABLE old AS ${numbers(0, 10_000)}`);
    }
    {
      await using db = await Database.open(path, { rowGroupRows: ROWS });
      await db.run(`INSERT INTO old ${numbers(10_000, 20_000)}`);
      const beside = await db.secondConnection();
      await beside.run(`CREATE TABLE new AS ${numbers(0, 10_000)}`);
      beside.close();
    }
    await using db = await Database.open(path);
    expect(await groupsOf(db, 'new')).toEqual([4096, 4096, 1808]);
    expect(await groupsOf(db, 'old')).toEqual([10_000, 4096, 4096, 1808]);
    expect(await db.all('SELECT count(*)::INTEGER AS rows, sum(n)::INTEGER AS sum FROM old')).toEqual([
      { rows: 20_000, sum: 199_990_000 },
    ]);
  });

  test('gives the space of replaced rows back night by night, and no row is lost', async () => {
    const path = join(folder.path, 'some.duckdb');
    const open = (): Promise<Database> => Database.open(path, { rowGroupRows: ROWS });
    {
      await using db = await open();
      await db.run(`CREATE TABLE t AS ${numbers(0, 10 * ROWS)}`);
    }
    for (let night = 0; night < 6; night += 1) {
      await using db = await open();
      await db.transaction(async () => {
        await db.run(`DELETE FROM t WHERE n % 16 = ${night}`);
        await db.run(`INSERT INTO t SELECT * FROM (${numbers(0, 10 * ROWS)}) WHERE n % 16 = ${night}`);
      });
    }
    await using db = await open();
    const groups = await groupsOf(db, 't');
    expect(groups.every((rows) => rows <= ROWS)).toBe(true);
    expect(groups.reduce((sum, rows) => sum + rows, 0)).toBeLessThan(13 * ROWS);
    expect(await db.all('SELECT count(DISTINCT n)::INTEGER AS rows, count(*)::INTEGER AS all FROM t')).toEqual([
      { rows: 10 * ROWS, all: 10 * ROWS },
    ]);
  });

  test('is what a working database is', async () => {
    {
      await using db = await openWorkingDatabase(folder.path);
      await db.run("INSERT INTO relations SELECT '', '', '', '', '', '', 'ln_' || n FROM range(30000) t(n)");
    }
    await using db = await openWorkingDatabase(folder.path);
    expect(await groupsOf(db, 'relations')).toEqual([20_480, 9_520]);
  });
});
