import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { snapshotPath } from '../../snapshot/format/versions/current.ts';
import { type Manifest, snapshotFiles } from '../../snapshot/format/versions/manifest.ts';
import { quietEffects } from '../../test/builders/working-database.ts';
import { configIn, runRecords, someStudies } from '../../test/support/dump-runs.ts';
import { folderOfFile } from '../../test/support/folders.ts';
import { isrctnTrial, nct, study } from '../../test/support/live-records.ts';
import { deep } from '../../test/support/runner/amount.ts';
import { feedOf } from '../../test/support/signal-feeds.ts';
import { verify } from '../publish/verify/verify.ts';

/** Equal inputs, rules, code, parent and part files give equal bytes and so an equal identity, wherever and whenever they are read. */

const { path: root } = folderOfFile();

interface Inputs {
  studies: object[];
  trials: string[];
  /** Items of the feed, each a title and a day; null for none. */
  items: [title: string, day: string | null][];
  /** Licence in the list of feeds, which is a rule. */
  licence?: string;
}

const NEWS: Inputs['items'] = [
  ['Exemplin trial results announced', '2026-11-18'],
  // Without a date it counts from the day of its file.
  ['Undated grant for heart failure', null],
];
const FIRST: Inputs = {
  studies: someStudies(4, { updated: '2026-11-10' }),
  trials: [isrctnTrial({ number: '91000001', nct: nct(0), updated: '2026-11-12T10:00:00.000Z' }).xml],
  items: NEWS,
};
/** The day after: a study is new, one has another title, the rest is as before, though of another day's data. */
const SECOND: Inputs = {
  studies: [0, 1, 2, 3, 4].map((index) => ({
    ...study({
      nctId: nct(index),
      ...(index === 1 ? { title: 'Other', updated: '2026-11-21' } : { updated: '2026-11-10' }),
    }),
    derivedSection: { miscInfoModule: { versionHolder: '2026-11-22' } },
  })),
  trials: [...FIRST.trials, isrctnTrial({ number: '91000002', updated: '2026-11-21T10:00:00.000Z' }).xml],
  items: [...NEWS, ['Another undated grant', null]],
};

/** Reads the inputs in a folder at a time, and returns what was published. */
async function publishIn(folder: string, inputs: Inputs, at: string, data = 'data'): Promise<Manifest> {
  const there = join(root, folder);
  const feeds = join(there, 'feeds');
  await mkdir(feeds, { recursive: true });
  const head = { note: 'A feed.', reviewedOn: '2026-11-22', nextReviewOn: '2027-05-22' };
  const list = { ...head, feeds: [feedOf('a-feed', { licence: inputs.licence ?? 'CC0 1.0' })] };
  await writeFile(join(there, 'feeds.json'), JSON.stringify(list));
  const items = inputs.items.map(
    ([title, day], place) =>
      `<item><title>${title}</title><link>https://a.example/${place}</link>${day === null ? '' : `<pubDate>${day}T08:00:00Z</pubDate>`}</item>`,
  );
  await writeFile(join(feeds, 'a-feed.xml'), `<rss version="2.0"><channel>${items.join('')}</channel></rss>`);
  const places = { DATA_DIR: join(there, data), FEEDS_FILE: join(there, 'feeds.json') };
  const config = configIn(there, places);
  let looks = 0;
  const now = (): Date => {
    looks += 1;
    return new Date(Date.parse(at) + looks * 1013);
  };
  const effects = quietEffects({ now });
  const { published } = await runRecords(there, inputs, { feeds }, { config, effects });
  expect(published.unchangedAt).toBeNull();
  const { problems } = await verify(config.snapshotsDir, published.version, effects);
  expect(problems).toEqual([]);
  return published.manifest;
}

const fileOf = (folder: string, { version }: Manifest, path: string): Promise<Buffer> =>
  readFile(join(snapshotPath(join(root, folder, 'snapshots'), version), path));

async function expectEqual(a: [string, Manifest], b: [string, Manifest]): Promise<void> {
  const filesOf = (manifest: Manifest) => snapshotFiles({ ...manifest, descriptions: [] });
  expect(filesOf(b[1])).toEqual(filesOf(a[1]));
  expect((await fileOf(...b, 'manifest.json')).toString()).toBe((await fileOf(...a, 'manifest.json')).toString());
  expect(b[1].identity).toBe(a[1].identity);
  for (const { path } of a[1].serving.files)
    expect([path, (await fileOf(...b, path)).equals(await fileOf(...a, path))]).toEqual([path, true]);
}

it('two folders at two times publish the same', async () => {
  const a = await publishIn('a', FIRST, '2026-11-23T03:00:00Z');
  const b = await publishIn('b', FIRST, '2027-06-01T17:30:00Z');
  await expectEqual(['a', a], ['b', b]);
});

deep.it(
  'a day later they publish the same too; a folder that was given the parent alone has the same rows',
  async () => {
    const [a1, b1] = [
      await publishIn('aa', FIRST, '2026-11-23T03:00:00Z'),
      await publishIn('bb', FIRST, '2027-06-01T17:30:00Z'),
    ];
    expect(b1.version).not.toBe(a1.version);
    await expectEqual(['aa', a1], ['bb', b1]);
    await cp(join(root, 'bb', 'snapshots'), join(root, 'c', 'snapshots'), { recursive: true });

    const [a2, b2, c2] = [
      await publishIn('aa', SECOND, '2026-11-24T03:00:00Z'),
      await publishIn('bb', SECOND, '2027-06-02T17:30:00Z'),
      await publishIn('c', SECOND, '2028-01-01T00:00:00Z'),
    ];
    expect(a2.changes).toEqual({ added: 2, changed: 1, removed: 0, merged: 0, split: 0 });
    expect(a2.bound?.parent).toBe(a1.identity);
    expect(a2.bound?.ledger).toBe(a1.tables.canonical_ids.root);
    await expectEqual(['aa', a2], ['bb', b2]);
    // Its payloads lie in other part files, which the identity binds as they are.
    expect([c2.contentHash, c2.serving]).toEqual([a2.contentHash, a2.serving]);
    // Only the new and the changed record were retrieved on the second dump's day.
    const documents = (await fileOf('aa', a2, 'serving/documents-000.arrow')).toString('latin1');
    expect(documents).toContain('retrieved 2026-11-20.');
    expect(documents).toContain('retrieved 2026-11-22.');

    // Without the parent, or with other rules or inputs, it is another.
    const others = [
      await publishIn('d', SECOND, '2026-11-24T03:00:00Z'),
      await publishIn('e', { ...FIRST, licence: 'CC BY 4.0' }, '2026-11-23T03:00:00Z'),
      await publishIn('f', { ...FIRST, items: NEWS.slice(0, 1) }, '2026-11-23T03:00:00Z'),
      await publishIn('g', { ...FIRST, studies: FIRST.studies.slice(1) }, '2026-11-23T03:00:00Z'),
    ];
    const identities = [a1, a2, ...others].map(({ identity }) => identity);
    expect(new Set(identities).size).toBe(6);
    expect(others[1]?.contentHash).toBe(a1.contentHash);
  },
);
