import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../server-kit/config/config.ts';
import { SnapshotFault } from '../../snapshot/format/versions/current.ts';
import { quietEffects } from '../../test/builders/working-database.ts';
import { nct, study } from '../../test/support/live-records.ts';
import { NO_FEEDS } from '../../test/support/no-feeds.ts';
import { deep } from '../../test/support/runner/amount.ts';
import { copyWithLinks } from '../../test/support/snapshots/copy-with-links.ts';
import { verify } from '../publish/verify/verify.ts';
import { type RunReport, run } from './run.ts';

let folder: string;
let root: string;
let published: RunReport['published'];

// One run is made for both tests; each works on a copy.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trial-board-damaged-payloads-'));
  root = join(folder, 'published');
  await mkdir(root);
  ({ published } = await read(''));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  root = join(folder, randomUUID());
  await copyWithLinks(join(folder, 'published'), root);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function read(blank: string, accept: string[] = []): Promise<RunReport> {
  const dump = join(root, 'ctgov.ndjson');
  const lines = Array.from({ length: 8 }, (_, at) => `${JSON.stringify(study({ nctId: nct(at) }))}\n`);
  await writeFile(dump, lines.join('').replaceAll('":', `"${blank}:`));
  const places = { DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots') };
  const config = loadConfig({ ...places, FEEDS_FILE: NO_FEEDS }, root);
  const gate = { accept, ...(accept.length === 0 ? {} : { reason: 'Ada: a new disk' }) };
  return run({ source: 'dump', mode: 'auto', dumps: { clinicaltrials_gov: dump }, ...gate }, config, quietEffects());
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
