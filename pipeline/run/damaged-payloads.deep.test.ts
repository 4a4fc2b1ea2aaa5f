import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { SnapshotFault } from '../../snapshot/format/versions/current.ts';
import { quietEffects } from '../../test/builders/working-database.ts';
import { runRecords, someStudies } from '../../test/support/dump-runs.ts';
import { folderOfFile, folderOfTest } from '../../test/support/folders.ts';
import { deep } from '../../test/support/runner/amount.ts';
import { copyWithLinks } from '../../test/support/snapshots/copy-with-links.ts';
import { verify } from '../publish/verify/verify.ts';
import type { RunReport } from './run.ts';

const once = folderOfFile();
const folder = folderOfTest();
let root: string;
let published: RunReport['published'];

// One run is made for both tests; each works on a copy.
beforeAll(async () => {
  root = join(once.path, 'published');
  ({ published } = await read(''));
});
beforeEach(async () => {
  root = join(folder.path, 'copy');
  await copyWithLinks(join(once.path, 'published'), root);
});

function read(blank: string, accept: string[] = []): Promise<RunReport> {
  const studies = someStudies(8).map((one) => JSON.stringify(one).replaceAll('":', `"${blank}:`));
  return runRecords(root, { studies }, { accept, ...(accept.length > 0 && { reason: 'Ada: a new disk' }) });
}

/** Overwrites the middle of a file; links to it have the same bytes. */
async function damage(path: string): Promise<void> {
  const { length } = await readFile(path);
  await using file = await open(path, 'r+');
  await file.write(Buffer.alloc(64, 0xff), 0, 64, Math.floor(length / 4));
}

deep.it(
  'damaged payloads that records must be compared with are named with what mends them, and their acceptance is recorded',
  async () => {
    const parts = join(root, 'data', 'work', 'raw-parts');
    const snapshots = join(root, 'snapshots');
    await damage(join(snapshots, published.version, 'raw', 'part-0000.parquet'));
    const fault = await read(' ').catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(SnapshotFault);
    expect((fault as SnapshotFault).message).toBe(
      `raw/part-0000.parquet of ${published.version} is damaged, so that records cannot be compared with what is published; remove ${parts}, which may share it, and run again with \`--accept no-parent --reason "who accepts it and why"\`: the payloads are written again from the raw sets`,
    );
    await rm(parts, { recursive: true });
    const mended = (await read(' ', ['no-parent'])).published;
    expect(mended.manifest).toMatchObject({
      parent: published.version,
      accepted: ['no-parent'],
      changes: { removed: 0 },
    });
    expect((await verify(snapshots, mended.version, quietEffects())).problems).toEqual([]);
  },
);

it('an acceptance of no-parent that is not needed does nothing: records are compared all the same', async () => {
  const again = await read(' ', ['no-parent']);
  expect(again.published).toMatchObject({ version: published.version, unchangedAt: expect.any(String) });
  expect(again.normalise.registries[0]).toMatchObject({ kept: 8, unchanged: 8 });
});
