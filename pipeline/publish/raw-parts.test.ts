import { copyFile, link, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOfTest } from '../../test/support/folders.ts';
import { sumFile } from './durable.ts';
import { settleRawParts } from './raw-parts.ts';

const place = folderOfTest();

test('a part is summed also where the parent has the same file, which must have the sum that the parent states', async () => {
  const [parent, dir] = [join(place.path, 'parent'), join(place.path, 'next')];
  await mkdir(join(parent, 'raw'), { recursive: true });
  await mkdir(join(dir, 'raw'), { recursive: true });
  for (const name of ['a', 'b', 'c']) await writeFile(join(parent, 'raw', name), `part ${name}`);
  await link(join(parent, 'raw', 'b'), join(dir, 'raw', 'a'));
  await copyFile(join(parent, 'raw', 'c'), join(dir, 'raw', 'b'));
  await writeFile(join(dir, 'raw', 'c'), 'a new part');
  const checkpoints: string[] = [];
  const effects = {
    now: () => new Date(0),
    progress: () => {},
    checkpoint: (name: string) => void checkpoints.push(name),
  };
  const files = ['raw/a', 'raw/b', 'raw/c'];
  const stated = [
    ...(await Promise.all(files.map((path) => sumFile(parent, path)))),
    { path: 'raw/gone', bytes: 6, sha256: '' },
  ];
  const shared = { dir, partsDir: '/data/work/raw-parts', parent: { dir: parent, tables: { raw: { files: stated } } } };

  const plain = [await sumFile(dir, 'raw/a'), await sumFile(dir, 'raw/b'), await sumFile(dir, 'raw/c')];
  expect(await settleRawParts(shared, files, effects)).toEqual(plain);
  expect(await settleRawParts({ ...shared, parent: null }, files, effects)).toEqual(plain);
  expect(checkpoints.slice(0, 3)).toEqual(['synced:raw/a', 'synced:raw/b', 'synced:raw/c']);

  await writeFile(join(parent, 'raw', 'b'), 'part X');
  await expect(settleRawParts(shared, files, effects)).rejects.toThrow(
    'raw/b of the served version is damaged, and /data/work/raw-parts shares it; remove that folder and run again',
  );
});
