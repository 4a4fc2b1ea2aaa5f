import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Config, loadConfig } from '../../server-kit/config/config.ts';
import { readCurrent, readManifest, snapshotPath } from '../../snapshot/format/versions/current.ts';
import { readRunLog } from '../../snapshot/format/versions/run-log.ts';
import { quietEffects } from '../../test/builders/working-database.ts';
import { folderOfFile, folderOfTest } from '../../test/support/folders.ts';
import { amountOf, deep } from '../../test/support/runner/amount.ts';
import { writeTestSample } from '../../test/support/runner/sample-snapshot.ts';
import { copyWithLinks } from '../../test/support/snapshots/copy-with-links.ts';
import { type Database, openWorkingDatabase, workingDatabasePath } from '../store/database.ts';
import { outcomeOfFailure } from './outcome.ts';
import { type RunReport, run } from './run.ts';
import { seedItems } from './seeds.ts';
import { publishStage } from './stages.ts';
import { withWorkingDatabase } from './working-database.ts';
import { type Workspace, workspaceOf } from './workspace.ts';

/** What an operator finds after a disk lost something: the next run makes it again from what is held. */

const { path: once } = folderOfFile();
const folder = folderOfTest();
let sample: string;
let root: string;
let config: Config;
let workspace: Workspace;

const configOf = (folder: string): Config =>
  loadConfig({ DATA_DIR: join(folder, 'data'), SNAPSHOTS_DIR: join(folder, 'snapshots') }, folder);

// Only the deep tests need it.
beforeAll(async () => {
  if (amountOf({ quick: true, deep: false })) return;
  sample = await writeTestSample(once, { seed: 3, ctgov: 60, isrctn: 20 });
  await runSample(configOf(join(once, 'ran')));
});
beforeEach(() => {
  root = join(folder.path, 'root');
  config = configOf(root);
  workspace = workspaceOf(config, 'sample');
});

/** Copies the result of a run over the sample, which is made once for all tests. */
const firstRun = (): Promise<void> => copyWithLinks(join(once, 'ran'), root);

async function runSample(config: Config): Promise<RunReport> {
  const options = { source: 'sample', mode: 'auto', sample: { directory: sample } } as const;
  return run({ ...options, accept: [] }, config, quietEffects());
}

async function contentHash(): Promise<string> {
  const { snapshotsDir } = workspace;
  return (await readManifest(snapshotPath(snapshotsDir, (await readCurrent(snapshotsDir))!))).contentHash;
}

describe('a damaged working database', () => {
  deep.it('is set aside, the run makes the same content again, and its record says so', async () => {
    await firstRun();
    const before = await contentHash();
    const path = workingDatabasePath(workspace.dataDir);
    await writeFile(path, (await readFile(path)).fill(9, 500_000));
    const { setAside } = await runSample(config);
    expect(setAside).toMatch(/pipeline\.duckdb\.damaged-\d{8}T\d{6}Z$/);
    expect(await readdir(join(workspace.dataDir, 'work'))).toContain(basename(setAside!));
    expect(await contentHash()).toBe(before);
    const [row] = await readRunLog(workspace.snapshotsDir);
    expect(row!.end!.message).toBe(
      `the working database was damaged and made again; the old one is ${setAside}, which may be removed`,
    );
  });

  const DAMAGES: [string, (bytes: Buffer) => Buffer][] = [
    ['empty', () => Buffer.alloc(0)],
    ['cut in half', (bytes) => bytes.subarray(0, bytes.length >> 1)],
    ['of other bytes', () => Buffer.from('no database')],
    ['with other headers', (bytes) => bytes.fill(9, 4096, 12_288)],
  ];

  it.each(DAMAGES)('that is %s is told with the command that goes on', async (_name, damaged) => {
    const path = workingDatabasePath(root);
    await (await openWorkingDatabase(root)).close();
    await writeFile(path, damaged(await readFile(path)));
    const used = withWorkingDatabase({ dataDir: root }, new Date('2026-11-23T03:00:00.000Z'), async () => 'used');
    await expect(used).rejects.toThrow(
      'pipeline.duckdb is damaged; it was renamed to pipeline.duckdb.damaged-20261123T030000Z. Run `pipeline run` again',
    );
    expect(await withWorkingDatabase({ dataDir: root }, new Date(), async () => 'used')).toBe('used');
    expect(outcomeOfFailure(await used.catch((error: unknown) => error))).toMatchObject({
      ...{ code: 'DATABASE_SET_ASIDE', exitCode: 1 },
    });
  });

  it('that never was is told as the stage that has not run', async () => {
    const publishing = publishStage({ ...workspace, dataDir: root }, { accept: [] }, quietEffects());
    expect(outcomeOfFailure(await publishing.catch((error: unknown) => error))).toMatchObject({
      code: 'STAGE_FAILED',
      message: 'the normalise stage has not run yet; run `pipeline normalise` first, or `pipeline run`',
    });
  });

  it('is not blamed for what fails over it', async () => {
    const failing = withWorkingDatabase({ dataDir: root }, new Date(), (db) =>
      db.run(`SELECT * FROM read_parquet('${join(root, 'absent.parquet')}')`),
    );
    await expect(failing).rejects.toThrow('No files found');
    expect(await readdir(join(root, 'work'))).toEqual(['pipeline.duckdb']);
  });

  deep.it('leaves feed items, which feeds no longer list, to the current snapshot', async () => {
    await firstRun();
    const itemsOf = async (db: Database, table: string): Promise<unknown> =>
      db.all(`SELECT source, id, title, published_at, first_seen_at FROM ${table} ORDER BY id`);
    await using held = await openWorkingDatabase(workspace.dataDir);
    await using made = await openWorkingDatabase(join(root, 'new'));
    await seedItems(made, workspace);
    expect(await itemsOf(made, 'signal_items')).toEqual(await itemsOf(held, 'signals'));
    await seedItems(made, workspace);
    expect(await itemsOf(made, 'signal_items')).toEqual(await itemsOf(held, 'signals'));
  });
});

deep.describe('raw parts', () => {
  const partsOf = async (): Promise<string[]> => {
    const directory = join(workspace.dataDir, 'work', 'raw-parts');
    return (await readdir(directory)).map((name) => join(directory, name));
  };

  const DAMAGES: [string, (path: string) => Promise<void>][] = [
    ['cut short', (path) => truncate(path, 100)],
    ['removed', (path) => rm(path)],
  ];

  it.each(DAMAGES)('that were %s are written again from the raw sets', async (_name, damage) => {
    await firstRun();
    const before = await contentHash();
    for (const path of await partsOf()) await damage(path);
    await expect(publishStage(workspace, { accept: [] }, quietEffects())).rejects.toThrow(
      /raw-parts\/[0-9a-f]{32}\.parquet is missing or cut short; run `pipeline normalise`/,
    );
    await runSample(config);
    expect(await contentHash()).toBe(before);
    expect(await partsOf()).not.toEqual([]);
  });
});
