import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FakeFeedServer, startFakeFeedServer } from '../../test/fakes/feed-server.ts';
import { folderOfTest } from '../../test/support/folders.ts';
import { feedOf } from '../../test/support/signal-feeds.ts';
import { type Database, openWorkingDatabase } from '../store/database.ts';
import { loadLexicons } from './classify.ts';
import { feedClient } from './feed-client.ts';
import type { FeedSource } from './feeds.ts';
import { type SignalsReport, signals } from './signals.ts';

const lexicons = await loadLexicons();
const folder = folderOfTest();
let db: Database;
let server: FakeFeedServer;
let now: Date;
beforeEach(async () => {
  db = await openWorkingDatabase(folder.path, { threads: 1 });
  server = await startFakeFeedServer({});
  now = new Date('2026-11-20T12:00:00.000Z');
});
afterEach(async () => {
  await db.close();
  await server[Symbol.asyncDispose]();
});

const item = (link: string, day: string, title: string): string =>
  `<item><title>${title}</title><link>${link}</link>${day === '' ? '' : `<pubDate>${day}</pubDate>`}</item>`;
const publish = (id: string, ...items: string[]): void => {
  server.answers[`/${id}`] = { kind: 'feed', body: `<rss version="2.0"><channel>${items.join('')}</channel></rss>` };
};
const feed = (id: string, fields: Partial<FeedSource> = {}) =>
  feedOf(id, { address: `${server.url}/${id}`, ...fields });

function run(feeds: FeedSource[], checkpoint: (name: string) => void = () => {}): Promise<SignalsReport> {
  const effects = { now: () => now, progress: () => {}, checkpoint };
  const fetchFeed = feedClient({ rate: 1000, delay: async () => {} }, effects);
  const list = { sha256: '0'.repeat(64), feeds };
  return signals({ dataDir: folder.path, list, lexicons, fetchFeed, today: now, replace: false }, db, effects);
}
const rows = (columns = 'title, source, published_at, date_basis') =>
  db.all(`SELECT ${columns} FROM signals ORDER BY published_at NULLS LAST, id`);

