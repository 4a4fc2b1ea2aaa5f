import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { payloadsOf, recordsOf, studyOf, temporaryDirectory, testEffects, zipOf } from '../../test/support/raw-sets.ts';
import { type FetchLog, runDirectory } from './fetch-log.ts';
import { importDump } from './import-dump.ts';

const A = JSON.stringify(studyOf(1));
const B = JSON.stringify(studyOf(2));

/** Imports one dump file as a raw set, passes the set to `use` and deletes it. */
async function withSet(
  content: Buffer | string,
  use: (dataDir: string, log: FetchLog, stored: string) => Promise<void>,
): Promise<void> {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'dump');
  await writeFile(path, content);
  const log = await importDump({ registry: 'clinicaltrials_gov', path, dataDir: directory.path }, testEffects());
  await rm(path);
  await use(directory.path, log, join(runDirectory(directory.path, log), log.files[0]!.name));
}

describe('readRawSet', () => {
  test.each([
    ['plain', `[${A},${B}]`, gzipSync(`[${A},${B} ]`)],
    ['gzip', gzipSync(`[${A},${B}]`), gzipSync(`[${A},${B}]`, { level: 0 })],
    ['zip', zipOf({ 'a.json': A }), zipOf({ 'a.json': A }, true)],
    ['gzip', gzipSync(`[${A},${B}]`), gzipSync(`[${A},${B}]`).subarray(0, 40)],
    ['plain', `[${A},${B}]`, Buffer.from('not gzip')],
  ])('refuses a stored %s file whose bytes are no longer those received', async (_, content, other) => {
    await withSet(content, async (dataDir, log, stored) => {
      expect((await payloadsOf(dataDir, log))[0]).toBe(A);
      await rm(stored);
      await writeFile(stored, other);
      await expect(recordsOf(dataDir, log)).rejects.toMatchObject({
        code: 'checksum',
        message: expect.stringMatching(
          /^000001-dump(\.gz)? of 20261121T031500Z-full is not what was received \(.*fetch or import again$/,
        ),
      });
    });
  });

  test('reads a stored file that was packed anew, since the bytes received are the same', async () => {
    await withSet(`[${A}]`, async (dataDir, log, stored) => {
      await writeFile(stored, gzipSync(gunzipSync(await readFile(stored)), { level: 9 }));
      expect(await payloadsOf(dataDir, log)).toEqual([A]);
    });
  });

  test('refuses an open set, a missing file and a record count that differs from the log', async () => {
    await withSet(`[${A}]`, async (dataDir, log, stored) => {
      await expect(recordsOf(dataDir, { ...log, state: 'open' })).rejects.toMatchObject({ code: 'incomplete-set' });
      const more = { ...log, files: [{ ...log.files[0]!, records: 2 }] };
      await expect(recordsOf(dataDir, more)).rejects.toMatchObject({
        code: 'checksum',
        message: expect.stringMatching(/1 records where the fetch log has 2/),
      });
      await rm(stored);
      await expect(recordsOf(dataDir, log)).rejects.toMatchObject({
        code: 'incomplete-set',
        message: expect.stringMatching(/is missing/),
      });
    });
  });
});
