import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { loadConfig } from '../../server-kit/config/config.ts';
import { startFakeFeedServer } from '../../test/fakes/feed-server.ts';
import { folderOfTest } from '../../test/support/folders.ts';
import { feedOf } from '../../test/support/signal-feeds.ts';
import { loadFeeds } from '../signals/feeds.ts';
import type { SignalsReport } from '../signals/signals.ts';
import { type JsonRow, openWorkingDatabase } from '../store/database.ts';
import { type SignalsOptions, signalsStage } from './signals-stage.ts';
import { workspaceOf } from './workspace.ts';

const FEEDS = new URL('../../data/sources/feeds.json', import.meta.url);

const folder = folderOfTest();
let root: string;
beforeEach(() => {
  root = folder.path;
});

/** Runs the stage at the given time. Returns its report and the rows of its table. */
async function stage(
  options: SignalsOptions,
  now: string,
  place = 'data',
  feedsFile = FEEDS.pathname,
): Promise<{ report: SignalsReport; rows: JsonRow[] }> {
  const config = loadConfig({ DATA_DIR: join(root, place), FEEDS_FILE: feedsFile, FETCH_RATE: '50' }, root);
  const workspace = workspaceOf(config, options.source);
  const effects = { now: () => new Date(now), progress: () => {}, checkpoint: () => {} };
  const report = await signalsStage(options, config, workspace, effects);
  await using db = await openWorkingDatabase(workspace.dataDir);
  return { report, rows: await db.all('SELECT * FROM signals ORDER BY id') };
}

describe('the sample feeds', () => {
  it('say that they are synthetic in every title and publisher, and hold every capital, class and oddity', async () => {
    const { report, rows } = await stage({ source: 'sample' }, '2026-11-20T12:00:00.000Z');
    expect(rows.length).toBeGreaterThan(400);
    expect(rows.length).toBeLessThan(800);
    expect(rows.filter(({ title }) => !String(title).startsWith('[Synthetic] '))).toEqual([]);
    expect(rows.filter(({ publisher }) => !String(publisher).startsWith('Synthetic '))).toEqual([]);
    expect(rows.filter(({ domain }) => domain !== null && !String(domain).endsWith('.example'))).toEqual([]);
    expect(Object.keys(report.capitals).sort()).toEqual(['D', 'I', 'M', 'N', 'none']);
    expect(Object.keys(report.classes).sort()).toEqual([
      ...['access', 'funding', 'none', 'policy', 'research', 'safety', 'treatment'],
    ]);
    expect(report.shared.named.map(({ feeds }) => feeds)).toEqual([['synthetic-newswire', 'synthetic-regulator']]);
    expect(report.feeds.filter(({ feed }) => /funder|journal|newswire/.test(feed))).toMatchObject([
      { feed: 'synthetic-funder', refused: 1, undated: 1, future: 0 },
      { feed: 'synthetic-journal', refused: 0, undated: 0, future: 0 },
      { feed: 'synthetic-newswire', refused: 0, undated: 0, future: 1 },
    ]);
    expect(rows.filter(({ url }) => url === null)).toHaveLength(1);
  });
});

describe('a dump of feeds', () => {
  test('is a directory of files named by feed; the others are named and left out, feeds without a file are unanswered', async () => {
    const feeds = join(root, 'feeds');
    await mkdir(feeds);
    const item = '<item><title>T</title><link>https://a.example/1</link><pubDate>2026-11-18</pubDate></item>';
    await writeFile(join(feeds, 'nih-news.xml'), `<rss><channel>${item}</channel></rss>`);
    await writeFile(join(feeds, 'fda-drugs.xml'), '<html></html>');
    await writeFile(join(feeds, 'notes.txt'), 'x');
    const { report, rows } = await stage({ source: 'dump', feeds }, '2026-11-20T12:00:00.000Z');
    expect(rows).toMatchObject([{ source: 'nih-news', category: 'funder', published_at: '2026-11-18T00:00:00.000Z' }]);
    expect(report.leftOut).toEqual(['notes.txt']);
    const state = (id: string) => report.feeds.find(({ feed }) => feed === id);
    expect(state('nih-news')).toMatchObject({ state: 'answered', items: 1, stale: false });
    const unanswered = { state: 'unanswered', items: null };
    expect(state('fda-drugs')).toMatchObject({ ...unanswered, reason: 'html: it is a web page, not a feed' });
    expect(state('elife-recent')).toMatchObject({ ...unanswered, reason: 'not asked', stale: false });
  });
});

describe('live feeds', () => {
  test('are those of FEEDS_FILE, over HTTP', async () => {
    const body = '<rss><channel><item><title>T</title><guid>1</guid></item></channel></rss>';
    await using server = await startFakeFeedServer({ '/feed': { kind: 'feed', body } });
    const head = { note: 'n', reviewedOn: '2026-11-22', nextReviewOn: '2027-05-22' };
    const path = join(root, 'feeds.json');
    await writeFile(path, JSON.stringify({ ...head, feeds: [feedOf('mine', { address: `${server.url}/feed` })] }));
    const { report, rows } = await stage({ source: 'live' }, '2026-11-20T12:00:00.000Z', 'data', path);
    expect(report.feeds).toMatchObject([{ feed: 'mine', state: 'answered', items: 1, undated: 1 }]);
    expect(rows).toMatchObject([{ title: 'T', date_basis: 'first_seen', first_seen_at: '2026-11-20T12:00:00.000Z' }]);
    expect(server.requests.map(({ path: asked }) => asked)).toEqual(['/feed']);
  });
});

describe('the list of feeds', () => {
  test('is usable, asks by https, and says of none that it was tried', async () => {
    const { feeds } = await loadFeeds(FEEDS);
    expect(feeds).toHaveLength(14);
    expect(feeds.filter(({ address, verified }) => verified || !address.startsWith('https://'))).toEqual([]);
  });

  test('is refused where a feed stands twice, and where it is no JSON', async () => {
    const path = join(root, 'feeds.json');
    const feeds = (await loadFeeds(FEEDS)).feeds.slice(0, 1);
    const head = { note: 'n', reviewedOn: '2026-11-22', nextReviewOn: '2027-05-22' };
    await writeFile(path, JSON.stringify({ ...head, feeds: [...feeds, ...feeds] }));
    await expect(loadFeeds(path)).rejects.toThrow('the feed ctgov-updates stands twice');
    await writeFile(path, '{');
    await expect(loadFeeds(path)).rejects.toThrow('is not JSON');
  });
});
