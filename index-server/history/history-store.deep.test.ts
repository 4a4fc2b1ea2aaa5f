import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gc } from '../../pipeline/publish/retention/gc.ts';
import { VersionList } from '../../snapshot/format/versions/version-list.ts';
import { quietEffects } from '../../test/builders/working-database.ts';
import { type FollowedVersions, followedVersions, ONE, TWO } from '../../test/support/snapshots/followed-versions.ts';
import { type HistoryEntry, HistoryStore } from './history-store.ts';
import { spanOf } from './span.ts';

let root: FollowedVersions;
let versions: string[];
let copies = 0;
beforeAll(async () => {
  root = await followedVersions({ servedFrom: 4 });
  ({ versions } = root);
});
afterAll(() => root[Symbol.asyncDispose]());

/** A store over a copy of the snapshots that nothing else changes. */
async function opened(at = 3) {
  const dir = join(root.path, `copy-${copies++}`);
  await cp(root.snapshots, dir, { recursive: true });
  const store = new HistoryStore(new VersionList(dir), pino({ level: 'silent' }));
  return { dir, store, kept: await store.of(versions[at]!), [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

/** Each change in short, by the number of its version. */
function short(entries: readonly HistoryEntry[]): string[] {
  return entries.flatMap(({ version, changes }) =>
    changes.map(
      ({ kind, registrationId, field, new: fresh }) =>
        `${versions.indexOf(version)} ${kind}${registrationId === null ? '' : ` ${registrationId}`}${field === null ? '' : ` ${field} ${fresh}`}`,
    ),
  );
}

const CHANGES = [
  '1 registration-changed NCT00000001 title "Metformin for type 2 diabetes"',
  '1 trial-changed title "Metformin for type 2 diabetes"',
  '2 trial-changed aliases ["wt_two000000000"]',
  '2 trial-changed isrctn_id "ISRCTN00000001"',
  '2 trial-changed registries ["clinicaltrials_gov","isrctn"]',
];

test('a trial has all its changes in order, with those of the ids that became its aliases', async () => {
  await using one = await opened();
  const entries = await one.store.ofTrial(one.kept, [ONE, TWO]);
  expect(short(entries)).toEqual([...CHANGES, '2 trial-merged']);
  expect(entries[0]).toMatchObject({
    version: versions[1],
    parent: versions[0],
    publishedAt: '2026-11-22T03:15:00.000Z',
  });
  // A change that names a trial as another concerned is in the history of both.
  expect(short(await one.store.ofTrial(one.kept, [ONE]))).toEqual([...CHANGES, '2 trial-merged']);
  expect(short(await one.store.ofTrial(one.kept, [TWO]))).toEqual(['2 trial-merged']);
  expect(await one.store.ofTrial(one.kept, ['wt_unknown00000'])).toEqual([]);
});

test.each<[string | undefined, string | undefined, number, number, boolean]>([
  [undefined, undefined, 2, 3, true],
  ['current', undefined, 3, 3, true],
  ['2026-11-22', '2026-11-22', 0, 1, true],
  ['2026-11-22', '2026-11-23', 0, 2, true],
  ['2026-11-21', undefined, 0, 3, false],
  ['2026-11-22T03:15:00Z', undefined, 1, 3, true],
  ['2026-11-22T04:15:00+01:00', undefined, 1, 3, true],
  ['2026-11-20T00:00:00Z', undefined, 0, 3, false],
  ['2030-01-01', undefined, 3, 3, true],
])('since %s until %s leads from version %i to version %i', async (since, until, from, to, reached) => {
  await using one = await opened();
  expect(spanOf(one.kept, { since, until })).toMatchObject({ from: versions[from], to: versions[to], reached });
});

test('a moment after its end, a day that does not exist and a version that is not kept are refused by name', async () => {
  await using one = await opened();
  expect(spanOf(one.kept, { since: '2026-02-30' })).toMatchObject({ parameter: 'since' });
  expect(spanOf(one.kept, { since: versions[0], until: '20260101T000000Z-00000000' })).toMatchObject({
    parameter: 'until',
  });
  expect(spanOf(one.kept, { since: versions[2], until: versions[1] })).toEqual({
    parameter: 'until',
    expected: `a version, day or time that is not before since (${versions[2]})`,
  });
});

test('the history reaches over removed versions, and a new version is taken up', async () => {
  await using one = await opened(2);
  expect(one.kept).toMatchObject({ start: versions[0], versions: [{}, {}], missing: [] });
  await gc(one.dir, { keep: 1, daily: 0, weekly: 0, monthly: 0 }, quietEffects());
  await using again = new HistoryStore(new VersionList(one.dir), pino({ level: 'silent' }));
  for (const store of [one.store, again]) {
    const kept = await store.of(versions[3]!);
    expect(kept).toMatchObject({ start: versions[0], versions: [{}, {}, {}], missing: [] });
    expect(short(await store.ofTrial(kept, [ONE]))).toEqual([...CHANGES, '2 trial-merged']);
  }
});

test('files that gc moved since they were opened are found again', async () => {
  await using one = await opened();
  await gc(one.dir, { keep: 1, daily: 0, weekly: 0, monthly: 0 }, quietEffects());
  expect(short(await one.store.ofTrial(one.kept, [ONE]))).toEqual([...CHANGES, '2 trial-merged']);
});

test('the oldest version whose trials are known says when it was published, and whether older ones are not kept', async () => {
  await using one = await opened(2);
  const first = { version: versions[0], publishedAt: expect.stringMatching(/^2026-11-/), hasEarlier: false };
  expect(one.kept.oldest).toEqual(first);
  const run = join(one.dir, versions[0]!, 'run.json');
  await writeFile(run, (await readFile(run, 'utf8')).replace('"parent": null', `"parent": "${versions[3]}"`));
  await using other = new HistoryStore(new VersionList(one.dir), pino({ level: 'silent' }));
  expect((await other.of(versions[1]!)).oldest).toEqual({ ...first, hasEarlier: true });
});

test('a version that is served again leaves later ones out', async () => {
  await using one = await opened();
  const kept = await one.store.of(versions[1]!);
  expect(short(await one.store.ofTrial(kept, [ONE]))).toEqual(CHANGES.slice(0, 2));
});

test('a damaged or missing file of changes is left out, and the version named', async () => {
  await using one = await opened(0);
  const file = join(one.dir, versions[1]!, 'changes.parquet');
  const bytes = await readFile(file);
  bytes[bytes.length - 1]! ^= 1;
  await writeFile(file, bytes);
  await rm(join(one.dir, versions[2]!, 'changes.parquet'));
  const kept = await one.store.of(versions[3]!);
  expect(kept).toMatchObject({ start: versions[0], versions: [{}], missing: [versions[1], versions[2]] });
  expect(await one.store.ofTrial(kept, [ONE])).toEqual([]);
});
