import { expect, test } from 'vitest';
import { Database } from './database.ts';

test('streamed words are the rows as they are, empty words and missing ones told apart', async () => {
  await using db = await Database.open(':memory:');
  await db.run(
    "CREATE TABLE ids AS SELECT 'NCT' || n AS id, CASE n % 3 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE 'é' END AS word FROM range(10000) t(n)",
  );
  const rows: (string | null)[][] = [];
  for await (const some of db.streamWords(['id', 'word'], "ids WHERE id <> 'NCT4'")) rows.push(...some);
  const expected = Array.from({ length: 10_000 }, (_, n) => [`NCT${n}`, [null, '', 'é'][n % 3] as string | null]);
  expected.splice(4, 1);
  expect(new Map(rows as [string, string | null][])).toEqual(new Map(expected as [string, string | null][]));
  expect(rows).toHaveLength(9999);
  for await (const some of db.streamWords(['id'], 'ids WHERE false')) expect(some).toEqual([]);
});

test('a value that holds a separator of streamed words is refused', async () => {
  await using db = await Database.open(':memory:');
  const read = async (): Promise<void> => {
    for await (const _ of db.streamWords(['id', 'word'], "(SELECT 'a' AS id, 'b' || chr(31) || 'c' AS word) ids"));
  };
  await expect(read()).rejects.toThrow('holds a control character');
});

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
  await expect(db.all("SELECT * FROM given_chunks('some')")).rejects.toThrow('no chunks are given under the name some');
});
