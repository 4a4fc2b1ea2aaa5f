import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { readRemovedAt } from '../../../snapshot/format/versions/removed.ts';
import { type CorpusSpec, quietEffects } from '../../../test/builders/working-database.ts';
import { copyWithLinks } from '../../../test/support/snapshots/copy-with-links.ts';
import { onlyNewest, TestPublisher } from '../../../test/support/snapshots/publisher.ts';
import { renderGc } from '../../cli/reports.ts';
import type { Effects } from '../../effects.ts';
import { gc, setPin } from './gc.ts';
import type { Retention } from './retention.ts';

const corpus = (text: string): CorpusSpec => ({
  trials: [{ canonicalId: 'wt_aaaaaaaaaaaa', members: [{ id: 'NCT00000001', eligibility_text: text }] }],
});

let publisher: TestPublisher;
let snapshots: string;
const versions: string[] = [];
let round = 0;

// Five snapshots, each the parent of the next; the third and the fourth are equal in content. CURRENT names the newest.
beforeAll(async () => {
  publisher = await TestPublisher.of(corpus('a'));
  for (const text of ['a', 'b', 'c', 'c', 'd']) versions.push((await publisher.publishNext(corpus(text))).version);
  return () => publisher[Symbol.asyncDispose]();
});
beforeEach(async () => {
  snapshots = join(publisher.path, `copy-${round++}`);
  await copyWithLinks(publisher.snapshots, snapshots);
});

const collect = (retention: Retention, options?: Parameters<typeof gc>[3], effects: Partial<Effects> = {}) =>
  gc(snapshots, retention, quietEffects(effects), options);
const left = async (): Promise<string[]> => (await readdir(snapshots)).sort();

test('versions that differ in content are counted; of equal ones the newest stays', async () => {
  const { removed, kept } = await collect(onlyNewest(3));
  expect(removed).toEqual([versions[2], versions[0]]);
  expect(kept.map(({ version }) => version)).toEqual([versions[4], versions[3], versions[1]]);
  expect(await left()).toEqual([versions[1], versions[3], versions[4], 'CURRENT', 'log', 'removed']);
});

test('the manifest of what is removed stays, byte for byte, with its files, its run and the time of the removal', async () => {
  const name = versions[0]!;
  const read = (dir: string) =>
    Promise.all(['manifest.json', 'files.json', 'run.json'].map((file) => readFile(join(dir, file), 'utf8')));
  const before = await read(join(snapshots, name));
  const removedAt = '2026-12-01T03:15:00.000Z';
  await collect(onlyNewest(1), {}, { now: () => new Date(removedAt) });
  const dir = join(snapshots, 'removed', name);
  expect(await read(dir)).toEqual(before);
  expect(await readFile(join(dir, 'removal.json'), 'utf8')).toBe(`{"removedAt":"${removedAt}"}\n`);
  expect(await readRemovedAt(dir)).toBe(removedAt);
  await writeFile(join(dir, 'removal.json'), '{"removedAt":"some day"}');
  expect(await readRemovedAt(dir)).toBeNull();
  await rm(join(dir, 'removal.json'));
  expect(await readRemovedAt(dir)).toBeNull();
});

test('a dry run says the same and removes nothing', async () => {
  const before = await left();
  const planned = await collect(onlyNewest(1), { dryRun: true });
  expect(await left()).toEqual(before);
  expect(renderGc(planned, true)).toBe(
    `kept${' '.repeat(23)}why\n${versions[4]}  served, newest\nto remove ${versions[3]}, ${versions[2]}, ${versions[1]}, ${versions[0]}`,
  );
  expect(await collect(onlyNewest(1))).toEqual(planned);
});

test('a pinned version stays until its pin is removed', async () => {
  await setPin(snapshots, versions[0]!, true, quietEffects());
  expect((await collect(onlyNewest(1))).kept).toEqual([
    { version: versions[4], reasons: ['served', 'newest'] },
    { version: versions[0], reasons: ['pinned'] },
  ]);
  await setPin(snapshots, versions[0]!, false, quietEffects());
  expect((await collect(onlyNewest(1))).removed).toEqual([versions[0]]);
  await expect(setPin(snapshots, versions[0]!, true, quietEffects())).rejects.toThrow('does not exist');
  await expect(setPin(snapshots, versions[0]!, false, quietEffects())).rejects.toThrow('is not pinned');
});

test('CURRENT and its parents stay although newer snapshots fill the number', async () => {
  await writeFile(join(snapshots, 'CURRENT'), `${versions[1]}\n`);
  expect((await collect(onlyNewest(2))).kept).toEqual([
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
  const dry = await collect(onlyNewest(1), { dryRun: true });
  expect(dry.leftovers).toEqual(['.tmp-1', '.trash-20200101T000000Z-00000000']);
  expect(await left()).toContain('.tmp-1');
  const report = await collect(onlyNewest(1));
  expect(renderGc(report, false)).toContain(
    '\n          .tmp-1, left by a killed run\n          .trash-20200101T000000Z-00000000, left by',
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
  await expect(collect(onlyNewest(1))).rejects.toThrow(`nothing was removed: CURRENT ${fault}`);
  await expect(collect(onlyNewest(1))).rejects.toThrow(`the newest sound version is ${versions[4]}`);
  expect(await left()).toEqual(before);
});

test('nothing is removed where a pin cannot be read, or keep makes no sense', async () => {
  await writeFile(join(snapshots, 'STATE.json'), '{"pins":["the good one"]}');
  await expect(collect(onlyNewest(1))).rejects.toThrow('STATE.json cannot be read');
  await expect(collect(onlyNewest(0))).rejects.toThrow('keep must be a whole number from 1, not 0');
  expect(await left()).toHaveLength(8);
});
