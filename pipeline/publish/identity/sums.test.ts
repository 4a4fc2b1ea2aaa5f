import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOfFile } from '../../../test/support/folders.ts';
import { sumFile } from '../durable.ts';
import { sumFiles } from './sums.ts';

const { path: dir } = folderOfFile();

test('threads give the sums that one thread gives, in the order asked for, and a missing file fails all', async () => {
  for (const [name, text] of Object.entries({ b: 'second', a: 'first', c: '' })) await writeFile(join(dir, name), text);
  await truncate(join(dir, 'a'), 1 << 20);
  // The stated size alone decides how the files are read, so these small files also test the way of large ones.
  const asked = (bytes: number) => ['b', 'a', 'c'].map((path) => ({ path, bytes }));
  const plain = [await sumFile(dir, 'b'), await sumFile(dir, 'a'), await sumFile(dir, 'c')];
  expect(await sumFiles(dir, asked(1))).toEqual(plain);
  expect(await sumFiles(dir, asked(2 ** 30))).toEqual(plain);
  expect(plain[0]?.sha256).toBe('16367aacb67a4a017c8da8ab95682ccb390863780f7114dda0a0e0c55644c7c4');
  await expect(sumFiles(dir, [...asked(2 ** 30), { path: 'none', bytes: 2 ** 30 }])).rejects.toThrow(/none/);
});