describe('the signals stage', () => {
  test('keeps an item once, as the feed with the earliest time has it, and says which feeds carried it', async () => {
    publish('b', item('http://x.example/1?utm_source=b#top', '2026-11-18', 'As b has it: a trial'));
    publish('a', item('https://x.example/1', '2026-11-19', 'As a has it'), item('https://x.example/2', '', 'Undated'));
    const report = await run([feed('a'), feed('b', { category: 'funder', language: 'en-GB' })]);
    expect(await rows('*')).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        source: 'b',
        publisher: 'Publisher of b',
        language: 'en-GB',
        category: 'funder',
        url: 'http://x.example/1',
        domain: 'x.example',
        title: 'As b has it: a trial',
        summary: null,
        published_at: '2026-11-18T00:00:00.000Z',
        first_seen_at: '2026-11-20T12:00:00.000Z',
        date_basis: 'published',
        capital: 'I',
        capital_terms: ['trial'],
        lexicon_class: 'research',
        class_terms: ['trial'],
      },
      expect.objectContaining({
        title: 'Undated',
        source: 'a',
        published_at: null,
        date_basis: 'first_seen',
        capital: null,
      }),
    ]);
    const classes = { research: 1, none: 1 };
    expect(report).toMatchObject({ items: 2, capitals: { I: 1, none: 1 }, classes, swept: 0 });
    expect(report.shared).toMatchObject({ items: 1, named: [{ feeds: ['a', 'b'] }] });
    expect(report.feeds.map(({ feed: id, items, undated }) => [id, items, undated])).toEqual([
      ['a', 1, 1],
      ['b', 1, 0],
    ]);
  });

  test('gives the same table whatever the order of the feeds', async () => {
    publish('a', item('https://x.example/1', '2026-11-18', 'Of a'), item('https://x.example/2', '2026-11-18', 'Two'));
    publish('b', item('https://x.example/1', '2026-11-18', 'Of b'));
    await run([feed('a'), feed('b')]);
    const first = await rows('*');
    await db.run('DELETE FROM signal_items; DELETE FROM feed_states');
    await run([feed('b'), feed('a')]);
    expect(await rows('*')).toEqual(first);
    expect(first.map(({ source }) => source)).toEqual(['a', 'a']);
  });

  test('adds to what a feed carried before, keeps the earliest time, and asks only for what changed', async () => {
    publish('a', item('https://x.example/1', '2026-11-18', 'One'));
    await run([feed('a')]);
    expect((await run([feed('a')])).outcomes).toMatchObject([{ feed: 'a', outcome: 'unchanged' }]);
    expect(server.requests.map(({ etag }) => etag)).toEqual([undefined, expect.any(String)]);
    now = new Date('2026-11-21T12:00:00.000Z');
    publish(
      'a',
      item('https://x.example/1', '2026-11-21', 'One, again'),
      item('https://x.example/2', '2026-11-21', 'Two'),
    );
    expect((await run([feed('a')])).outcomes).toMatchObject([{ outcome: 'read', read: 2, added: 1 }]);
    publish('a', item('https://x.example/3', '2026-11-20', 'Three'));
    await run([feed('a')]);
    expect(await rows('title, published_at, first_seen_at')).toEqual([
      { title: 'One, again', published_at: '2026-11-18T00:00:00.000Z', first_seen_at: '2026-11-20T12:00:00.000Z' },
      { title: 'Three', published_at: '2026-11-20T00:00:00.000Z', first_seen_at: '2026-11-21T12:00:00.000Z' },
      { title: 'Two', published_at: '2026-11-21T00:00:00.000Z', first_seen_at: '2026-11-21T12:00:00.000Z' },
    ]);
  });

  test('asks for all of a feed that was read by an older reader or from another address', async () => {
    publish('a', item('https://x.example/1', '2026-11-18', 'One'));
    await run([feed('a')]);
    await db.run('UPDATE feed_states SET reader_version = 0');
    expect((await run([feed('a')])).outcomes).toMatchObject([{ outcome: 'read', added: 0 }]);
    await db.run("UPDATE feed_states SET address = 'https://elsewhere.example/'");
    expect((await run([feed('a')])).outcomes).toMatchObject([{ outcome: 'read', added: 0 }]);
  });

  test('keeps the items of a feed that fails, as stale with the time of its last success and the reason', async () => {
    publish('a', item('https://x.example/1', '2026-11-18', 'One'), item('', '', 'Refused'));
    await run([feed('a'), feed('b')]);
    now = new Date('2026-11-21T12:00:00.000Z');
    server.answers['/a'] = { kind: 'feed', body: '<!doctype html><html></html>' };
    const { feeds, items } = await run([feed('a'), feed('b')]);
    expect(items).toBe(1);
    expect(feeds).toEqual([
      {
        feed: 'a',
        publisher: 'Publisher of a',
        state: 'answered',
        items: 1,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        lastSuccessAt: '2026-11-20T12:00:00.000Z',
        lastAttemptAt: '2026-11-21T12:00:00.000Z',
        stale: true,
        reason: 'html: it is a web page, not a feed',
        refused: 1,
        undated: 0,
        future: 0,
      },
      {
        feed: 'b',
        publisher: 'Publisher of b',
        state: 'unanswered',
        items: null,
        sha256: null,
        lastSuccessAt: null,
        lastAttemptAt: '2026-11-21T12:00:00.000Z',
        stale: true,
        reason: 'refused: HTTP 404',
        refused: null,
        undated: null,
        future: null,
      },
    ]);
    publish('a', item('https://x.example/1', '2026-11-18', 'One'));
    expect((await run([feed('a')])).feeds).toMatchObject([{ stale: false, reason: null, refused: 0 }]);
  });

  test('lets items go that are older than 400 days', async () => {
    publish(
      'a',
      item('https://x.example/1', '2025-10-16T12:00:00Z', 'Kept'),
      item('https://x.example/2', '2025-10-16T11:59:59Z', 'Gone'),
    );
    expect((await run([feed('a')])).swept).toBe(1);
    expect((await rows()).map(({ title }) => title)).toEqual(['Kept']);
  });

  test('shows only feeds of the list, and brings back what it holds of one that returns', async () => {
    publish('a', item('https://x.example/1', '2026-11-18', 'One'));
    await run([feed('a')]);
    expect((await run([])).items).toBe(0);
    expect((await run([feed('a')])).items).toBe(1);
  });

  test.each(['signals:a', 'signals:b', 'signals:stored'])(
    'that ends at %s goes on and comes out the same',
    async (point) => {
      publish('a', item('https://x.example/1', '2026-11-18', 'One'));
      publish('b', item('https://x.example/2', '2026-11-18', 'A trial'));
      const ended = run([feed('a'), feed('b')], (name) => {
        if (name === point) throw new Error('ended here');
      });
      await expect(ended).rejects.toThrow('ended here');
      expect(await rows()).toEqual([]);
      await run([feed('a'), feed('b')]);
      expect((await rows()).map(({ title }) => title).sort()).toEqual(['A trial', 'One']);
    },
  );
});
