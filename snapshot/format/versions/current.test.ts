import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOfFile } from '../../../test/support/folders.ts';
import { readCurrent, readManifest, SnapshotFault, snapshotPath } from './current.ts';
import { wasPublished } from './current-file.ts';

const { path: dir } = folderOfFile();

test('no CURRENT means that nothing was published', async () => {
  expect(await readCurrent(join(dir, 'nowhere'))).toBeNull();
});

test('something was published where CURRENT or a version is there, so that no sample is made in its place', async () => {
  const there = join(dir, 'published');
  expect(wasPublished(there)).toBe(false);
  await mkdir(there);
  expect(wasPublished(there)).toBe(false);
  await mkdir(join(there, '20261121T031500Z-0a1b2c3d'));
  expect(wasPublished(there)).toBe(true);
  await writeFile(join(there, 'CURRENT'), 'none\n');
  expect(wasPublished(there)).toBe(false);
  await writeFile(join(there, 'CURRENT'), 'garbage');
  expect(wasPublished(there)).toBe(true);
});

test('CURRENT names a version; anything else in it is refused', async () => {
  await writeFile(join(dir, 'CURRENT'), '20261121T031500Z-0a1b2c3d\n');
  expect(await readCurrent(dir)).toBe('20261121T031500Z-0a1b2c3d');
  await writeFile(join(dir, 'CURRENT'), 'none\n');
  expect(await readCurrent(dir)).toBeNull();
  for (const text of ['', '../elsewhere\n', '20261121T031500Z-0a1b2c3d\n\n', '20261121T031500Z-0A1B2C3D\n']) {
    await writeFile(join(dir, 'CURRENT'), text);
    await expect(readCurrent(dir), JSON.stringify(text)).rejects.toThrow('which is not a snapshot version');
  }
});

test('a path is made only of a version, so that it cannot leave the directory', () => {
  expect(snapshotPath('/s', '20261121T031500Z-0a1b2c3d')).toBe('/s/20261121T031500Z-0a1b2c3d');
  for (const name of ['..', '', '20261121T031500Z-0a1b2c3d/../..', 'CURRENT']) {
    expect(() => snapshotPath('/s', name), name).toThrow(SnapshotFault);
  }
});

test.each([3, 7])(
  'a manifest of format %i is refused with what to do, before anything else of it is read',
  async (format) => {
    for (const name of ['files.json', 'run.json']) await writeFile(join(dir, name), '{}');
    await writeFile(join(dir, 'manifest.json'), `{"formatVersion": ${format}, "tables": "of a shape not known"}`);
    await expect(readManifest(dir)).rejects.toMatchObject({
      code: 'other-format',
      message: `${join(dir, 'manifest.json')} has snapshot format ${format}, and this program reads format 6 alone: make it again from raw with \`pipeline normalise --accept no-parent\`, \`pipeline dedup\` and \`pipeline publish --accept no-parent --reason TEXT\``,
    });
  },
);

test('a manifest that is absent, no JSON or of another shape is refused by name', async () => {
  await expect(readManifest(join(dir, 'nowhere'))).rejects.toMatchObject({ code: 'missing' });
  for (const name of ['files.json', 'run.json']) await writeFile(join(dir, name), '{}');
  await writeFile(join(dir, 'manifest.json'), '{"formatVersion": 6');
  await expect(readManifest(dir)).rejects.toMatchObject({
    code: 'malformed',
    message: expect.stringContaining('is no JSON object'),
  });
  for (const text of ['null', '{"formatVersion": 6}', '[]']) {
    await writeFile(join(dir, 'manifest.json'), text);
    await expect(readManifest(dir), text).rejects.toMatchObject({ code: 'malformed' });
  }
});
