import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  buildTestImage,
  type CorpusSpec,
  makeWorkingDatabase,
  publishInputs,
  quietEffects,
  temporaryDirectory,
} from '../../test/builders/working-database.ts';
import { publish } from './publish.ts';
import { gc, list, renderList, renderManifest, show } from './version-list.ts';

const corpus: CorpusSpec = { trials: [{ canonicalId: 'wt_aaaaaaaaaaaa', members: [{ id: 'NCT00000001' }] }] };

let root: Awaited<ReturnType<typeof temporaryDirectory>>;
let snapshots: string;
const versions: string[] = [];
let round = 0;

// Four snapshots, each the parent of the next. CURRENT names the newest.
beforeAll(async () => {
  root = await temporaryDirectory();
  await using db = await makeWorkingDatabase(join(root.path, 'data'), corpus);
  for (let run = 0; run < 4; run += 1) {
    versions.push((await publish(publishInputs(root.path, corpus), db, buildTestImage, quietEffects())).version);
  }
});
afterAll(() => root[Symbol.asyncDispose]());

beforeEach(async () => {
  snapshots = join(root.path, `copy-${round++}`);
  await cp(join(root.path, 'snapshots'), snapshots, { recursive: true });
});

test('list has every snapshot, newest first, marks the served one and says what is unusable', async () => {
  await writeFile(join(snapshots, versions[0]!, 'manifest.json'), '{');
  const summaries = await list(snapshots);
  expect(summaries.map((summary) => [summary.version, summary.current, summary.problem])).toEqual([
    [versions[3], true, null],
    [versions[2], false, null],
    [versions[1], false, null],
    [versions[0], false, `${join(snapshots, versions[0]!, 'manifest.json')} is not JSON`],
  ]);
  const lines = renderList(summaries).split('\n');
  expect(lines[0]).toMatch(new RegExp(`^\\* ${versions[3]} {2}sample {2}1 trials {2}1 registrations {2}0\\.\\d MB$`));
  expect(lines[3]).toContain('unusable');
  expect(await list(join(snapshots, 'nowhere'))).toEqual([]);
});

test('show gives the manifest in words', async () => {
  const text = renderManifest(await show(snapshots, versions[1]!));
  expect(text).toContain(`snapshot  ${versions[1]} (sample, as of 2026-11-20)`);
  expect(text).toContain(`parent ${versions[0]}`);
  expect(text).toContain('changes   0 added, 0 changed, 0 removed, 0 merged, 0 split');
  expect(text).toContain('isrctn               0 registrations, 0 quarantined, complete, last success 2026-11-20');
  await expect(show(snapshots, '20300101T000000Z-00000000')).rejects.toThrow('there is no whole snapshot here');
});

test('gc keeps the newest and removes the rest', async () => {
  expect(await gc(snapshots, 2)).toEqual([versions[1], versions[0]]);
  expect((await readdir(snapshots)).sort()).toEqual([versions[2], versions[3], 'CURRENT']);
});

test('gc keeps CURRENT and its parents although newer snapshots fill the number', async () => {
  await writeFile(join(snapshots, 'CURRENT'), `${versions[1]}\n`);
  expect(await gc(snapshots, 1)).toEqual([versions[2], versions[0]]);
  expect(await gc(snapshots, 1)).toEqual([]);
  expect((await readdir(snapshots)).sort()).toEqual([versions[1], versions[3], 'CURRENT']);
});

test('gc leaves alone whatever is not named as a version, and empties the trash of a killed one', async () => {
  for (const name of ['notes', '20260101T000000Z-backup', '.tmp-1', '.trash-20200101T000000Z-00000000']) {
    await mkdir(join(snapshots, name));
  }
  await gc(snapshots, 1);
  expect((await readdir(snapshots)).sort()).toEqual([
    '.tmp-1',
    '20260101T000000Z-backup',
    versions[3],
    'CURRENT',
    'notes',
  ]);
});

test('gc removes nothing when CURRENT names a snapshot that is not there, or keep makes no sense', async () => {
  await writeFile(join(snapshots, 'CURRENT'), '20300101T000000Z-00000000\n');
  await expect(gc(snapshots, 1)).rejects.toThrow('nothing was removed');
  await expect(gc(snapshots, 0)).rejects.toThrow('keep must be a whole number from 1, not 0');
  expect(await readdir(snapshots)).toHaveLength(5);
});
