import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readRemovedAt } from '../../../snapshot/format/versions/removed.ts';
import {
  buildTestImage,
  type CorpusSpec,
  fillWorkingDatabase,
  makeWorkingDatabase,
  publishInputs,
  quietEffects,
  temporaryDirectory,
} from '../../../test/builders/working-database.ts';
import { copyWithLinks } from '../../../test/support/snapshots/copy-with-links.ts';
import { publish } from '../publish.ts';
import { gc, renderGc } from './gc.ts';
import { setPin } from './pins.ts';
import type { Retention } from './retention.ts';

const corpus = (text: string): CorpusSpec => ({
  trials: [{ canonicalId: 'wt_aaaaaaaaaaaa', members: [{ id: 'NCT00000001', eligibility_text: text }] }],
});
const only = (keep: number): Retention => ({ keep, daily: 0, weekly: 0, monthly: 0 });

let root: Awaited<ReturnType<typeof temporaryDirectory>>;
let snapshots: string;
const versions: string[] = [];
let round = 0;

// Five snapshots, each the parent of the next; the third and the fourth are equal in content. CURRENT names the newest.
beforeAll(async () => {
  root = await temporaryDirectory();
  const dataDir = join(root.path, 'data');
  await using db = await makeWorkingDatabase(dataDir, corpus('a'));
  for (const text of ['a', 'b', 'c', 'c', 'd']) {
    await fillWorkingDatabase(db, dataDir, corpus(text));
    versions.push((await publish(publishInputs(root.path, corpus(text)), db, buildTestImage, quietEffects())).version);
  }
});
afterAll(() => root[Symbol.asyncDispose]());

beforeEach(async () => {
  snapshots = join(root.path, `copy-${round++}`);
  await copyWithLinks(join(root.path, 'snapshots'), snapshots);
});

const left = async (): Promise<string[]> => (await readdir(snapshots)).sort();

test('versions that differ in content are counted; of equal ones the newest stays', async () => {
  const { removed, kept } = await gc(snapshots, only(3), quietEffects());
  expect(removed).toEqual([versions[2], versions[0]]);
  expect(kept.map(({ version }) => version)).toEqual([versions[4], versions[3], versions[1]]);
  expect(await left()).toEqual([versions[1], versions[3], versions[4], 'CURRENT', 'log', 'removed']);
});

test('the manifest of what is removed stays, byte for byte, with its sum', async () => {
  const name = versions[0]!;
  const read = (dir: string) =>
    Promise.all(['manifest.json', 'manifest.json.sha256'].map((file) => readFile(join(dir, file), 'utf8')));
  const before = await read(join(snapshots, name));
  await gc(snapshots, only(1), quietEffects());
  expect(await read(join(snapshots, 'removed', name))).toEqual(before);
});

test('the time of the removal is kept beside the manifest', async () => {
  const name = versions[0]!;
  const removedAt = '2026-12-01T03:15:00.000Z';
  await gc(snapshots, only(1), quietEffects({ now: () => new Date(removedAt) }));
  const dir = join(snapshots, 'removed', name);
  expect(await readFile(join(dir, 'removal.json'), 'utf8')).toBe(`{"removedAt":"${removedAt}"}\n`);
  expect(await readRemovedAt(dir)).toBe(removedAt);
  await writeFile(join(dir, 'removal.json'), '{"removedAt":"some day"}');
  expect(await readRemovedAt(dir)).toBeNull();
  await rm(join(dir, 'removal.json'));
  expect(await readRemovedAt(dir)).toBeNull();
});

test('a dry run says the same and removes nothing', async () => {
  const before = await left();
  const planned = await gc(snapshots, only(1), quietEffects(), { dryRun: true });
  expect(await left()).toEqual(before);
  expect(renderGc(planned, true)).toBe(
    `keeps  ${versions[4]}  served, newest\nwould remove ${versions[3]}, ${versions[2]}, ${versions[1]}, ${versions[0]}\n`,
  );
  expect(await gc(snapshots, only(1), quietEffects())).toEqual(planned);
});

test('a pinned version stays until its pin is removed', async () => {
  await setPin(snapshots, versions[0]!, true, quietEffects());
  expect((await gc(snapshots, only(1), quietEffects())).kept).toEqual([
    { version: versions[4], reasons: ['served', 'newest'] },
    { version: versions[0], reasons: ['pinned'] },
  ]);
  await setPin(snapshots, versions[0]!, false, quietEffects());
  expect((await gc(snapshots, only(1), quietEffects())).removed).toEqual([versions[0]]);
  await expect(setPin(snapshots, versions[0]!, true, quietEffects())).rejects.toThrow('does not exist');
  await expect(setPin(snapshots, versions[0]!, false, quietEffects())).rejects.toThrow('is not pinned');
});

test('CURRENT and its parents stay although newer snapshots fill the number', async () => {
  await writeFile(join(snapshots, 'CURRENT'), `${versions[1]}\n`);
  expect((await gc(snapshots, only(2), quietEffects())).kept).toEqual([
    { version: versions[4], reasons: ['newest'] },
    { version: versions[3], reasons: ['newest'] },
    { version: versions[1], reasons: ['served'] },
    { version: versions[0], reasons: ['parent of the served one'] },
  ]);
});

test('whatever is not named as a version, or cannot be read, is left alone; what killed runs left goes', async () => {
  for (const name of ['notes', '20260101T000000Z-backup', '.tmp-1', '.trash-20200101T000000Z-00000000']) {
    await mkdir(join(snapshots, name));
  }
  await writeFile(join(snapshots, versions[0]!, 'manifest.json'), '{');
  const dry = await gc(snapshots, only(1), quietEffects(), { dryRun: true });
  expect(dry.leftovers).toEqual(['.tmp-1', '.trash-20200101T000000Z-00000000']);
  expect(await left()).toContain('.tmp-1');
  const report = await gc(snapshots, only(1), quietEffects());
  expect(renderGc(report, false)).toContain(
    'removed what killed runs left: .tmp-1, .trash-20200101T000000Z-00000000\n',
  );
  expect(report.kept.at(-1)).toEqual({
    version: versions[0],
    reasons: ['unusable: look at it, then remove it by hand'],
  });
  expect(await left()).toEqual([
    '20260101T000000Z-backup',
    versions[0],
    versions[4],
    'CURRENT',
    'log',
    'notes',
    'removed',
  ]);
});

test.each([
  ['is missing', (dir: string) => rm(join(dir, 'CURRENT'))],
  ['names no version', (dir: string) => writeFile(join(dir, 'CURRENT'), 'garbage\n')],
  [
    'names 20300101T000000Z-00000000, which does not exist',
    (dir: string) => writeFile(join(dir, 'CURRENT'), '20300101T000000Z-00000000\n'),
  ],
])('nothing is removed where CURRENT %s', async (fault, breakIt) => {
  await breakIt(snapshots);
  const before = await left();
  await expect(gc(snapshots, only(1), quietEffects())).rejects.toThrow(`nothing was removed: CURRENT ${fault}`);
  await expect(gc(snapshots, only(1), quietEffects())).rejects.toThrow(`the newest sound version is ${versions[4]}`);
  expect(await left()).toEqual(before);
});

test('nothing is removed where a pin cannot be read, or keep makes no sense', async () => {
  await writeFile(join(snapshots, 'PINS'), 'the good one\n');
  await expect(gc(snapshots, only(1), quietEffects())).rejects.toThrow(
    '"the good one", which is not a snapshot version',
  );
  await expect(gc(snapshots, only(0), quietEffects())).rejects.toThrow('keep must be a whole number from 1, not 0');
  expect(await left()).toHaveLength(8);
});
