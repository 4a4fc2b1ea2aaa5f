import { beforeAll, describe, expect, test } from 'vitest';
import { feed } from '../../test/builders/signal-snapshot.ts';
import { TestPublisher } from '../../test/support/snapshots/publisher.ts';
import { renderManifest } from '../cli/reports.ts';
import { diff } from '../diff/diff.ts';
import { renderDiffText } from '../diff/render-text.ts';
import type { Published } from './publish.ts';

let publisher: TestPublisher;
let first: Published;
let second: Published;

async function fill(ids: string[], firstSeen: string): Promise<void> {
  await publisher.db.run('DELETE FROM signals');
  for (const id of ids) {
    await publisher.db.run(
      `INSERT INTO signals VALUES ($1, 'a', 'P', 'en', NULL, 'T', NULL, NULL, $2, 'first_seen', 'news', NULL, 'I', ['trial'], NULL, [])`,
      [id, firstSeen],
    );
  }
}
const publishWith = (items: number) => publisher.publish({ feeds: [feed('a', { items })] });

beforeAll(async () => {
  publisher = await TestPublisher.of();
  await fill(['01', '02'], '2026-11-20T00:00:00.000Z');
  first = await publishWith(2);
  await fill(['02', '03', '04'], '2026-11-21T00:00:00.000Z');
  second = await publishWith(3);
  return () => publisher[Symbol.asyncDispose]();
});

describe('signals in a snapshot', () => {
  test('stand in the manifest with the state of each feed, and are verified with it', async () => {
    expect(second.manifest.feeds).toEqual([feed('a', { items: 3 })]);
    expect(renderManifest(second.manifest)).toMatch(/^a +answered +3 +2026-10-02T03:15:00.000Z +-$/m);
    expect(await publisher.problems(second.version)).toEqual([]);
    const wrong = await publishWith(4);
    const problem = { file: 'manifest.json', message: 'items of a is 4, expected 3' };
    expect(await publisher.problems(wrong.version)).toEqual([problem]);
  });

  test('are counted as gained and lost between two', async () => {
    const found = await diff(publisher.snapshots, first.version, second.version);
    expect(found.totals.signals).toEqual({ from: 2, lost: 1, gained: 2, to: 3 });
    expect(renderDiffText(found)).toContain('signals: 2 - 1 lost + 2 gained = 3\n');
  });

  test('have the same root whenever they were first seen', async () => {
    await fill(['01', '02'], '2026-11-22T00:00:00.000Z');
    const again = await publishWith(2);
    expect(again.manifest.tables.signals.root).toBe(first.manifest.tables.signals.root);
    expect(again.manifest.contentHash).toBe(first.manifest.contentHash);
  });
});
