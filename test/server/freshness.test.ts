import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { freshnessLayers } from '../../index-server/handlers/registries.ts';
import { loadReviewedFiles, type ReviewedFile } from '../../index-server/reviewed-data.ts';
import { loadRegistrySources } from '../../snapshot/format/registry-sources.ts';
import type { Manifest, ManifestFeed } from '../../snapshot/format/versions/manifest.ts';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const sources = loadRegistrySources();

const FEED: ManifestFeed = {
  feed: 'some-funder',
  publisher: 'Some Funder',
  state: 'answered',
  items: 3,
  lastSuccessAt: '2026-11-21T12:00:00.000Z',
  lastAttemptAt: '2026-11-22T03:00:00.000Z',
  sha256: null,
  stale: false,
  reason: null,
  refused: 0,
  undated: 0,
  future: 0,
};

/** Layers of a snapshot with these feeds. Other tests, with the whole server, cover the registries. */
function layers(feeds: ManifestFeed[] | undefined, reviewed: ReviewedFile[] = [], corpus = 'registries') {
  const manifest = { corpus, registries: [], ...(feeds ? { feeds } : {}) } as unknown as Manifest;
  return freshnessLayers(manifest, { sources, reviewed, literature: null }, NOW);
}

describe('freshness of content', () => {
  it('has a feed inside its promise for 26 hours, and stale beyond or when its last attempt failed', () => {
    const [fresh, old, failed] = layers([
      FEED,
      { ...FEED, feed: 'slow', lastSuccessAt: '2026-11-21T10:00:00.000Z' },
      { ...FEED, feed: 'failing', stale: true, reason: 'it answered with HTML' },
    ]);
    expect(fresh).toMatchObject({ layer: 'feed/some-funder', ageHours: 24, insidePromise: true, stale: false });
    expect(old).toMatchObject({ layer: 'feed/slow', promisedHours: 26, insidePromise: true, ageHours: 26 });
    expect(failed).toMatchObject({ stale: true, insidePromise: true, note: 'it answered with HTML' });
    const late = layers([{ ...FEED, lastSuccessAt: '2026-11-21T09:00:00.000Z' }])[0];
    expect(late).toMatchObject({ ageHours: 27, insidePromise: false, stale: true });
  });

  it('has no age of a feed that never answered, nor of a snapshot without feeds', () => {
    const silent: ManifestFeed = { ...FEED, state: 'unanswered', items: null, lastSuccessAt: null, reason: 'timeout' };
    const unknown = { ageHours: null, lastSuccessAt: null, insidePromise: false, stale: true, degraded: true };
    expect(layers([silent])[0]).toMatchObject({ ...unknown, note: 'timeout' });
    expect(layers(undefined)[0]).toMatchObject({ ...unknown, layer: 'feeds', kind: 'feed' });
  });

  it('promises a review of curated items in 90 days, and of rules by the day they set', () => {
    const found = layers(undefined, [
      { name: 'curated/a', kind: 'curated', reviewedOn: '2026-08-24', nextReviewOn: '2026-08-25' },
      { name: 'curated/b', kind: 'curated', reviewedOn: '2026-08-23', nextReviewOn: null },
      { name: 'rules/c', kind: 'rules', reviewedOn: '2026-11-20', nextReviewOn: '2026-11-22' },
      { name: 'topics', kind: 'rules', reviewedOn: '2026-11-20', nextReviewOn: null },
    ]).slice(1);
    const shown = found.map(({ layer, ageHours, promisedHours, insidePromise }) => [
      ...[layer, ageHours, promisedHours, insidePromise],
    ]);
    expect(shown).toEqual([
      ['curated/a', 2172, 2160, false],
      ['curated/b', 2196, 2160, false],
      ['rules/c', 60, 48, false],
      ['topics', 60, null, null],
      ['literature', null, null, null],
    ]);
  });
});

describe('reviewed files', () => {
  it('are as old as the oldest review in them; one without any is a fault', async () => {
    const root = await mkdtemp(join(tmpdir(), 'reviewed-'));
    const data = pathToFileURL(`${root}/`);
    try {
      await mkdir(join(root, 'curated'));
      const items = [{ reviewedOn: '2026-01-02', nextReviewOn: '2026-04-01' }, { reviewed: '2025-12-31' }];
      await writeFile(join(root, 'curated', 'one.json'), JSON.stringify({ reviewedOn: '2026-03-01', items }));
      expect(loadReviewedFiles(data)).toEqual([
        { name: 'curated/one', kind: 'curated', reviewedOn: '2025-12-31', nextReviewOn: '2026-04-01' },
      ]);
      await writeFile(join(root, 'topics.json'), '{"topics": []}');
      expect(() => loadReviewedFiles(data)).toThrow('data/topics.json does not say when it was reviewed');
    } finally {
      await rm(root, { recursive: true });
    }
  });
});
