import { describe, expect, test } from 'vitest';
import { emptyManifest, identified } from '../../../test/builders/manifest.ts';
import { parseManifest } from './current.ts';
import { versionName } from './current-file.ts';
import type { Manifest } from './manifest.ts';
import { identityOf, MANIFEST_FILE, ownTexts, RUN_FILE } from './own-files.ts';

const HASH = '0'.repeat(64);
const OTHER = '1'.repeat(64);

/** A manifest with one input, one feed and one file of an image. */
function manifest(): Manifest {
  const empty = emptyManifest('20261121T031500Z-00000000');
  const [ctgov, isrctn] = empty.registries as [Manifest['registries'][0], Manifest['registries'][0]];
  const input = { run: '20261121T031000Z-full', origin: 'https://example.org', name: 'page-000001.json.gz', url: null };
  const inputs = [{ ...input, receivedAt: '2026-11-21T03:11:00.000Z', sha256: HASH, records: 5 }];
  const feed = { feed: 'a-feed', publisher: 'A', items: 2, lastSuccessAt: null, lastAttemptAt: null };
  return {
    ...empty,
    registries: [{ ...ctgov, inputs }, isrctn],
    feeds: [
      { ...feed, state: 'answered', sha256: HASH, stale: false, reason: null, refused: 0, undated: 0, future: 0 },
    ],
    serving: { imageVersion: 1, files: [{ path: 'serving/ids.arrow', bytes: 3, sha256: HASH }] },
  };
}

const textOf = (of: Manifest): string => ownTexts(of)[MANIFEST_FILE];

test('what is written is what is read, and the identity is the SHA-256 of manifest.json', () => {
  const stated = identified(manifest());
  const version = versionName(stated.createdAt, stated.identity);
  expect(parseManifest(ownTexts(stated), `/snapshots/${version}`)).toEqual({ ...stated, version });
  expect(parseManifest(ownTexts(stated), 'elsewhere')).toEqual({ ...stated, version });
  expect(identityOf({ [MANIFEST_FILE]: 'islet' })).toBe(
    'cd0aecc5f13dff933b9b78eabb7216d877bd25a3f5b7120f132d28cac9ac0c65',
  );
});

// A proof holds the whole manifest, and a live run reads hundreds of pages.
test('the manifest does not grow with the number of inputs and files, and binds their order', () => {
  const live = manifest();
  const [input] = live.registries[0]!.inputs;
  const pages = Array.from({ length: 700 }, (_, page) => ({ ...input!, records: 1000 + page }));
  live.registries[0]!.inputs = pages;
  live.tables.trials.files = pages.map((_, page) => ({ path: `trials-${page}.parquet`, bytes: 1, sha256: HASH }));
  expect(textOf(live).length - textOf(manifest()).length).toBe('700944650'.length - '15'.length);
  const before = textOf(live);
  live.registries[0]!.inputs = pages.toReversed();
  expect(textOf(live)).not.toBe(before);
});

test.each<[string, (run: Manifest) => unknown]>([
  ['another input', (run) => (run.registries[0]!.inputs[0]!.sha256 = OTHER)],
  ['no input', (run) => (run.registries[0]!.inputs = [])],
])('a record of the run that lists %s than the manifest binds is refused', (_, change) => {
  const other = manifest();
  change(other);
  const texts = { ...ownTexts(manifest()), [RUN_FILE]: ownTexts(other)[RUN_FILE] };
  expect(() => parseManifest(texts, 'dir')).toThrow('dir/run.json lists other inputs than manifest.json binds');
});

describe('the identity', () => {
  // What a forger may change without being noticed, and what makes two runs of the same inputs differ.
  test.each<[string, (of: Manifest) => unknown]>([
    ['the name', (of) => (of.version = '20261122T031500Z-11111111')],
    ['the time of the publication', (of) => (of.createdAt = '2026-11-22T03:15:00Z')],
    ['the name of the parent', (of) => (of.parent = '20261120T031500Z-22222222')],
    [
      'the time at which a file was received',
      (of) => (of.registries[0]!.inputs[0]!.receivedAt = '2026-11-22T00:00:00Z'),
    ],
    ['the time of an attempt', (of) => (of.registries[0]!.lastAttemptAt = '2026-11-22T03:15:00Z')],
    ['the folder and address of an input', (of) => Object.assign(of.registries[0]!.inputs[0]!, { run: 'x', url: 'y' })],
    ['the time at which a feed was asked', (of) => (of.feeds![0]!.lastSuccessAt = '2026-11-22T03:15:00Z')],
    ['when a breach was accepted', (of) => (of.acceptance = { reason: 'seen', at: '2026-11-22T03:15:00Z' })],
  ])('does not bind %s', (_, change) => {
    const changed = manifest();
    change(changed);
    expect(textOf(changed)).toBe(textOf(manifest()));
  });

  test.each<[string, (of: Manifest) => unknown]>([
    ['the root of a table', (of) => (of.tables.trials = { ...of.tables.trials, root: OTHER })],
    ['a file of the image', (of) => (of.serving.files[0]!.sha256 = OTHER)],
    ['the version of the image', (of) => (of.serving.imageVersion = 2)],
    ['an input', (of) => (of.registries[0]!.inputs[0]!.sha256 = OTHER)],
    ['the count of a registry', (of) => (of.registries[1]!.registrations = 1)],
    ['the day of a dump', (of) => (of.registries[1]!.dumpDay = { day: '2026-11-20', from: 'given' })],
    ['the answer of a feed', (of) => (of.feeds![0]!.sha256 = OTHER)],
    ['the as-of day', (of) => (of.asOf = '2026-11-20')],
    ['a count', (of) => (of.counts.inBoth = 1)],
    ['the parent', (of) => (of.bound = { ...of.bound, parent: OTHER })],
    ['the stored changes', (of) => (of.storedChanges = { rows: 0, bytes: 0, files: [], root: OTHER })],
    [
      'a file of a table, with an equal root',
      (of) => (of.tables.trials = { ...of.tables.trials, files: [{ path: 'trials.parquet', bytes: 1, sha256: HASH }] }),
    ],
    ['a tree', (of) => (of.proofs = [{ path: 'proofs/trials.tree', bytes: 1, sha256: HASH }])],
    ['the commit', (of) => (of.bound = { ...of.bound, code: { ...of.bound.code, commit: '1'.repeat(40) } })],
  ])('binds %s', (_, change) => {
    const changed = manifest();
    change(changed);
    expect(textOf(changed)).not.toBe(textOf(manifest()));
  });
});
