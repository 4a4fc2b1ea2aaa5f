import { appendFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { quietEffects } from '../../../test/builders/working-database.ts';
import { copyWithLinks } from '../../../test/support/snapshots/copy-with-links.ts';
import { onlyNewest, TestPublisher } from '../../../test/support/snapshots/publisher.ts';
import { renderList, renderManifest } from '../../cli/reports.ts';
import { gc, setPin } from './gc.ts';
import { list, show } from './version-list.ts';

let publisher: TestPublisher;
let snapshots: string;
const versions: string[] = [];
let round = 0;

// Four snapshots, each the parent of the next. CURRENT names the newest.
beforeAll(async () => {
  publisher = await TestPublisher.of({
    trials: [{ canonicalId: 'wt_aaaaaaaaaaaa', members: [{ id: 'NCT00000001' }] }],
  });
  for (let run = 0; run < 4; run += 1) versions.push((await publisher.publish()).version);
  return () => publisher[Symbol.asyncDispose]();
});
beforeEach(async () => {
  snapshots = join(publisher.path, `copy-${round++}`);
  await copyWithLinks(publisher.snapshots, snapshots);
});

test('list has every snapshot, newest first, marks the served one and says what is unusable', async () => {
  await writeFile(join(snapshots, versions[0]!, 'manifest.json'), '{');
  await setPin(snapshots, versions[2]!, true, quietEffects());
  const found = await list(snapshots);
  expect(found).toMatchObject({ current: versions[3], problem: null, removed: [] });
  expect(found.snapshots.map(({ version, current }) => [version, current])).toEqual(
    versions.toReversed().map((version, place) => [version, place === 0]),
  );
  const unusable = `${join(snapshots, versions[0]!, 'manifest.json')} is no JSON object`;
  expect(found.snapshots.map(({ problem }) => problem)).toEqual([null, null, null, unusable]);
  const lines = renderList(found).split('\n');
  expect(lines[1]).toMatch(new RegExp(`^\\*  ${versions[3]} {2}sample +1 +1 +0\\.\\d {2}[0-9a-f]{64}$`));
  expect(lines[2]).toMatch(/ [0-9a-f]{64} {2}pinned$/);
  expect(lines[5]).toBe(
    'note      Only sizes and sums of manifests were compared; `pipeline verify VERSION` reads every file.',
  );
  expect(lines[4]).toContain('unusable');
  await truncate(join(snapshots, versions[1]!, 'trials.parquet'), 7);
  await rm(join(snapshots, versions[1]!, 'links.parquet'));
  await appendFile(join(snapshots, versions[2]!, 'manifest.json'), ' ');
  const damaged = renderList(await list(snapshots)).split('\n');
  expect(damaged[1]).not.toContain('DAMAGED');
  expect(damaged[2]).toMatch(
    /pinned, DAMAGED: manifest\.json has the identity \w{64}, expected that of \S+; `pipeline verify /,
  );
  expect(damaged[3]).toMatch(/DAMAGED: trials\.parquet has 7 bytes instead of \d+, and 1 more files differ; /);
  expect(await list(join(snapshots, 'nowhere'))).toEqual({ current: null, problem: null, snapshots: [], removed: [] });
});

test('list marks a version in which a registry is kept, by its last check where there was one', async () => {
  const check = (degraded: boolean) => {
    const registries = found.registries.map((one) => ({ ...one, degraded: degraded && one.registry === 'isrctn' }));
    const noted = { version: found.version, checkedAt: '2026-12-01T03:15:00.000Z', registries };
    return writeFile(join(snapshots, 'STATE.json'), JSON.stringify({ lastCheck: noted }));
  };
  const found = await show(snapshots, versions[3]!);
  const line = async () => renderList(await list(snapshots)).split('\n')[1];
  await check(true);
  expect(await line()).toMatch(/ {2}still the newest content on 2026-12-01T03:15:00\.000Z, degraded \(isrctn\)$/);
  await check(false);
  expect(await line()).not.toContain('degraded');
});

test('show gives the manifest in words', async () => {
  const text = renderManifest(await show(snapshots, versions[1]!));
  expect(text).toContain(`snapshot  ${versions[1]} (sample, as of 2026-11-20)`);
  expect(text).toContain(`parent ${versions[0]}`);
  expect(text).toContain('changes   added 0, changed 0, removed 0, merged 0, split 0');
  expect(text).toMatch(/^isrctn +complete +0 +0 +2026-11-20/m);
  await expect(show(snapshots, '20300101T000000Z-00000000')).rejects.toThrow('there is no whole snapshot here');
});

test('a list marks no version as served, and says what to do, where CURRENT names none', async () => {
  await rm(join(snapshots, 'CURRENT'));
  const found = await list(snapshots);
  expect(found.current).toBeNull();
  expect(renderList(found).split('\n')[0]).toBe(
    `problem   CURRENT is missing in ${snapshots}; the newest sound version is ${versions[3]}: \`pipeline current ${versions[3]}\` makes it the served one`,
  );
  expect(found.snapshots.map(({ current }) => current)).toEqual([false, false, false, false]);
});

test('what gc removed is listed as removed, and its manifest is still shown', async () => {
  const before = await show(snapshots, versions[0]!);
  // The four are equal in content, so one is enough to hold it.
  const removedAt = '2026-12-01T03:15:00.000Z';
  const effects = quietEffects({ now: () => new Date(removedAt) });
  await gc(snapshots, onlyNewest(1), effects);
  const found = await list(snapshots);
  expect(found.removed).toEqual([versions[2], versions[1], versions[0]]);
  expect(renderList(found)).toContain(`          ${versions[0]}, whose manifest is kept\n`);
  const shown = await show(snapshots, versions[0]!);
  expect(shown).toEqual({ ...before, removed: true, removedAt });
  expect(renderManifest(shown)).toContain(`removed   by gc on ${removedAt}\n`);
  await rm(join(snapshots, 'removed', versions[0]!, 'removal.json'));
  expect(renderManifest(await show(snapshots, versions[0]!))).toContain(
    'removed   by gc at a time that was not recorded\n',
  );
});
