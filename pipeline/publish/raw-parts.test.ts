import { copyFile, link, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../test/builders/working-database.ts';
import { sumFile } from './durable.ts';
import { settleRawParts } from './raw-parts.ts';

test('a part has the sum that the parent states where it is the same file, and is read where it is not', async () => {
  await using place = await temporaryDirectory();
  const [parent, dir] = [join(place.path, 'parent'), join(place.path, 'next')];
  await mkdir(join(parent, 'raw'), { recursive: true });
  await mkdir(join(dir, 'raw'), { recursive: true });
  for (const name of ['a', 'b', 'c']) await writeFile(join(parent, 'raw', name), `part ${name}`);
  await link(join(parent, 'raw', 'b'), join(dir, 'raw', 'a'));
  await copyFile(join(parent, 'raw', 'c'), join(dir, 'raw', 'b'));
  await writeFile(join(dir, 'raw', 'c'), 'a new part');
  const stated = ['raw/a', 'raw/b', 'raw/c', 'raw/gone'].map((path) => ({
    path,
    bytes: 6,
    sha256: `stated of ${path}`,
  }));
  const checkpoints: string[] = [];
  const effects = {
    now: () => new Date(0),
    progress: () => {},
    checkpoint: (name: string) => void checkpoints.push(name),
  };
  const files = ['raw/a', 'raw/b', 'raw/c'];

  const plain = [await sumFile(dir, 'raw/a'), await sumFile(dir, 'raw/b'), await sumFile(dir, 'raw/c')];
  const linked = { path: 'raw/a', bytes: 6, sha256: 'stated of raw/b' };
  expect(await settleRawParts(dir, files, { dir: parent, files: stated }, effects)).toEqual([
    linked,
    plain[1],
    plain[2],
  ]);
  expect(await settleRawParts(dir, files, null, effects)).toEqual(plain);
  expect(checkpoints.slice(0, 3)).toEqual(['synced:raw/a', 'synced:raw/b', 'synced:raw/c']);
});
